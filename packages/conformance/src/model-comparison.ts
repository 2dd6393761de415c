import assert from "node:assert/strict";
import {
  type ChunkWrite,
  type DocumentChange,
  type DocumentHit,
  type Hit,
  isDocsearchError,
  type VectorStore,
} from "@docsearch/spec";
import { assertNear, TEXT_TOLERANCE } from "./assertions.js";
import { assertHits } from "./checked-store.js";
import { type ModelStep, readAll, type SearchTextStep, type SearchVectorStep } from "./model-step.js";

/** More than any sequence can write. */
const UNLIMITED = 1_000_000;

/** Runs a step other than `reopen` on both stores and asserts that they answer alike. */
export async function compareStep(step: ModelStep, store: VectorStore, oracle: VectorStore): Promise<void> {
  switch (step.call) {
    case "write": {
      const changes = store.capabilities.vector === "none" ? step.changes.map(withoutVectors) : step.changes;
      return await assertSameOutcome(store, oracle, (each) => each.write(changes));
    }
    case "clear":
      return await assertSameOutcome(store, oracle, (each) => each.clear());
    case "searchText":
      return await compareTextSearch(step, store, oracle);
    case "searchVector":
      return await compareVectorSearch(step, store, oracle);
    case "listDocuments":
      return await assertSameOutcome(store, oracle, (each) => each.listDocuments(step));
    case "listTerms":
      if (store.capabilities.lexical === "none") return;
      return await assertSameOutcome(store, oracle, (each) => each.listTerms(step));
    case "readAll":
      return await assertSameOutcome(store, oracle, (each) => readAll(each, store.capabilities.lexical !== "none"));
    case "reopen":
      return;
  }
}

/** What a store without vectors does with one is left to it. */
function withoutVectors(change: DocumentChange): DocumentChange {
  if (change.type === "delete") return change;
  const chunks = change.chunks.map((write): ChunkWrite => {
    return write.embedding.kind === "vector" ? { ...write, embedding: { kind: "none" } } : write;
  });
  return { ...change, chunks };
}

/** The answer of a call, or the code of its error. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  try {
    return { answer: await call };
  } catch (error) {
    if (isDocsearchError(error)) return { code: error.code };
    throw error;
  }
}

async function assertSameOutcome(
  store: VectorStore,
  oracle: VectorStore,
  call: (store: VectorStore) => Promise<unknown>,
): Promise<void> {
  const expected = await outcome(call(oracle));
  assert.deepEqual(await outcome(call(store)), expected);
}

async function compareTextSearch(step: SearchTextStep, store: VectorStore, oracle: VectorStore): Promise<void> {
  const { lexical } = store.capabilities;
  if (lexical === "none") return;
  const expected = await oracle.searchText({ ...step, limit: UNLIMITED });
  if (lexical !== "bm25f") {
    // Which chunks match is the same for all; their order is the store's own.
    const { chunks } = await store.searchText({ ...step, limit: UNLIMITED });
    assert.deepEqual(chunks.map((hit) => hit.chunkId).sort(), expected.chunks.map((hit) => hit.chunkId).sort());
    return;
  }
  const actual = await store.searchText(step);
  compareHits(actual.chunks, expected.chunks, step.limit, ({ chunkId }) => chunkId, relativeTolerance);
  compareHits(actual.documents, expected.documents, step.limit, ({ documentId }) => documentId, relativeTolerance);
  for (const list of ["chunks", "documents"] as const) {
    const ceiling = expected.ceiling?.[list] ?? Number.NaN;
    assertNear(actual.ceiling?.[list] ?? Number.NaN, ceiling, relativeTolerance(ceiling), `ceiling of ${list}`);
  }
}

async function compareVectorSearch(step: SearchVectorStep, store: VectorStore, oracle: VectorStore): Promise<void> {
  const { vector, vectorTolerance } = store.capabilities;
  if (vector === "none") return;
  const expected = await oracle.searchVector({ ...step, limit: UNLIMITED });
  const actual = await store.searchVector(step);
  compareHits(
    actual,
    expected,
    step.limit,
    ({ chunkId }) => chunkId,
    () => vectorTolerance,
  );
}

function relativeTolerance(score: number): number {
  return TEXT_TOLERANCE * Math.max(1, score);
}

/**
 * Asserts that `actual` are the best of `expected`, which are all hits of the oracle. Where scores differ by more
 * than both stores may err, ids and order must be the same.
 */
function compareHits<T extends Hit | DocumentHit>(
  actual: readonly T[],
  expected: readonly T[],
  limit: number,
  idOf: (hit: T) => string,
  toleranceOf: (score: number) => number,
): void {
  assertHits(actual, idOf, limit);
  assert.equal(actual.length, Math.min(limit, expected.length), "number of hits");
  const byId = new Map(expected.map((hit) => [idOf(hit), hit]));
  actual.forEach((hit, rank) => {
    const same = byId.get(idOf(hit));
    assert.ok(same !== undefined, `${idOf(hit)} should not be found`);
    assert.equal(hit.documentId, same.documentId);
    assertNear(hit.score, same.score, toleranceOf(same.score), `score of ${idOf(hit)}`);
    // The score at a rank errs no more than the scores do, whichever of near equals stands there.
    const best = expected[rank]!.score;
    assertNear(hit.score, best, toleranceOf(best), `score at rank ${rank + 1}, ${idOf(hit)}`);
  });
}
