import { randomUUID } from "node:crypto";
import type { IndexSchema } from "@docsearch/spec";
import type { Connection, SqlValue } from "./driver.js";
import type { Layout } from "./schema.js";

/** What an index was made with; it changes only when the index is made anew. */
export interface Identity {
  readonly schema: IndexSchema;
  readonly layout: Layout;
}

/** What changes with every write. */
export interface State {
  /** Number of the last write. */
  readonly generation: number;
  /** Changes when slots are numbered anew or the tables are emptied: all that was read before is void then. */
  readonly numbering: string;
  readonly chunks: number;
  /** Postings of the chunks that are there, those of chunks that are gone not counted. */
  readonly livePostings: number;
}

/** A value for `State.numbering` that was never used before. */
export function newNumbering(): string {
  return randomUUID();
}

export function readState(connection: Connection): State {
  const values = new Map(
    connection
      .prepare<{ key: string; value: SqlValue }>(
        "SELECT key, value FROM meta WHERE key IN ('generation', 'numbering', 'chunks', 'live_postings')",
      )
      .all()
      .map(({ key, value }) => [key, value]),
  );
  return {
    generation: Number(values.get("generation")),
    numbering: String(values.get("numbering")),
    chunks: Number(values.get("chunks")),
    livePostings: Number(values.get("live_postings")),
  };
}

export function writeState(connection: Connection, state: State): void {
  writeValue(connection, "generation", state.generation);
  writeValue(connection, "numbering", state.numbering);
  writeValue(connection, "chunks", state.chunks);
  writeValue(connection, "live_postings", state.livePostings);
  writeValue(connection, "writer", `process ${process.pid}`);
}

/**
 * Number of vectors, as it was kept with each write: what is there is checked against it.
 *
 * @param key that of their table
 */
export function readVectorCount(connection: Connection, key: string): number {
  return Number(readValue(connection, key));
}

export function writeVectorCount(connection: Connection, key: string, count: number): void {
  writeValue(connection, key, count);
}

export function addToVectorCount(connection: Connection, key: string, added: number): void {
  connection.prepare("UPDATE meta SET value = value + ? WHERE key = ?").run(added, key);
}

export function removeVectorCount(connection: Connection, key: string): void {
  connection.prepare("DELETE FROM meta WHERE key = ?").run(key);
}

export function readIdentity(connection: Connection): Identity {
  return {
    schema: JSON.parse(readValue(connection, "schema") ?? "") as IndexSchema,
    layout: JSON.parse(readValue(connection, "layout") ?? "") as Layout,
  };
}

export function writeIdentity(connection: Connection, { schema, layout }: Identity): void {
  writeValue(connection, "schema", JSON.stringify(schema));
  writeValue(connection, "layout", JSON.stringify(layout));
}

/** The process that wrote last. */
export function readWriter(connection: Connection): string | undefined {
  return readValue(connection, "writer");
}

function readValue(connection: Connection, key: string): string | undefined {
  return connection.prepare<{ value: string }>("SELECT value FROM meta WHERE key = ?").get(key)?.value;
}

function writeValue(connection: Connection, key: string, value: SqlValue): void {
  connection
    .prepare("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
    .run(key, value);
}
