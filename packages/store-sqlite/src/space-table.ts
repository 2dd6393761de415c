import type { SpaceEmbedding } from "@docsearch/spec";
import type { Connection } from "./driver.js";
import { readIdentity, removeVectorCount, writeIdentity, writeVectorCount } from "./meta.js";
import { SPACES_FORMAT_VERSION, vectorBlocksTable } from "./schema.js";
import { type VectorTable, vectorTable } from "./vector-table.js";

/** The vectors of one model in an index. */
export interface StoredSpace {
  readonly number: number;
  readonly embedding: SpaceEmbedding;
  readonly table: VectorTable;
}

// An index of one model has no such table: its space has the number 0, and `meta` names the model.
const SPACES = `
CREATE TABLE vector_space (
  number INTEGER PRIMARY KEY,
  embedder TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL
) STRICT;
`;

/** Whether the index has the table of spaces. */
export function hasSpaceTable(connection: Connection): boolean {
  return (
    connection.prepare<{ user_version: number }>("PRAGMA user_version").get()!.user_version === SPACES_FORMAT_VERSION
  );
}

/** All spaces of an index whose vectors are in blocks, by number. Like all below, call it in a transaction. */
export function readSpaces(connection: Connection): readonly StoredSpace[] {
  if (!hasSpaceTable(connection)) {
    const { schema, layout } = readIdentity(connection);
    if (schema.embedding === null || layout.vector !== "blocks") return [];
    return [{ number: 0, embedding: schema.embedding, table: vectorTable(0, schema.embedding.dimensions) }];
  }
  return connection
    .prepare<{ number: number; embedder: string; dimensions: number }>(
      "SELECT number, embedder, dimensions FROM vector_space ORDER BY number",
    )
    .all()
    .map(({ number, embedder, dimensions }) => ({
      number,
      embedding: { id: embedder, dimensions },
      table: vectorTable(number, dimensions),
    }));
}

/** Begins an empty space, and the table of spaces with the second one. */
export function addSpace(connection: Connection, embedding: SpaceEmbedding): StoredSpace {
  const spaces = readSpaces(connection);
  if (!hasSpaceTable(connection)) createSpaceTable(connection, spaces);
  // 0 stays with the model that the index began with, also where it began with none.
  const number = 1 + Math.max(0, ...spaces.map((space) => space.number));
  const space = { number, embedding, table: vectorTable(number, embedding.dimensions) };
  insertSpace(connection, space);
  createVectors(connection, space);
  return space;
}

/** Gives an index that was emptied its spaces again, without vectors. */
export function restoreSpaces(connection: Connection, spaces: readonly StoredSpace[]): void {
  connection.exec("DROP TABLE IF EXISTS vector_block");
  createSpaceTable(connection, spaces);
  for (const space of spaces) createVectors(connection, space);
}

/** Makes a space the one that the index answers with. */
export function activateSpace(connection: Connection, { embedding }: StoredSpace): void {
  const { schema, layout } = readIdentity(connection);
  writeIdentity(connection, { schema: { ...schema, embedding }, layout: { ...layout, vector: "blocks" } });
}

/** Removes a space with its vectors. */
export function removeSpace(connection: Connection, { number, table }: StoredSpace): void {
  connection.exec(`DROP TABLE ${table.name}`);
  removeVectorCount(connection, table.countKey);
  connection.prepare("DELETE FROM vector_space WHERE number = ?").run(number);
}

function createSpaceTable(connection: Connection, spaces: readonly StoredSpace[]): void {
  connection.exec(SPACES);
  connection.exec(`PRAGMA user_version = ${SPACES_FORMAT_VERSION}`);
  for (const space of spaces) insertSpace(connection, space);
}

function insertSpace(connection: Connection, { number, embedding }: StoredSpace): void {
  connection
    .prepare("INSERT INTO vector_space (number, embedder, dimensions) VALUES (?, ?, ?)")
    .run(number, embedding.id, embedding.dimensions);
}

function createVectors(connection: Connection, { table }: StoredSpace): void {
  connection.exec(vectorBlocksTable(table));
  writeVectorCount(connection, table.countKey, 0);
}
