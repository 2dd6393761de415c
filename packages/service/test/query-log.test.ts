import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyzeQuery, createAnalyzer, type SearchResponse, type SearchResult } from "@docsearch/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createQueryLog, findGaps, type QueryLogEntry, readQueryLog } from "../src/query-log.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "docsearch-log-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const result = {
  rank: 1,
  score: 0.61234,
  document: { id: "d", path: "docs/a.md", collection: "docs", contentHash: "", mediaType: "", metadata: {} },
  chunk: { id: "c1", text: "secret text", span: { startOffset: 0, endOffset: 11, startLine: 7, endLine: 7 } },
  snippet: { text: "secret text", startLine: 7, highlights: [] },
  breakdown: {
    retrievers: [
      { retriever: "lexical", rank: 1, score: 9, weight: 0.6, contribution: 0.3 },
      { retriever: "vector", rank: 3, score: 0.45678, weight: 0.4, contribution: 0.2 },
    ],
  },
} as unknown as SearchResult;
const response: SearchResponse = {
  results: [result],
  warnings: [{ code: "QUERY_CUT", message: "cut" }],
  timings: { analyze: 0.1234567, lexical: 2 },
};

describe("the log", () => {
  const open = (withText: boolean, onError = (message: string): void => expect.fail(message)) =>
    createQueryLog({ file: join(folder, "logs", "queries.jsonl"), withText, client: "cli", onError });
  const file = () => join(folder, "logs", "queries.jsonl");

  test("a search is one line of JSON, without its words unless they are asked for, and never with text", () => {
    open(false).record({ query: "where is\nthe key" }, response);
    open(true).record({ query: "where is\nthe key", mode: "keyword" }, { results: [], warnings: [], timings: {} });
    const lines = readFileSync(file(), "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    const [first, second] = lines.map((line) => JSON.parse(line) as QueryLogEntry);
    expect(first).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      client: "cli",
      queryHash: "iino9rMROEgyvRIQ",
      mode: "hybrid",
      isFiltered: false,
      results: 1,
      bestLexical: 0.5,
      bestCosine: 0.457,
      timings: { analyze: 0.123, lexical: 2 },
      warnings: ["QUERY_CUT"],
      top: [{ chunkId: "c1", path: "docs/a.md:7", score: 0.612 }],
    });
    expect(second).toMatchObject({ query: "where is\nthe key", mode: "keyword", results: 0, top: [] });
    expect(second?.queryHash).toBe(first?.queryHash);
    expect(readFileSync(file(), "utf8")).not.toContain("secret text");
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  test("a full file is put aside, and the oldest goes", async () => {
    const log = open(true);
    log.record({ query: "first" }, response);
    for (const name of ["second", "third", "fourth", "fifth"]) {
      writeFileSync(file(), `${readFileSync(file(), "utf8").padEnd(4_999_999)}\n`);
      log.record({ query: name }, response);
    }
    const { entries, unreadable } = await readQueryLog(file());
    expect(entries.map(({ query }) => query)).toEqual(["second", "third", "fourth", "fifth"]);
    expect(unreadable).toBe(0);
  });

  test("lines that are no entries are counted and passed over; no log is an empty one", async () => {
    open(true).record({ query: "good" }, response);
    writeFileSync(file(), `${readFileSync(file(), "utf8")}null\n{"time":"x"\n\n{"other":1}\n`);
    const { entries, unreadable } = await readQueryLog(file());
    expect(entries.map(({ query }) => query)).toEqual(["good"]);
    expect(unreadable).toBe(3);
    expect(await readQueryLog(join(folder, "none"))).toEqual({ entries: [], unreadable: 0, files: 0 });
  });

  test("a log that cannot be written is told once, and searches go on", () => {
    writeFileSync(join(folder, "logs"), "a file where the folder should be");
    const messages: string[] = [];
    const log = open(true, (message) => messages.push(message));
    log.record({ query: "a" }, response);
    log.record({ query: "b" }, response);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(/^the query log .*queries\.jsonl cannot be written: /);
  });
});

describe("gaps", () => {
  const analyzer = createAnalyzer();
  const analyze = (query: string) => analyzeQuery(analyzer, query);
  let minute = 0;
  const entry = (query: string | undefined, found: Partial<QueryLogEntry> = {}): QueryLogEntry => ({
    time: `2026-11-30T10:${String(minute++).padStart(2, "0")}:00.000Z`,
    client: "cli",
    queryHash: "",
    ...(query !== undefined && { query }),
    mode: "hybrid",
    isFiltered: false,
    results: 0,
    timings: {},
    warnings: [],
    top: [],
    ...found,
  });
  beforeEach(() => {
    minute = 0;
  });

  test("unanswered searches are gathered by the words they share", () => {
    const report = findGaps(
      [
        entry("how do I rotate the signing keys"),
        entry("rotating keys", { results: 3, bestLexical: 0.19, bestCosine: 0.34 }),
        entry("Rotating keys"),
        entry("dark mode"),
        entry("is there a dark theme?"),
        entry("install", { results: 5, bestLexical: 0.2, bestCosine: 0.1 }),
        entry("set up", { results: 5, bestLexical: 0.1, bestCosine: 0.35 }),
        entry("nothing in this folder", { isFiltered: true }),
        entry(undefined),
      ],
      analyze,
    );
    expect(report).toEqual({
      searches: 8,
      unanswered: 6,
      withoutText: 1,
      gaps: [
        {
          topic: ["keys", "rotate", "signing"],
          searches: 3,
          empty: 2,
          lastTime: "2026-11-30T10:02:00.000Z",
          queries: ["rotating keys", "how do I rotate the signing keys"],
        },
        {
          topic: ["dark", "mode", "theme"],
          searches: 2,
          empty: 2,
          lastTime: "2026-11-30T10:04:00.000Z",
          queries: ["dark mode", "is there a dark theme?"],
        },
      ],
    });
  });

  test("a query that joins two topics makes them one", () => {
    const { gaps } = findGaps([entry("redis cache"), entry("postgres pool"), entry("redis pool")], analyze);
    expect(gaps.map(({ queries }) => queries)).toEqual([["redis cache", "postgres pool", "redis pool"]]);
  });

  test("queries of stop words and of signs alone do not fail", () => {
    const { gaps, unanswered } = findGaps([entry("what is it"), entry("???"), entry("???")], analyze);
    expect(unanswered).toBe(3);
    expect(gaps.map(({ searches, queries }) => [searches, queries])).toEqual([
      [2, ["???"]],
      [1, ["what is it"]],
    ]);
  });
});
