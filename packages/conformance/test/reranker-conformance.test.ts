import { DocsearchError, type Reranker, type RerankRequest, type RerankResult } from "@docsearch/spec";
import { expect, test } from "vitest";
import { rerankerConformance } from "../src/index.js";
import { redTests } from "./doubles/collect.js";

type Rerank = (request: RerankRequest) => Promise<RerankResult>;

/** Scores a document by the share of the query's words that it holds. */
function overlapReranker(
  change: (right: Rerank) => Rerank = (right) => right,
  other: Partial<Reranker> = {},
): Reranker {
  let closed = false;
  const rerank: Rerank = async ({ query, documents, topN = documents.length, signal }) => {
    if (closed) throw new DocsearchError("CLOSED", "The reranker is closed.", { name: "overlap" });
    signal?.throwIfAborted();
    const words = query.toLowerCase().split(/\W+/u);
    const ranking = documents.map((text, index) => {
      const held = words.filter((word) => text.toLowerCase().split(/\W+/u).includes(word)).length;
      return { index, score: held / words.length };
    });
    return { ranking: ranking.sort((a, b) => b.score - a.score).slice(0, topN) };
  };
  return {
    specVersion: 1,
    id: "overlap@1",
    rerank: change(rerank),
    close: async () => {
      closed = true;
    },
    ...other,
  };
}

function run(change?: (right: Rerank) => Rerank, other?: Partial<Reranker>): Promise<string[]> {
  const load = async (): Promise<Reranker> => overlapReranker(change, other);
  return redTests((collect) => rerankerConformance({ test: collect, load }));
}

const ranking =
  (change: (entries: RerankResult["ranking"], request: RerankRequest) => RerankResult["ranking"]) =>
  (right: Rerank): Rerank =>
  async (request) => ({ ranking: change((await right(request)).ranking, request) });

test("every test is green for a right reranker", async () => {
  expect(await run()).toEqual([]);
});

test.each<[fault: string, change: (right: Rerank) => Rerank, red: string]>([
  [
    "worst first",
    ranking((list) => [...list].reverse()),
    "every document is ranked once, best first, with finite scores",
  ],
  [
    "blank documents are left out",
    ranking((list, { documents }) => list.filter(({ index }) => documents[index] !== "")),
    "every document is ranked once, best first, with finite scores",
  ],
  [
    "indices are 1-based",
    ranking((list) => list.map(({ index, score }) => ({ index: index + 1, score }))),
    "every document is ranked once, best first, with finite scores",
  ],
  [
    "indices are ranks",
    ranking((list) => list.map(({ score }, index) => ({ index, score }))),
    "the document that answers the query comes first, wherever it stands",
  ],
  [
    "scores are NaN",
    ranking((list) => list.map(({ index }) => ({ index, score: Number.NaN }))),
    "every document is ranked once, best first, with finite scores",
  ],
  [
    "scores are normalised over the list",
    ranking((list) =>
      list.map(({ index, score }) => ({ index, score: score / list.reduce((sum, entry) => sum + entry.score, 1e-9) })),
    ),
    "a document's score does not depend on the order or number of the others",
  ],
  [
    "topN is ignored",
    (right) =>
      ({ topN: _, ...request }) =>
        right(request),
    "topN gives the head of the ranking",
  ],
  [
    "topN cuts the documents",
    (right) =>
      ({ topN, ...request }) =>
        right({ ...request, documents: request.documents.slice(0, topN) }),
    "topN gives the head of the ranking",
  ],
  [
    "a topN of 0 means all",
    (right) =>
      ({ topN, ...request }) =>
        right({ ...request, ...(topN && { topN }) }),
    "topN gives the head of the ranking",
  ],
  [
    "equal documents are ranked once",
    ranking((list, { documents }) => list.filter(({ index }) => documents.indexOf(documents[index]!) === index)),
    "equal documents are all ranked",
  ],
  [
    "no documents throw",
    (right) => async (request) => {
      if (request.documents.length === 0) throw new Error("documents must not be empty");
      return await right(request);
    },
    "no documents have an empty ranking",
  ],
  [
    "long texts throw",
    (right) => async (request) => {
      if (request.documents.some((text) => text.length > 10_000)) throw new Error("too many tokens");
      return await right(request);
    },
    "long texts are ranked, not refused",
  ],
  [
    "the signal is ignored",
    (right) =>
      ({ signal: _, ...request }) =>
        right(request),
    "an aborted signal rejects with AbortError, and the reranker goes on",
  ],
])("caught: %s", async (_, change, red) => {
  expect(await run(change)).toContain(`reranker: ${red}`);
});

test("caught: no id, and a close that does nothing", async () => {
  expect(await run(undefined, { id: "" })).toEqual(["reranker: version and id are set"]);
  expect(await run(undefined, { close: async () => {} })).toEqual([
    "reranker: close is idempotent, and every later call rejects with CLOSED",
  ]);
});
