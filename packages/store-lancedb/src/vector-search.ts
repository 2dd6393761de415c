import type { Hit, VectorSearch } from "@docsearch/spec";
import { compareCodeUnits } from "@docsearch/store-kit";
import type { VectorQuery } from "@lancedb/lancedb";
import { numbersOf, textsOf } from "./rows.js";
import type { Snapshot } from "./snapshot.js";
import { isOneOf } from "./sql.js";
import { unitVector } from "./unit-vector.js";

/** So many of the partitions of the index are looked at. */
const PARTITIONS = 40;

/** For each hit that is wanted, so many of those that the index takes for near are compared exactly. */
const REFINED = 10;

/** Read beyond the limit, so that vectors that are as near as the last are seen. */
const SPARE = 16;

/**
 * Finds the nearest chunks.
 *
 * @param search with a valid vector
 * @param condition on rows of `chunk`; absent: all may be found
 * @param exactLimit up to so many vectors that may be found, all of them are compared
 */
export async function searchVector(
  snapshot: Snapshot,
  search: VectorSearch,
  condition: string | undefined,
  exactLimit: number,
): Promise<Hit[]> {
  const { facts, tables } = snapshot;
  const most = Math.min(Math.floor(search.limit), facts.vectors);
  if (!(most >= 1)) return [];
  const dead = await snapshot.deadRevisions();
  const conditions = [
    ...(condition === undefined ? [] : [condition]),
    ...(dead.length === 0 ? [] : [`NOT ${isOneOf("revision", dead)}`]),
  ];
  const where = conditions.join(" AND ");
  const count =
    condition === undefined
      ? facts.vectors
      : await tables.chunk.countRows(["vector IS NOT NULL", ...conditions].join(" AND "));
  const limit = Math.min(most, count);
  if (limit === 0) return [];
  const nearest = (): VectorQuery => {
    const query = tables.chunk
      .query()
      .nearestTo(unitVector(search.vector))
      .column("vector")
      .distanceType("cosine")
      .select(["id", "document_id", "_distance"]);
    return where === "" ? query : query.where(where);
  };
  if (count > exactLimit && (await snapshot.hasVectorIndex())) {
    const hits = await withTies(() => nearest().nprobes(PARTITIONS).refineFactor(REFINED), limit);
    // The index gave up before the limit, which must cost time and not hits.
    if (hits.length === limit) return hits;
  }
  return withTies(() => nearest().bypassVectorIndex(), limit);
}

/** The best `limit` hits. Which of those that tie with the last are among them is decided by their ids. */
async function withTies(nearest: () => VectorQuery, limit: number): Promise<Hit[]> {
  for (let count = limit + SPARE; ; count *= 4) {
    const found = await nearest().limit(count).toArrow();
    const distances = numbersOf(found, "_distance");
    const last = distances[limit - 1];
    if (distances.length === count && distances.at(-1) === last) continue;
    const [ids, documentIds] = [textsOf(found, "id"), textsOf(found, "document_id")];
    return distances
      .map((distance, row): Hit => ({ chunkId: ids[row]!, documentId: documentIds[row]!, score: 1 - distance }))
      .sort((a, b) => b.score - a.score || compareCodeUnits(a.chunkId, b.chunkId))
      .slice(0, limit);
  }
}
