import type { Hit, VectorSearch } from "@docsearch/spec";
import type { Scored } from "@docsearch/store-kit";
import type { Transaction } from "./database.js";
import { chunkHits } from "./hits.js";
import type { State } from "./state.js";
import { unitVectorText } from "./unit-vector.js";

/** How the vectors of an index are kept. */
export interface VectorTable {
  /** Schema of the tables, quoted. */
  readonly schema: string;
  /** Schema of pgvector, quoted. */
  readonly extensionSchema: string;
  /** `"public".halfvec` */
  readonly type: string;
  /** Up to so many vectors that may be found, all of them are compared; with more the HNSW index is asked. */
  readonly exactLimit: number;
}

/**
 * Finds the nearest chunks.
 *
 * @param search with a valid vector
 * @param allowed slots of the documents that may be found; absent: all may
 * @param hasIndex whether there is an HNSW index
 */
export async function searchVector(
  transaction: Transaction,
  table: VectorTable,
  state: State,
  search: VectorSearch,
  allowed: readonly number[] | undefined,
  hasIndex: boolean,
): Promise<Hit[]> {
  const limit = Math.min(Math.floor(search.limit), state.vectors);
  if (!(limit >= 1)) return [];
  const count = allowed === undefined ? state.vectors : await countVectors(transaction, table, allowed);
  let found: readonly Scored[] | undefined;
  if (hasIndex && count > table.exactLimit) {
    found = await nearestByIndex(transaction, table, search.vector, limit, allowed);
    // The index gave up before the limit, which must cost time and not hits.
    if (found.length < Math.min(limit, count)) found = undefined;
  }
  found ??= await nearestOfAll(transaction, table, search.vector, limit, allowed);
  return chunkHits(transaction.query, table.schema, found, limit);
}

async function countVectors(
  { query }: Transaction,
  { schema }: VectorTable,
  allowed: readonly number[],
): Promise<number> {
  const [row] = await query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${schema}.vector WHERE document = ANY ($1::int[])`,
    [allowed],
  );
  return row!.n;
}

/** Compares with every vector, and returns those that tie with the last too. */
async function nearestOfAll(
  { query }: Transaction,
  { schema, extensionSchema, type }: VectorTable,
  vector: Float32Array,
  limit: number,
  allowed: readonly number[] | undefined,
): Promise<readonly Scored[]> {
  // The index knows the distance alone, so an order by its opposite does not use it.
  return query<Scored>(
    `SELECT chunk AS index, -(embedding OPERATOR(${extensionSchema}.<#>) $1::${type}) AS score FROM ${schema}.vector
     ${allowed === undefined ? "" : "WHERE document = ANY ($3::int[])"}
     ORDER BY score DESC FETCH FIRST ($2::int) ROWS WITH TIES`,
    [unitVectorText(vector), limit, ...(allowed === undefined ? [] : [allowed])],
  );
}

/** Asks the HNSW index. A filter is applied as it goes, and it goes on until there are enough hits. */
async function nearestByIndex(
  { query, exec }: Transaction,
  { schema, extensionSchema, type }: VectorTable,
  vector: Float32Array,
  limit: number,
  allowed: readonly number[] | undefined,
): Promise<readonly Scored[]> {
  const breadth = Math.min(1000, Math.max(100, 2 * limit));
  await exec(`SET LOCAL hnsw.ef_search = ${breadth}; SET LOCAL hnsw.iterative_scan = relaxed_order;
    SET LOCAL enable_seqscan = off;`);
  return query<Scored>(
    `SELECT chunk AS index, -(embedding OPERATOR(${extensionSchema}.<#>) $1::${type}) AS score FROM ${schema}.vector
     ${allowed === undefined ? "" : "WHERE document = ANY ($3::int[])"}
     ORDER BY embedding OPERATOR(${extensionSchema}.<#>) $1::${type} LIMIT $2::int`,
    [unitVectorText(vector), limit, ...(allowed === undefined ? [] : [allowed])],
  );
}
