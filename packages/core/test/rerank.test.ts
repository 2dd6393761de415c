import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { RerankerFactory, RerankRequest } from "@docsearch/spec";
import { afterEach, expect, test } from "vitest";
import { createDocsearch, type Docsearch, memoryStore, type SearchResponse } from "../src/index.js";
import { paragraphs, textDocument } from "./support.js";

const open: Docsearch[] = [];
afterEach(async () => {
  for (const docsearch of open.splice(0)) await docsearch.close();
});

/** Scores a text by the digit in it: the larger the better. */
function byDigit(asked: RerankRequest[] = []): RerankerFactory["load"] {
  return async () => ({
    specVersion: 1,
    id: "digits",
    async rerank(request) {
      asked.push(request);
      const scored = request.documents.map((text, index) => ({ index, score: Number(/\d/.exec(text)?.[0] ?? -1) }));
      return { ranking: scored.sort((a, b) => b.score - a.score) };
    },
    close: async () => {},
  });
}

async function search(
  load: RerankerFactory["load"],
  request: Partial<Parameters<Docsearch["search"]>[0]> = {},
): Promise<SearchResponse> {
  const reranker: RerankerFactory = { specVersion: 1, name: "digits", load };
  const docsearch = await createDocsearch({ store: memoryStore(), chunkers: [paragraphs], reranker });
  open.push(docsearch);
  // By words the order is a, b, c, d: the longer the text, the less a word counts.
  await docsearch.index({
    documents: [
      textDocument("a", "kelp 1"),
      textDocument("b", "kelp 4 and"),
      textDocument("c", "kelp 2 and some"),
      textDocument("d", "kelp 9 and some more words"),
    ],
  });
  return docsearch.search({ query: "kelp", ...request });
}

const ids = ({ results }: SearchResponse): string[] => results.map(({ document }) => document.id);

test("without one the order is that of the words", async () => {
  const response = await search(byDigit(), { rerank: false });
  expect(ids(response)).toEqual(["a", "b", "c", "d"]);
  expect(response.results[0]?.breakdown.rerank).toBeUndefined();
});

test("the best are put in its order, with its score and the rank before in the breakdown", async () => {
  const asked: RerankRequest[] = [];
  const response = await search(byDigit(asked));
  expect(ids(response)).toEqual(["d", "b", "c", "a"]);
  expect(response.results.map(({ rank, breakdown }) => [rank, breakdown.rerank])).toEqual([
    [1, { score: 9, rank: 4 }],
    [2, { score: 4, rank: 2 }],
    [3, { score: 2, rank: 3 }],
    [4, { score: 1, rank: 1 }],
  ]);
  expect(asked.map(({ query, documents }) => [query, documents])).toEqual([
    ["kelp", ["kelp 1", "kelp 4 and", "kelp 2 and some", "kelp 9 and some more words"]],
  ]);
  expect(response.timings.rerank).toBeGreaterThanOrEqual(0);
});

test("what is behind the best keeps its place, and the limit is taken afterwards", async () => {
  expect(ids(await search(byDigit(), { rerank: { topN: 3 } }))).toEqual(["b", "c", "a", "d"]);
  expect(ids(await search(byDigit(), { limit: 1 }))).toEqual(["d"]);
});

test("equal scores keep the order", async () => {
  const load: RerankerFactory["load"] = async () => ({
    ...(await byDigit()()),
    rerank: async ({ documents }) => ({ ranking: documents.map((_, index) => ({ index, score: 0 })).reverse() }),
  });
  expect(ids(await search(load))).toEqual(["a", "b", "c", "d"]);
});

test.each([
  ["does not load", () => Promise.reject(new Error("no such model")), "no such model"],
  ["scores too few", [{ index: 0, score: 1 }], "it scored 1 of 4 texts"],
  ["scores a text twice", [0, 0, 1, 2].map((index) => ({ index, score: 1 })), "it gave the score 1 for text 0 of 4"],
  ["scores a text that is not there", [0, 1, 2, 4].map((index) => ({ index, score: 1 })), "for text 4 of 4"],
  ["gives no number", [0, 1, 2, 3].map((index) => ({ index, score: Number.NaN })), "the score NaN"],
] as const)("one that %s is left out with a warning, and the order stays", async (_, answer, reason) => {
  const load: RerankerFactory["load"] =
    typeof answer === "function"
      ? answer
      : async () => ({ ...(await byDigit()()), rerank: async () => ({ ranking: answer }) });
  const response = await search(load);
  expect(ids(response)).toEqual(["a", "b", "c", "d"]);
  expect(response.warnings).toEqual([{ code: "RERANKER_FAILED", message: expect.stringContaining(reason) }]);
});

test("one that takes too long is left out, whether it heeds the signal or not", async () => {
  for (const heeds of [true, false]) {
    const load: RerankerFactory["load"] = async () => ({
      ...(await byDigit()()),
      rerank: ({ signal }) =>
        new Promise((_, reject) => {
          if (heeds) signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const response = await search(load, { rerank: { timeoutMs: 20 } });
    expect(ids(response)).toEqual(["a", "b", "c", "d"]);
    expect(response.warnings).toEqual([
      { code: "RERANKER_FAILED", message: "digits was left out: it took longer than 20 ms" },
    ]);
  }
});

test("one that never answers is waited for, also by a process that waits for nothing else", () => {
  const program = `
    const { createDocsearch, memoryStore } = await import("./dist/index.js");
    const rerank = () => new Promise(() => {});
    const load = async () => ({ specVersion: 1, id: "mute", rerank, close: async () => {} });
    const docsearch = await createDocsearch({ store: memoryStore(), reranker: { specVersion: 1, name: "mute", load } });
    const documents = ["a", "b"].map((id) => (
      { id, collection: "c", text: "kelp " + id, contentHash: id, mediaType: "text/plain", metadata: {} }
    ));
    await docsearch.index({ documents });
    const { results } = await docsearch.search({ query: "kelp", rerank: { timeoutMs: 20 } });
    console.log(results.length);`;
  const cwd = join(import.meta.dirname, "..");
  expect(execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd, encoding: "utf8" })).toBe(
    "2\n",
  );
});

test("a search that is aborted meanwhile rejects", async () => {
  const controller = new AbortController();
  const load: RerankerFactory["load"] = async () => ({
    ...(await byDigit()()),
    rerank: ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        controller.abort();
      }),
  });
  await expect(search(load, { signal: controller.signal })).rejects.toMatchObject({ name: "AbortError" });
});

test("wrong options are refused", async () => {
  await expect(search(byDigit(), { rerank: { topN: 0 } })).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    details: { setting: "rerank.topN", value: "0" },
  });
});
