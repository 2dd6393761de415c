import type { Hit, IndexSchema, VectorSearch } from "@docsearch/spec";
import { compareCodeUnits } from "@docsearch/store-kit";
import type { VectorQuery } from "@lancedb/lancedb";
import { isThere } from "./facts.js";
import { numbersOf, textsOf } from "./rows.js";
import { unitVector } from "./unit-vector.js";
import type { VectorState } from "./vector-state.js";

/** So many of the partitions of the index are looked at. */
const PARTITIONS = 40;

/** For each hit that is wanted, so many of those that the index takes for near are compared exactly. */
const REFINED = 10;

/** Read beyond the limit, so that vectors that are as near as the last are seen. */
const SPARE = 16;

/** Whether an index can be built over the vectors: it packs eight dimensions into a byte. */
export function canBeIndexed({ dimensions }: NonNullable<IndexSchema["embedding"]>): boolean {
  return dimensions % 8 === 0;
}

/**
 * Finds the nearest chunks.
 *
 * @param search with a valid vector
 * @param condition on rows of `vector`; absent: all may be found
 * @param exactLimit up to so many vectors that may be found, all of them are compared
 */
export async function searchVector(
  state: VectorState,
  search: VectorSearch,
  condition: string | undefined,
  exactLimit: number,
): Promise<Hit[]> {
  const { table } = state;
  // Some of these rows may not be there any more, or hold no vector: it is the most that can be found.
  const count = await table.countRows(condition && `has_vector = 1 AND ${condition}`);
  const limit = Math.min(Math.floor(search.limit), count);
  if (!(limit >= 1)) return [];
  const nearest = (): VectorQuery => {
    const query = table
      .query()
      .nearestTo(unitVector(search.vector))
      .column("vector")
      .distanceType("cosine")
      .select(["id", "document_id", "revision", "_distance"]);
    return condition === undefined ? query : query.where(condition);
  };
  if (count > exactLimit && (await state.hasIndex())) {
    const hits = await bestHits(state, () => nearest().nprobes(PARTITIONS).refineFactor(REFINED), limit);
    // The index gave up before the limit, which must cost time and not hits.
    if (hits.length === limit) return hits;
  }
  return bestHits(state, () => nearest().bypassVectorIndex(), limit);
}

/** The best `limit` hits that are there. Which of those that tie with the last are among them is decided by their ids. */
async function bestHits(
  { snapshot: { facts } }: VectorState,
  nearest: () => VectorQuery,
  limit: number,
): Promise<Hit[]> {
  for (let count = limit + SPARE; ; count *= 4) {
    const found = await nearest().limit(count).toArrow();
    const distances = numbersOf(found, "_distance");
    const [ids, documentIds, revisions] = ["id", "document_id", "revision"].map((name) => textsOf(found, name));
    const hits = distances
      .map((distance, row): Hit => ({ chunkId: ids![row]!, documentId: documentIds![row]!, score: 1 - distance }))
      .filter(({ documentId }, row) => isThere(facts, documentId, revisions![row]!));
    const isLonger = distances.length === count;
    if (isLonger && (hits.length < limit || hits[limit - 1]!.score === 1 - distances.at(-1)!)) continue;
    return hits.sort((a, b) => b.score - a.score || compareCodeUnits(a.chunkId, b.chunkId)).slice(0, limit);
  }
}
