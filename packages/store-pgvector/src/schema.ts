import type { Query, Transaction } from "./database.js";
import { renewEpoch } from "./state.js";
import { type VectorTable, type VectorType, vectorTableName } from "./tables.js";

/** Version of the tables below. */
export const FORMAT_VERSION = 1;

/** The same with `vector_space` and a table of vectors for each of its rows: an index with a second model. */
export const SPACES_FORMAT_VERSION = 2;

const BYTES: Readonly<Record<VectorType, number>> = { halfvec: 2, vector: 4 };

/** A vector of that size fits into a page with its row. It then stays there, where a scan reads it several times faster. */
const PAGE_BYTES = 8000;

// Text that is compared has the collation "C": byte for byte, whatever the database's own collation folds.
const TABLES = (schema: string): string => `
CREATE TABLE ${schema}.meta (
  key text PRIMARY KEY,
  value json NOT NULL
);

-- One row. What every search needs, and what changes with every write. Lengths are sums in half units, by field.
CREATE TABLE ${schema}.state (
  epoch text NOT NULL,
  generation double precision NOT NULL,
  documents integer NOT NULL,
  chunks integer NOT NULL,
  vectors integer NOT NULL,
  hnsw boolean NOT NULL,
  next_slot integer NOT NULL,
  chunk_lengths double precision[] NOT NULL,
  document_lengths double precision[] NOT NULL
);

-- sort_key holds the id as bytes whose order is that of UTF-16 code units.
CREATE TABLE ${schema}.document (
  slot integer PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  sort_key bytea NOT NULL UNIQUE,
  collection text COLLATE "C" NOT NULL,
  path text COLLATE "C",
  media_type text COLLATE "C" NOT NULL,
  title text,
  url text,
  content_hash text NOT NULL,
  metadata jsonb NOT NULL,
  outline json NOT NULL,
  chunks integer NOT NULL,
  chunk_lengths double precision[] NOT NULL,
  document_lengths double precision[] NOT NULL
);

-- terms: distinct terms in the postings. details: what a chunk has besides. silent: see below.
CREATE TABLE ${schema}.chunk (
  slot integer PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  document integer NOT NULL REFERENCES ${schema}.document (slot),
  ordinal integer NOT NULL,
  text text NOT NULL,
  details json NOT NULL,
  terms integer NOT NULL
);
CREATE INDEX chunk_document ON ${schema}.chunk (document, ordinal);
${SILENT(schema)}

-- term: bytes in the order of UTF-16 code units. entry: see posting-codec. chunks: how many hold the term.
CREATE TABLE ${schema}.posting (
  term bytea NOT NULL,
  document integer NOT NULL,
  chunks integer NOT NULL,
  entry bytea NOT NULL,
  PRIMARY KEY (term, document)
);
CREATE INDEX posting_document ON ${schema}.posting (document);
`;

// silent: numbers of the spaces whose model has nothing to say about the chunk. Where it has no vector either, the model
// was not asked yet. The index is there to count by.
function SILENT(schema: string): string {
  return `
ALTER TABLE ${schema}.chunk ADD COLUMN silent integer[] NOT NULL DEFAULT '{}';
CREATE INDEX chunk_silent ON ${schema}.chunk (slot) WHERE silent <> '{}';`;
}

const VECTORS = (schema: string, { name, kind, type, dimensions }: VectorTable): string => `
CREATE TABLE ${schema}.${name} (
  chunk integer PRIMARY KEY,
  document integer NOT NULL,
  embedding ${type}(${dimensions}) NOT NULL
);
${dimensions * BYTES[kind] > PAGE_BYTES ? "" : `ALTER TABLE ${schema}.${name} ALTER COLUMN embedding SET STORAGE PLAIN;`}
CREATE INDEX ${name}_document ON ${schema}.${name} (document);
`;

// vectors, hnsw: as in state, where they count for nothing once this table is there.
const SPACES = (schema: string): string => `
CREATE TABLE ${schema}.vector_space (
  number integer PRIMARY KEY,
  embedder text COLLATE "C" NOT NULL UNIQUE,
  dimensions integer NOT NULL,
  vector_type text NOT NULL,
  vectors integer NOT NULL,
  hnsw boolean NOT NULL
);
`;

/** Names of the tables of an index of one model, those first that refer to others. */
const TABLE_NAMES = ["vector", "posting", "chunk", "document", "state", "meta"] as const;

/** Makes the tables of an index of one model, or of none. */
export async function createTables(
  { exec }: Transaction,
  schema: string,
  vectors: VectorTable | undefined,
): Promise<void> {
  await exec(TABLES(schema) + (vectors === undefined ? "" : VECTORS(schema, vectors)));
}

/** Makes the table of the vectors of a further model. */
export async function createVectorTable({ exec }: Transaction, schema: string, vectors: VectorTable): Promise<void> {
  await exec(VECTORS(schema, vectors));
}

export async function createSpaceTable({ exec }: Transaction, schema: string): Promise<void> {
  await exec(SPACES(schema));
}

/** Drops our tables, of whatever version, and nothing else. */
export async function dropTables(transaction: Transaction, schema: string): Promise<void> {
  await dropSpaceTables(transaction, schema);
  await transaction.exec(TABLE_NAMES.map((name) => `DROP TABLE IF EXISTS ${schema}.${name};`).join("\n"));
}

/** Drops the table of spaces and the vectors of its models but the first. A version without spaces leaves them behind. */
export async function dropSpaceTables({ query, exec }: Transaction, schema: string): Promise<void> {
  if (!(await hasTable(query, schema, "vector_space"))) return;
  const spaces = await query<{ number: number }>(`SELECT number FROM ${schema}.vector_space WHERE number > 0`);
  const names = [...spaces.map(({ number }) => vectorTableName(number)), "vector_space"];
  await exec(names.map((name) => `DROP TABLE IF EXISTS ${schema}.${name};`).join("\n"));
}

/** @param schema quoted */
export async function hasTable(query: Query, schema: string, table: string): Promise<boolean> {
  const [row] = await query<{ found: boolean }>("SELECT to_regclass($1) IS NOT NULL AS found", [`${schema}.${table}`]);
  return row?.found === true;
}

/** Whether chunks have the column `silent`. They do not in an index that only earlier versions have written to. */
export async function hasSilentColumn(query: Query, schema: string): Promise<boolean> {
  const rows = await query(
    "SELECT 1 FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'silent' AND NOT attisdropped",
    [`${schema}.chunk`],
  );
  return rows.length > 0;
}

/**
 * Gives the chunks of an index of an earlier version the column `silent`, where it is not there. That rewrites no row,
 * and earlier versions go on with it.
 */
export async function addSilentColumn({ query, exec }: Transaction, schema: string): Promise<void> {
  if (await hasSilentColumn(query, schema)) return;
  await exec(SILENT(schema));
  await renewEpoch(query, schema);
}
