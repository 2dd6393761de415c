import { describe, expect, test } from "vitest";
import { createDocsearch } from "../src/docsearch.js";
import { memoryStore } from "../src/memory-store/memory-store.js";
import { splitFilters } from "../src/search/query-filters.js";
import { textDocument, topicEmbedder } from "./support.js";

const path = (value: string): object => ({ op: "contains", field: "path", value });

describe("field filters in a query", () => {
  test("are taken out of the text", () => {
    expect(splitFilters('retry path:src/jobs in:"my notes" a job')).toEqual({
      text: "retry a job",
      excluded: [],
      typed: ["path:src/jobs", 'in:"my notes"'],
      filter: {
        op: "and",
        clauses: [
          { op: "or", clauses: [path("src/jobs")] },
          { op: "or", clauses: [{ op: "in", field: "collection", values: ["my notes"] }] },
        ],
      },
    });
  });

  test("behind a quote that is never closed there may be one", () => {
    expect(splitFilters('"a path:b')).toMatchObject({ text: '"a', typed: ["path:b"] });
  });

  test("several of one field are alternatives; with a dash they exclude", () => {
    expect(splitFilters("x path:a path:b -path:c").filter).toEqual({
      op: "and",
      clauses: [
        { op: "not", clause: path("c") },
        { op: "or", clauses: [path("a"), path("b")] },
      ],
    });
  });

  test("a quoted phrase with a dash in front is left out", () => {
    expect(splitFilters('-"old way" plugin -\u201cno more\u201d')).toEqual({
      text: "plugin",
      excluded: ["old way", "no more"],
      typed: ['-"old way"', "-\u201cno more\u201d"],
    });
  });

  test("a language is the media types that are named after it", () => {
    const values = ["text/x-c++", "text/c++", "application/c++"];
    expect(splitFilters("sort lang:cpp").filter).toEqual({
      op: "and",
      clauses: [{ op: "or", clauses: [{ op: "in", field: "mediaType", values }] }],
    });
  });

  test.each([
    "std::path::join",
    "a.path:b",
    "margin: 0",
    "C:path",
    "in: a list",
    "path:",
    "xpath:a",
    "path://x",
    "go test -race --watch -q",
    'a-"b"',
    '-"?!"',
    '--"x"',
    '"path:src" x',
    '"a lang:ts b" in: x',
    "\u201cin:notes\u201d",
  ])("%s has none", (query) => {
    expect(splitFilters(query)).toEqual({ text: query, excluded: [], typed: [] });
  });
});

describe("where nothing is found", () => {
  const open = async (): Promise<Awaited<ReturnType<typeof createDocsearch>>> => {
    const docsearch = await createDocsearch({ store: memoryStore(), embedder: topicEmbedder().factory });
    await docsearch.index({
      documents: [
        textDocument("docs/a.md", "the old hound barks"),
        textDocument("src/b.py", "a salmon swims", { mediaType: "text/x-python" }),
      ],
    });
    return docsearch;
  };

  test("the filter of the query limits the search", async () => {
    const docsearch = await open();
    const found = async (query: string): Promise<string[]> =>
      (await docsearch.search({ query, mode: "keyword" })).results.map(({ document }) => document.id).sort();
    expect(await found("hound salmon")).toEqual(["docs/a.md", "src/b.py"]);
    expect(await found("hound salmon lang:py")).toEqual(["src/b.py"]);
    expect(await found("hound salmon -path:src")).toEqual(["docs/a.md"]);
  });

  test("what was read as a filter is said, and can be switched off", async () => {
    const docsearch = await open();
    const response = await docsearch.search({ query: 'hound salmon path:src -"old hound"', mode: "keyword" });
    expect(response.results.map(({ document }) => document.id)).toEqual(["src/b.py"]);
    expect(response.queryFilters).toEqual(["path:src", '-"old hound"']);
    const words = await docsearch.search({ query: "hound path:src", mode: "keyword", queryFilters: false });
    expect(words.results.map(({ document }) => document.id)).toEqual(["src/b.py", "docs/a.md"]);
    expect(words).not.toHaveProperty("queryFilters");
  });

  test("in pasted text there are none, but at its start", async () => {
    const docsearch = await open();
    const found = async (query: string): Promise<unknown> => {
      const { results, queryFilters } = await docsearch.search({ query, mode: "keyword" });
      return [results.map(({ document }) => document.id), queryFilters];
    };
    const pasted = 'hound\n```\npath:nowhere lang:none -"old hound"\n```';
    expect(await found(pasted)).toEqual([["docs/a.md"], undefined]);
    expect(await found(`path:src ${pasted}`)).toEqual([[], ["path:src"]]);
  });

  test("no result holds an excluded phrase", async () => {
    const docsearch = await open();
    const found = async (query: string): Promise<string[]> =>
      (await docsearch.search({ query, mode: "keyword" })).results.map(({ document }) => document.id);
    expect(await found('hound salmon -"salmon swims"')).toEqual(["docs/a.md"]);
    expect(await found('hound -"hound old"')).toEqual(["docs/a.md"]);
    expect(await found('hound -"old hound"')).toEqual([]);
  });

  const inSource = { op: "prefix", field: "path", value: "src/" } as const;
  test.each([
    ["hound path:src", undefined, "filter", "without path:src there are results", "hound"],
    ["hound path:src", inSource, "filter", "without the filter and path:src there are results", "hound"],
    ["hound", inSource, "filter", "without the filter there are results", undefined],
    ['hound -"old hound"', undefined, "filter", 'without -"old hound" there are results', "hound"],
    ['"hound old"', undefined, "phrase", "the quoted words do not stand together, but apart", "hound old"],
    [
      '"hound old" path:docs',
      undefined,
      "phrase",
      "the quoted words do not stand together, but apart",
      "hound old path:docs",
    ],
    ["dog", undefined, "mode", "no text has these words; by meaning there are results: mode hybrid", undefined],
    ["hoound", undefined, "spelling", "did you mean: hound", "hound"],
    [
      '"hoound barks" path:docs',
      undefined,
      "spelling",
      'did you mean: "hound barks" path:docs',
      '"hound barks" path:docs',
    ],
  ] as const)("%s, filter %j: %s", async (query, filter, kind, message, other) => {
    const docsearch = await open();
    const response = await docsearch.search({ query, mode: "keyword", ...(filter && { filter }) });
    expect(response.results).toEqual([]);
    expect(response.suggestions).toEqual([{ kind, message, ...(other !== undefined && { query: other }) }]);
    if (other === undefined) return;
    const again = await docsearch.search({ query: other, mode: "keyword" });
    expect(again.results.map(({ document }) => document.id)).toEqual(["docs/a.md"]);
  });

  test("where no text has a word of the query, the spelling is looked at although meanings were found", async () => {
    const docsearch = await createDocsearch({ store: memoryStore(), embedder: topicEmbedder().factory });
    await docsearch.index({ documents: [textDocument("a", "the hound barks"), textDocument("b", "a cat sleeps")] });
    const response = await docsearch.search({ query: "barrks feline" });
    expect(response.results.map(({ document }) => document.id)).toEqual(["b"]);
    expect(response.suggestions).toEqual([
      { kind: "spelling", message: "did you mean: barks feline", query: "barks feline" },
    ]);
  });

  test("nothing is suggested that finds nothing", async () => {
    const response = await (await open()).search({ query: "zebra", mode: "keyword" });
    expect(response).not.toHaveProperty("suggestions");
  });
});
