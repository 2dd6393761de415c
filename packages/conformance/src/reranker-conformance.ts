import assert from "node:assert/strict";
import type { Reranker, RerankResult } from "@docsearch/spec";
import { assertNear, rejectsWith, rejectsWithAbort } from "./assertions.js";
import type { TestFunction } from "./test-function.js";

export interface RerankerConformanceOptions {
  readonly test: TestFunction;
  /** Loads the reranker. Called once in each test. */
  readonly load: () => Promise<Reranker>;
}

/** Largest difference between two scores of one pair, as a share of the score where that is above 1. */
const SAME = 1e-3;

const QUERY = "How do I change the port of the development server?";
const ANSWER = "To change the port of the development server, set server.port, or pass --port on the command line.";
const DOCUMENTS: readonly string[] = [
  "Bread dough is left to rise for two hours before it is baked.",
  "The moon has no atmosphere to speak of.",
  ANSWER,
  "",
  "Sailing boats give way to rowing boats in the inner harbour.",
  "👩‍💻 日本語 \u0301 !!!",
];

/** Defines one test for each behaviour that the contract asks of a reranker. */
export function rerankerConformance({ test, load }: RerankerConformanceOptions): void {
  const rerankerTest = (name: string, body: (reranker: Reranker) => Promise<void>): void => {
    test(`reranker: ${name}`, async () => {
      const reranker = await load();
      try {
        await body(reranker);
      } finally {
        await reranker.close();
      }
    });
  };

  rerankerTest("version and id are set", async (reranker) => {
    assert.equal(reranker.specVersion, 1);
    assert.ok(typeof reranker.id === "string" && reranker.id !== "");
  });

  rerankerTest("every document is ranked once, best first, with finite scores", async (reranker) => {
    const result = await reranker.rerank({ query: QUERY, documents: DOCUMENTS });
    assertRanking(result, DOCUMENTS.length, DOCUMENTS.length);
  });

  rerankerTest("the document that answers the query comes first, wherever it stands", async (reranker) => {
    const others = DOCUMENTS.filter((text) => text !== ANSWER);
    for (const at of [0, 2, others.length]) {
      const documents = others.toSpliced(at, 0, ANSWER);
      const { ranking } = await reranker.rerank({ query: QUERY, documents });
      assert.equal(ranking[0]?.index, at);
    }
  });

  rerankerTest("a document's score does not depend on the order or number of the others", async (reranker) => {
    const expected = scoresByIndex(await reranker.rerank({ query: QUERY, documents: DOCUMENTS }));
    const reversed = scoresByIndex(await reranker.rerank({ query: QUERY, documents: [...DOCUMENTS].reverse() }));
    for (const [index, score] of expected) {
      const tolerance = SAME * Math.max(1, Math.abs(score));
      assertNear(reversed.get(DOCUMENTS.length - 1 - index)!, score, tolerance, `document ${index}, reversed`);
      const alone = await reranker.rerank({ query: QUERY, documents: [DOCUMENTS[index]!] });
      assertNear(alone.ranking[0]!.score, score, tolerance, `document ${index}, alone`);
    }
  });

  rerankerTest("topN gives the head of the ranking", async (reranker) => {
    const { ranking } = await reranker.rerank({ query: QUERY, documents: DOCUMENTS });
    for (const topN of [1, 3, DOCUMENTS.length, DOCUMENTS.length + 5]) {
      const result = await reranker.rerank({ query: QUERY, documents: DOCUMENTS, topN });
      assertRanking(result, DOCUMENTS.length, Math.min(topN, DOCUMENTS.length));
      assert.equal(result.ranking[0]?.index, ranking[0]?.index);
    }
    assert.deepEqual((await reranker.rerank({ query: QUERY, documents: DOCUMENTS, topN: 0 })).ranking, []);
  });

  rerankerTest("equal documents are all ranked", async (reranker) => {
    const documents = [ANSWER, ANSWER, ANSWER];
    assertRanking(await reranker.rerank({ query: QUERY, documents }), 3, 3);
  });

  rerankerTest("no documents have an empty ranking", async (reranker) => {
    assert.deepEqual((await reranker.rerank({ query: QUERY, documents: [] })).ranking, []);
  });

  rerankerTest("long texts are ranked, not refused", async (reranker) => {
    const documents = [ANSWER, `${ANSWER} ${"The harbour is closed at night. ".repeat(2000)}`, "x".repeat(50_000)];
    assertRanking(await reranker.rerank({ query: QUERY, documents }), 3, 3);
  });

  rerankerTest("an aborted signal rejects with AbortError, and the reranker goes on", async (reranker) => {
    const request = { query: QUERY, documents: DOCUMENTS };
    await rejectsWithAbort(reranker.rerank({ ...request, signal: AbortSignal.abort() }));
    const result = await reranker.rerank({ ...request, signal: new AbortController().signal });
    assertRanking(result, DOCUMENTS.length, DOCUMENTS.length);
  });

  rerankerTest("close is idempotent, and every later call rejects with CLOSED", async (reranker) => {
    await reranker.close();
    await reranker.close();
    await rejectsWith(reranker.rerank({ query: QUERY, documents: DOCUMENTS }), "CLOSED");
  });
}

function assertRanking({ ranking }: RerankResult, documents: number, expected: number): void {
  assert.equal(ranking.length, expected);
  assert.equal(new Set(ranking.map(({ index }) => index)).size, ranking.length, "a document is ranked twice");
  ranking.forEach(({ index, score }, i) => {
    assert.ok(Number.isInteger(index) && index >= 0 && index < documents, `index ${index}`);
    assert.ok(Number.isFinite(score), `score ${score}`);
    assert.ok(i === 0 || ranking[i - 1]!.score >= score, `rank ${i + 1} scores above rank ${i}`);
  });
}

function scoresByIndex({ ranking }: RerankResult): Map<number, number> {
  return new Map(ranking.map(({ index, score }) => [index, score]));
}
