import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseQuerySet } from "../src/index.js";

describe("query sets", () => {
  test("a line with everything", () => {
    const line =
      '{"id":"q1","query":"retry a job","kind":"question","relevant":[{"path":"a.md","grade":2,"startLine":3,"endLine":9},{"documentId":"b","startOffset":0,"endOffset":5},{"chunkId":"c1"}],"exclude":["index.md"]}';
    expect(parseQuerySet(line, "set.jsonl")).toEqual([
      {
        id: "q1",
        query: "retry a job",
        kind: "question",
        relevant: [
          { path: "a.md", grade: 2, startLine: 3, endLine: 9 },
          { documentId: "b", startOffset: 0, endOffset: 5 },
          { chunkId: "c1" },
        ],
        exclude: ["index.md"],
      },
    ]);
  });

  test("targets may be paths alone, or a list of chunk ids", () => {
    const text =
      '{"query":"a","relevant":["a.md",{"path":"b.md","grade":2}]}\n{"query":"b","relevant_chunk_ids":["c1","c2"]}';
    expect(parseQuerySet(text, "set.jsonl").map(({ relevant }) => relevant)).toEqual([
      [{ path: "a.md" }, { path: "b.md", grade: 2 }],
      [{ chunkId: "c1" }, { chunkId: "c2" }],
    ]);
  });

  test("the query is its id where there is none; blank lines and both line ends are read over", () => {
    const text = '\n{"query":"a","relevant":[{"path":"a.md"}]}\r\n\r\n{"query":"b","relevant":[{"path":"b.md"}]}\n';
    expect(parseQuerySet(text, "set.jsonl").map(({ id }) => id)).toEqual(["a", "b"]);
  });

  test.each([
    ["{", "set.jsonl:2: found {; expected a JSON object on one line"],
    ["[]", "set.jsonl:2: found []; expected a JSON object"],
    ['{"relevant":[{"path":"a"}]}', "set.jsonl:2: query: found missing; expected a text that is not blank"],
    ['{"query":" ","relevant":[{"path":"a"}]}', "set.jsonl:2: query: found  ; expected a text that is not blank"],
    [
      '{"query":"q","relevent":[]}',
      "set.jsonl:2: found relevent; expected none but the keys id, query, kind, relevant, relevant_chunk_ids, exclude",
    ],
    [
      '{"query":"q","relevant":["a"],"relevant_chunk_ids":["b"]}',
      "set.jsonl:2: found relevant and relevant_chunk_ids; expected one of the two",
    ],
    ['{"query":"q","relevant":[" "]}', "set.jsonl:2: relevant[0].path: found  ; expected a text that is not blank"],
    ['{"query":"q","relevant":"a.md"}', "set.jsonl:2: relevant: found a.md; expected a list of targets"],
    ['{"query":"q","relevant":[]}', "set.jsonl:2: relevant: found []; expected a list of targets"],
    ['{"query":"q","relevant":[{}]}', 'set.jsonl:2: relevant[0]: found {}; expected "path" or "documentId", not both'],
    ['{"query":"q","relevant":[{"path":"a","documentId":"a"}]}', 'expected "path" or "documentId", not both'],
    [
      '{"query":"q","relevant":[{"path":"a","grade":1.5}]}',
      "relevant[0].grade: found 1.5; expected a whole number from 0 to 10",
    ],
    ['{"query":"q","relevant":[{"path":"a","grade":0}]}', "expected at least one target of a grade above 0"],
    ['{"query":"q","relevant":[{"path":"a","line":3}]}', "relevant[0]: found line; expected none but the keys path"],
    [
      '{"query":"q","relevant":[{"path":"a","startLine":3}]}',
      "relevant[0].endLine: found null; expected a whole number of at least 3",
    ],
    [
      '{"query":"q","relevant":[{"path":"a","startLine":0,"endLine":2}]}',
      "relevant[0].startLine: found 0; expected a whole number of at least 1",
    ],
    [
      '{"query":"q","relevant":[{"path":"a","startOffset":4,"endOffset":4}]}',
      "relevant[0].endOffset: found 4; expected a whole number of at least 5",
    ],
    [
      '{"query":"q","relevant":[{"path":"a","startLine":1,"endLine":2,"startOffset":0,"endOffset":9}]}',
      "expected one of a range of lines, a range of offsets, and a chunk id",
    ],
    ['{"query":"q","relevant":[{"path":"a"}],"exclude":"b"}', "exclude: found b; expected a list of paths"],
    [
      '{"query":"first","relevant":[{"path":"a"}]}',
      "set.jsonl:2: found first; expected an id of its own: line 1 has the same",
    ],
  ])("%s is refused", (line, message) => {
    const text = `{"query":"first","relevant":[{"path":"a"}]}\n${line}`;
    expect(() => parseQuerySet(text, "set.jsonl")).toThrow(message);
  });

  test("a file without a query is refused", () => {
    expect(() => parseQuerySet("\n\n", "set.jsonl")).toThrow("set.jsonl: found empty; expected at least one query");
  });

  test("the committed set holds thirty queries of four kinds", () => {
    const file = new URL("../../../eval/queries.jsonl", import.meta.url);
    const queries = parseQuerySet(readFileSync(file, "utf8"), "eval/queries.jsonl");
    const kinds = ["question", "keyword", "paraphrase", "multi-hop"];
    expect(kinds.map((kind) => queries.filter((query) => query.kind === kind).length)).toEqual([8, 8, 9, 5]);
  });
});
