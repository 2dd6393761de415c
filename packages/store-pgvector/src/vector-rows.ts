import type { Query } from "./database.js";
import { columns } from "./insert.js";
import type { PlacedDocument, StoredSlots } from "./slots.js";
import { type Tables, type VectorTable, vectorTableName } from "./tables.js";
import { unitVectorText } from "./unit-vector.js";

/** A row of a table of vectors. */
export type VectorRow = readonly [chunk: number, document: number, embedding: string];

export async function insertVectors(
  query: Query,
  schema: string,
  { name, type }: VectorTable,
  rows: readonly VectorRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await query(
    `INSERT INTO ${schema}.${name} (chunk, document, embedding)
     SELECT c, d, e::${type} FROM unnest($1::int[], $2::int[], $3::text[]) AS t (c, d, e)`,
    columns(rows, 3),
  );
}

/**
 * Removes and writes vectors of all models; those that are kept are not touched.
 *
 * @returns by how much the number of the store's own grew
 */
export async function replaceVectors(
  query: Query,
  { schema, vectors, others }: Tables,
  removed: readonly StoredSlots[],
  documents: readonly PlacedDocument[],
): Promise<number> {
  const freed = removed.flatMap(({ chunks }) => [...chunks.values()].map(({ slot }) => slot));
  const [gone, goneFromOthers] = [new Set(freed), new Set(freed)];
  const rows: VectorRow[] = [];
  for (const { slot, slots, chunks } of documents) {
    chunks.forEach(({ vector, stays }, i) => {
      if (stays) goneFromOthers.delete(slots[i]!);
      if (vector === "stored") gone.delete(slots[i]!);
      else if (vector !== undefined) rows.push([slots[i]!, slot, unitVectorText(vector)]);
    });
  }
  if (goneFromOthers.size > 0) {
    for (const space of others) await removeFromOther(query, schema, space, [...goneFromOthers]);
  }
  if (vectors === undefined) return 0;
  const [deleted] = await query<{ n: number }>(
    `WITH gone AS (DELETE FROM ${schema}.${vectors.name} WHERE chunk = ANY ($1::int[]) RETURNING 1)
     SELECT count(*)::int AS n FROM gone`,
    [[...gone]],
  );
  await insertVectors(query, schema, vectors, rows);
  return rows.length - (deleted?.n ?? 0);
}

async function removeFromOther(query: Query, schema: string, space: number, slots: readonly number[]): Promise<void> {
  await query(
    `WITH gone AS (DELETE FROM ${schema}.${vectorTableName(space)} WHERE chunk = ANY ($1::int[]) RETURNING 1)
     UPDATE ${schema}.vector_space SET vectors = vectors - (SELECT count(*)::int FROM gone) WHERE number = $2::int`,
    [slots, space],
  );
}
