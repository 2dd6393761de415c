import type { ChunkerFactory, RerankerFactory } from "@docsearch/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { createDocsearch, type Docsearch } from "../src/docsearch.js";
import { memoryStore } from "../src/memory-store/memory-store.js";
import type { WhyRequest } from "../src/search/why.js";
import { textDocument, topicEmbedder } from "./support.js";

let docsearch: Docsearch;

/** A chunk of each line that is not blank. */
const lines: ChunkerFactory = {
  specVersion: 1,
  name: "lines",
  id: "lines@1",
  load: async () => ({
    specVersion: 1,
    id: "lines@1",
    supports: () => true,
    chunk: ({ text }) => ({
      chunks: [...text.matchAll(/\S[^\n]*/g)].map(({ 0: own, index }) => {
        const line = text.slice(0, index).split("\n").length;
        const span = { startOffset: index, endOffset: index + own.length, startLine: line, endLine: line };
        return { text: own, span, headingPath: [], metadata: {} };
      }),
      outline: [],
      diagnostics: [],
    }),
  }),
};

beforeAll(async () => {
  docsearch = await createDocsearch({
    store: memoryStore(),
    embedder: topicEmbedder().factory,
    chunkers: [lines],
  });
  const noise = Array.from({ length: 30 }, (_, i) => textDocument(`noise${i}`, "feline feline feline salad"));
  await docsearch.index({
    documents: [
      ...noise,
      textDocument("kennel", "a hound guards the kennel\nhound hound hound\nthe hound, an old one"),
      textDocument("weak", "among a great many other words that say nothing at all there is one feline here too"),
      textDocument("words", "stamps and coins"),
      textDocument("blank", "   "),
      textDocument("reef", "salmon\nsalmon too"),
    ],
  });
});

/** The step that lost the target, and what it says. */
async function lost(request: WhyRequest): Promise<(string | undefined)[]> {
  const { lostAt, steps, rank } = await docsearch.why(request);
  expect(rank).toBeUndefined();
  const step = steps.find(({ outcome }) => outcome === "lost");
  expect(steps.at(-1)).toEqual(step);
  return [lostAt, step?.message];
}

describe("planted situations", () => {
  test("1. left out by the walk", async () => {
    const walk = { passed: false, reason: "ignored by .gitignore: build/" };
    const facts = { walk };
    expect(await lost({ query: "hound", target: { path: "build/a.md" }, facts })).toEqual(["walk", walk.reason]);
  });

  test("2. not readable", async () => {
    const facts = {
      walk: { passed: true, reason: "listed" },
      read: { passed: false, reason: "not text: it holds NUL bytes" },
    };
    const target = { path: "a.bin" };
    expect(await lost({ query: "hound", target, facts })).toEqual(["read", "not text: it holds NUL bytes"]);
  });

  test("3. not in the index", async () => {
    const message = "the index has no document of that path; index it";
    expect(await lost({ query: "hound", target: { path: "new" } })).toEqual(["index", message]);
  });

  test("4. a line without text", async () => {
    const message = "no chunk holds line 9: it is blank or behind the end";
    expect(await lost({ query: "hound", target: { path: "kennel", line: 9 } })).toEqual(["chunk", message]);
  });

  test("5. excluded by the filter", async () => {
    const filter = { op: "prefix", field: "path", value: "noise" } as const;
    const message = "the filter of the request excludes it";
    expect(await lost({ query: "hound", target: { path: "kennel" }, filter })).toEqual(["filter", message]);
  });

  test("6. without the words, and no vectors asked", async () => {
    const request: WhyRequest = { query: "hound", mode: "keyword", target: { path: "words" } };
    expect(await lost(request)).toEqual(["candidates", "no retriever has it among its candidates"]);
    const { steps } = await docsearch.why(request);
    expect(steps.find(({ stage }) => stage === "lexical")).toEqual({
      stage: "lexical",
      outcome: "missed",
      message: 'it holds none of "hound"',
    });
  });

  test("7. behind the last candidate", async () => {
    const request: WhyRequest = { query: "feline", limit: 3, candidates: 5, target: { path: "weak" } };
    expect((await lost({ ...request, mode: "keyword" }))[0]).toBe("candidates");
    const { steps } = await docsearch.why({ ...request, mode: "keyword" });
    const lexical = steps.find(({ stage }) => stage === "lexical")?.message;
    expect(lexical).toMatch(/^its score 0\.\d{3} is below that of the last of 5 candidates, \d\.\d{3}$/);
  });

  test("8. without the quoted phrase", async () => {
    const request: WhyRequest = { query: '"hound guards" salmon', target: { path: "reef" } };
    expect((await lost(request))[0]).toBe("phrase");
  });

  test("9. moved down by a rule", async () => {
    const request: WhyRequest = { query: "hound salmon", limit: 2, target: { path: "kennel", line: 1 } };
    const { results } = await docsearch.search({ ...request, rules: { saturation: false } });
    expect(results.map(({ document, chunk }) => [document.id, chunk.span.startLine])).toEqual([
      ["kennel", 2],
      ["kennel", 1],
    ]);
    const [stage, message] = await lost(request);
    expect(stage).toBe("rules");
    expect(message).toMatch(/saturation times 0\.850: rank 2 becomes [3-9], and 2 are shown$/);
  });

  test("10. behind the limit", async () => {
    const request: WhyRequest = { query: "feline", limit: 3, target: { path: "weak" } };
    expect(await lost(request)).toEqual(["cut-off", "rank 31, and 3 are shown"]);
  });

  test("11. another part of the document stands for it", async () => {
    const request: WhyRequest = { query: "salmon", groupBy: "document", target: { path: "reef", line: 2 } };
    expect((await lost(request))[0]).toBe("group");
  });

  test("12. moved down by the reranker", async () => {
    const reversing: RerankerFactory = {
      specVersion: 1,
      name: "reversing",
      load: async () => ({
        specVersion: 1,
        id: "reversing@1",
        rerank: async ({ documents }) => ({
          ranking: documents.map((_, index) => ({ index, score: index })).reverse(),
        }),
        close: async () => {},
      }),
    };
    const reranked = await createDocsearch({ store: memoryStore(), chunkers: [lines], reranker: reversing });
    await reranked.index({
      documents: [textDocument("best", "hound hound"), textDocument("worse", "a hound among other words and more")],
    });
    const report = await reranked.why({ query: "hound", limit: 1, target: { path: "best" } });
    expect([report.lostAt, report.steps.at(-1)?.message]).toEqual([
      "rerank",
      "the reranker makes rank 1 rank 2, and 1 are shown",
    ]);
  });

  test("13. found, but nothing of the query is in it", async () => {
    const request: WhyRequest = { query: "feline", target: { path: "reef" } };
    const message =
      "next to nothing of the query is in it, and its meaning is far: less than a twentieth of the best score";
    expect(await lost(request)).toEqual(["fusion", message]);
    const { steps } = await docsearch.why(request);
    expect(
      steps.filter(({ stage }) => stage === "lexical" || stage === "vector").map(({ outcome }) => outcome),
    ).toEqual(["missed", "passed"]);
  });

  test("14. excluded by a filter that stands in the query, unless that is text", async () => {
    const request: WhyRequest = { query: "hound path:noise", target: { path: "kennel" } };
    expect(await lost(request)).toEqual(["filter", "the filter, with path:noise, excludes it"]);
    expect((await docsearch.why({ ...request, queryFilters: false })).lostAt).toBeUndefined();
  });

  test("15. with a phrase that the query excludes", async () => {
    const target = { path: "kennel", line: 1 };
    expect(await lost({ query: 'hound -"hound guards"', target })).toEqual([
      "phrase",
      'it holds "hound guards", which is excluded',
    ]);
    const other = await docsearch.why({ query: 'hound -"hound guards"', target: { path: "kennel", line: 2 } });
    expect(other.lostAt).toBeUndefined();
  });

  test("16. on an earlier page", async () => {
    const request: WhyRequest = { query: "salmon", target: { path: "reef", line: 1 }, limit: 1, offset: 1 };
    expect(await lost(request)).toEqual(["cut-off", "rank 1, and the page begins behind 1"]);
    expect((await docsearch.why({ ...request, offset: 0 })).rank).toBe(1);
  });

  test("17. joined to the result beside it", async () => {
    const request: WhyRequest = { query: "salmon", target: { path: "reef", line: 2 }, limit: 1 };
    expect((await lost(request))[0]).toBe("cut-off");
    const { rank, steps } = await docsearch.why({ ...request, mergeAdjacent: true });
    expect([rank, steps.at(-1)?.message]).toEqual([1, "result 1, joined to the chunk beside it"]);
  });

  test("18. a failing retriever leaves the others to be walked through", async () => {
    const { factory, embedder } = topicEmbedder();
    const failing = await createDocsearch({ store: memoryStore(), embedder: factory, chunkers: [lines] });
    await failing.index({ documents: [textDocument("a", "hound"), textDocument("b", "salmon")] });
    embedder.failOn = "hound";
    const { lostAt, steps } = await failing.why({ query: "hound", target: { path: "b" } });
    expect([lostAt, steps.map(({ stage }) => stage)]).toEqual([
      "candidates",
      ["index", "chunk", "lexical", "candidates"],
    ]);
  });
});
