import type { IndexSchema } from "@docsearch/spec";
import type { Connection } from "./driver.js";
import { type VectorTable, vectorTable } from "./vector-table.js";

/** Marks a file as an index of ours: "dsrc" in ASCII, in the header's `application_id`. */
export const APPLICATION_ID = 0x64737263;

/** Version of everything below, in the header's `user_version`. */
export const FORMAT_VERSION = 3;

/**
 * What an index becomes when it gets the vectors of another model: the same tables, and those of spaces.ts. A version of
 * docsearch that does not know of them would leave vectors behind that are no longer right.
 */
export const SPACES_FORMAT_VERSION = 4;

export type LexicalEngine = "postings" | "fts5";

/** `blocks` holds what both the int8 and the sign scan need; `none` is that of an index without an embedder. */
export type VectorLayout = "blocks" | "vec0" | "none";

/** How an index keeps its terms and vectors. An index of one layout cannot be read as another. */
export interface Layout {
  readonly lexical: LexicalEngine;
  readonly vector: VectorLayout;
}

/** How a layout is named to people. */
export function describeLayout(format: number, { lexical, vector }: Layout): string {
  return `format ${format}, text as ${lexical}, vectors as ${vector}`;
}

const DOCUMENTS = `
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- sort_key holds the id as bytes whose order is that of UTF-16 code units. checksum: of all other columns but slot,
-- as in chunk; in the tables of blocks it is that of the blobs.
CREATE TABLE document (
  slot INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  sort_key BLOB NOT NULL UNIQUE,
  collection TEXT NOT NULL,
  path TEXT,
  media_type TEXT NOT NULL,
  title TEXT,
  url TEXT,
  content_hash TEXT NOT NULL,
  metadata TEXT NOT NULL,
  outline TEXT NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

-- The chunks of a document have consecutive slots, in the order of ordinal. terms: distinct terms in the postings.
CREATE TABLE chunk (
  slot INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  document INTEGER NOT NULL REFERENCES document (slot),
  ordinal INTEGER NOT NULL,
  text TEXT NOT NULL,
  start_offset INTEGER NOT NULL,
  end_offset INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  heading_path TEXT NOT NULL,
  anchor TEXT,
  context TEXT,
  standalone_text TEXT,
  language TEXT,
  symbols TEXT,
  links TEXT,
  metadata TEXT NOT NULL,
  terms INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
CREATE INDEX chunk_document ON chunk (document, ordinal);

-- documents: slot of the document, int32, 0 where no chunk is. lengths: of one field after the other, in half
-- units, uint32.
-- stamp: meta.generation of the last change.
CREATE TABLE chunk_block (
  block INTEGER PRIMARY KEY,
  stamp INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  documents BLOB NOT NULL,
  lengths BLOB NOT NULL
) STRICT;
`;

const POSTINGS = `
CREATE TABLE segment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  first_slot INTEGER NOT NULL,
  last_slot INTEGER NOT NULL,
  postings INTEGER NOT NULL
) STRICT;

-- term: bytes whose order is that of UTF-16 code units.
CREATE TABLE posting (
  segment INTEGER NOT NULL REFERENCES segment (id),
  term BLOB NOT NULL,
  chunks INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (segment, term)
) STRICT, WITHOUT ROWID;
`;

// The ASCII tokenizer changes nothing but the case of A to Z, which never occur in what fts5 is given.
const FTS5 = `
CREATE VIRTUAL TABLE chunk_fts USING fts5 (
  title, ancestors, heading, path, body, code,
  tokenize = "ascii tokenchars '_.+#=-~'"
);
CREATE VIRTUAL TABLE chunk_vocabulary USING fts5vocab (chunk_fts, row);
`;

/**
 * A table for the vectors of one model. scale 0: no vector; -0: none, because the model has nothing to say about the
 * chunk. signs come before rows, so that they can be read without the pages of the rows.
 */
export function vectorBlocksTable({ name }: VectorTable): string {
  return `
CREATE TABLE ${name} (
  block INTEGER PRIMARY KEY,
  stamp INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  scales BLOB NOT NULL,
  signs BLOB NOT NULL,
  rows BLOB NOT NULL
) STRICT;
`;
}

function vec0Table(dimensions: number): string {
  return `CREATE VIRTUAL TABLE chunk_vector USING vec0 (slot INTEGER PRIMARY KEY, embedding float[${dimensions}] distance_metric=cosine);`;
}

/** Creates the tables of a layout in an empty database and marks the file as an index. Call it in a transaction. */
export function createTables(connection: Connection, schema: IndexSchema, layout: Layout): void {
  connection.exec(DOCUMENTS);
  connection.exec(layout.lexical === "postings" ? POSTINGS : FTS5);
  if (layout.vector === "blocks") connection.exec(vectorBlocksTable(vectorTable(0, schema.embedding?.dimensions ?? 0)));
  if (layout.vector === "vec0") connection.exec(vec0Table(schema.embedding?.dimensions ?? 0));
  connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  connection.exec(`PRAGMA user_version = ${FORMAT_VERSION}`);
}

/** Drops every table, of whatever format. Dropping those of vec0 needs its extension. Call it in a transaction. */
export function dropTables(connection: Connection): void {
  const list = connection.prepare<{ name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
     ORDER BY sql LIKE 'CREATE VIRTUAL%' DESC, name LIKE '%vocabulary' DESC`,
  );
  // A virtual table takes its shadow tables along; those that refer to others go before them.
  for (;;) {
    const names = list.all().map(({ name }) => name);
    if (names.length === 0) return;
    const first = names[0]!;
    connection.exec(`DROP TABLE "${first.replaceAll('"', '""')}"`);
  }
}

/** Whether the database has a table of vec0. */
export function hasVec0Table(connection: Connection): boolean {
  return (
    connection.prepare<{ n: number }>("SELECT count(*) AS n FROM sqlite_schema WHERE sql LIKE '%USING vec0%'").get()
      ?.n !== 0
  );
}
