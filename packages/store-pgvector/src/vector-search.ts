import type { Hit, VectorSearch } from "@docsearch/spec";
import type { Scored } from "@docsearch/store-kit";
import { chunkHits } from "./hits.js";
import type { Snapshot } from "./snapshot.js";
import type { VectorTable } from "./tables.js";
import { unitVectorText } from "./unit-vector.js";

/**
 * Finds the nearest chunks.
 *
 * @param search with a valid vector
 * @param allowed slots of the documents that may be found; absent: all may
 * @param exactLimit up to so many vectors that may be found, all of them are compared; with more the HNSW index is
 * asked. Infinity where there is none
 */
export async function searchVector(
  snapshot: Snapshot,
  vectors: VectorTable,
  search: VectorSearch,
  allowed: readonly number[] | undefined,
  exactLimit: number,
): Promise<Hit[]> {
  const { query, tables, state } = snapshot;
  const limit = Math.min(Math.floor(search.limit), state.vectors);
  if (!(limit >= 1)) return [];
  const count = allowed === undefined ? state.vectors : await countVectors(snapshot, vectors, allowed);
  let found: readonly Scored[] | undefined;
  if (count > exactLimit) {
    found = await nearestByIndex(snapshot, vectors, search.vector, limit, allowed);
    // The index gave up before the limit, which must cost time and not hits.
    if (found.length < Math.min(limit, count)) found = undefined;
  }
  found ??= await nearestOfAll(snapshot, vectors, search.vector, limit, allowed);
  return chunkHits(query, tables.schema, found, limit);
}

async function countVectors(
  { query, tables }: Snapshot,
  { name }: VectorTable,
  allowed: readonly number[],
): Promise<number> {
  const [row] = await query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${tables.schema}.${name} WHERE document = ANY ($1::int[])`,
    [allowed],
  );
  return row!.n;
}

/** Compares with every vector, and returns those that tie with the last too. */
async function nearestOfAll(
  { query, tables }: Snapshot,
  { name, extensionSchema, type }: VectorTable,
  vector: Float32Array,
  limit: number,
  allowed: readonly number[] | undefined,
): Promise<readonly Scored[]> {
  // The index knows the distance alone, so an order by its opposite does not use it.
  return query<Scored>(
    `SELECT chunk AS index, -(embedding OPERATOR(${extensionSchema}.<#>) $1::${type}) AS score FROM ${tables.schema}.${name}
     ${allowed === undefined ? "" : "WHERE document = ANY ($3::int[])"}
     ORDER BY score DESC FETCH FIRST ($2::int) ROWS WITH TIES`,
    [unitVectorText(vector), limit, ...(allowed === undefined ? [] : [allowed])],
  );
}

/** Asks the HNSW index. A filter is applied as it goes, and it goes on until there are enough hits. */
async function nearestByIndex(
  { query, exec, tables }: Snapshot,
  { name, extensionSchema, type }: VectorTable,
  vector: Float32Array,
  limit: number,
  allowed: readonly number[] | undefined,
): Promise<readonly Scored[]> {
  const breadth = Math.min(1000, Math.max(100, 2 * limit));
  await exec(`SET LOCAL hnsw.ef_search = ${breadth}; SET LOCAL hnsw.iterative_scan = relaxed_order;
    SET LOCAL enable_seqscan = off;`);
  return query<Scored>(
    `SELECT chunk AS index, -(embedding OPERATOR(${extensionSchema}.<#>) $1::${type}) AS score FROM ${tables.schema}.${name}
     ${allowed === undefined ? "" : "WHERE document = ANY ($3::int[])"}
     ORDER BY embedding OPERATOR(${extensionSchema}.<#>) $1::${type} LIMIT $2::int`,
    [unitVectorText(vector), limit, ...(allowed === undefined ? [] : [allowed])],
  );
}
