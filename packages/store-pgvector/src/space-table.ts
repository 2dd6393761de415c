import type { SpaceEmbedding } from "@docsearch/spec";
import type { Query, Transaction } from "./database.js";
import { findPgvector } from "./extension.js";
import { readIdentity, type StoredIndex, type StoredSpace, writeIdentity } from "./identity.js";
import { createSpaceTable, createVectorTable, dropSpaceTables, SPACES_FORMAT_VERSION } from "./schema.js";
import type { Snapshot } from "./snapshot.js";
import { renewEpoch } from "./state.js";
import { type VectorType, vectorTable, vectorTableName } from "./tables.js";

/** The models of an index that is open. */
export async function readSpaces(snapshot: Snapshot): Promise<StoredIndex> {
  const stored = await readIdentity(snapshot, snapshot.tables.schema);
  if (stored === undefined) throw new Error(`${snapshot.tables.schema}.meta is gone`);
  return stored;
}

/** Number of vectors by space, as it was kept with each write: what is there is checked against it. */
export async function readVectorCounts({ query, tables, state }: Snapshot): Promise<ReadonlyMap<number, number>> {
  if (!tables.hasSpaceTable) return new Map([[0, state.vectors]]);
  const rows = await query<{ number: number; vectors: number }>(
    `SELECT number, vectors FROM ${tables.schema}.vector_space`,
  );
  return new Map(rows.map(({ number, vectors }) => [number, vectors]));
}

/** Number of the chunks about which a model has nothing to say, by space. */
export async function countSilent({ query, tables }: Snapshot): Promise<ReadonlyMap<number, number>> {
  const rows = await query<{ number: number; chunks: number }>(
    `SELECT number, count(*)::int AS chunks
     FROM (SELECT unnest(${tables.silent}) AS number FROM ${tables.schema}.chunk WHERE ${tables.silent} <> '{}') AS silent
     GROUP BY number`,
  );
  return new Map(rows.map(({ number, chunks }) => [number, chunks]));
}

/** Begins an empty space, and the table of spaces with the second one. Like those below, call it in a change. */
export async function addSpace(
  snapshot: Snapshot,
  databaseName: string,
  embedding: SpaceEmbedding,
  kind: VectorType,
): Promise<void> {
  const { query, tables } = snapshot;
  const { schema } = tables;
  const stored = await readSpaces(snapshot);
  const extensionSchema = await findPgvector(snapshot, databaseName, true);
  if (!tables.hasSpaceTable) await beginSpaceTable(snapshot, stored);
  // 0 stays with the model that the index began with, also where it began with none.
  const number = 1 + Math.max(0, ...stored.spaces.map((space) => space.number));
  await insertSpace(query, schema, { number, embedding, kind }, { vectors: 0, hnsw: false });
  await createVectorTable(snapshot, schema, vectorTable(number, kind, embedding.dimensions, extensionSchema));
  await renewEpoch(query, schema);
}

/** Moves what `state` counts of the first model to its row among the spaces. No vector is touched. */
async function beginSpaceTable(snapshot: Snapshot, stored: StoredIndex): Promise<void> {
  const { query, tables, state } = snapshot;
  await dropSpaceTables(snapshot, tables.schema);
  await createSpaceTable(snapshot, tables.schema);
  for (const space of stored.spaces) await insertSpace(query, tables.schema, space, state);
  await query(`UPDATE ${tables.schema}.state SET vectors = 0, hnsw = FALSE`);
  await writeIdentity(snapshot, tables.schema, { ...stored, format: SPACES_FORMAT_VERSION });
}

async function insertSpace(
  query: Query,
  schema: string,
  { number, embedding, kind }: StoredSpace,
  { vectors, hnsw }: { readonly vectors: number; readonly hnsw: boolean },
): Promise<void> {
  await query(
    `INSERT INTO ${schema}.vector_space (number, embedder, dimensions, vector_type, vectors, hnsw)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [number, embedding.id, embedding.dimensions, kind, vectors, hnsw],
  );
}

/** Makes a space the one that the index answers with. */
export async function activateSpace(
  transaction: Transaction,
  schema: string,
  { format, schema: index }: StoredIndex,
  { embedding, kind }: StoredSpace,
): Promise<void> {
  await writeIdentity(transaction, schema, { format, schema: { ...index, embedding }, vectorType: kind });
}

/** Removes a space with its vectors. */
export async function removeSpace({ query, exec, tables }: Snapshot, { number }: StoredSpace): Promise<void> {
  const { schema } = tables;
  await exec(`DROP TABLE ${schema}.${vectorTableName(number)}`);
  await query(`DELETE FROM ${schema}.vector_space WHERE number = $1`, [number]);
  // Its number may be given to another model.
  await query(
    `UPDATE ${schema}.chunk SET silent = array_remove(silent, $1::int) WHERE silent <> '{}' AND $1::int = ANY (silent)`,
    [number],
  );
  await renewEpoch(query, schema);
}
