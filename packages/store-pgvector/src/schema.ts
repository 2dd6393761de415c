import type { Transaction } from "./database.js";
import type { Tables, VectorColumn, VectorType } from "./tables.js";

/** Version of the tables below: the number of migrations. */
export const FORMAT_VERSION = 1;

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

-- terms: distinct terms in the postings. details: what a chunk has besides.
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

const VECTORS = (schema: string, { kind, type, dimensions }: VectorColumn): string => `
CREATE TABLE ${schema}.vector (
  chunk integer PRIMARY KEY,
  document integer NOT NULL,
  embedding ${type}(${dimensions}) NOT NULL
);
${dimensions * BYTES[kind] > PAGE_BYTES ? "" : `ALTER TABLE ${schema}.vector ALTER COLUMN embedding SET STORAGE PLAIN;`}
CREATE INDEX vector_document ON ${schema}.vector (document);
`;

/** Each brings the tables from one version to the next. A published one is never changed. */
const MIGRATIONS: readonly ((tables: Tables) => string)[] = [
  ({ schema, vectors }) => TABLES(schema) + (vectors === undefined ? "" : VECTORS(schema, vectors)),
];

/** Names of our tables, those first that refer to others. */
const TABLE_NAMES = ["vector", "posting", "chunk", "document", "state", "meta"] as const;

/** Brings the tables from a version to the current one; 0 stands for none. */
export async function migrate(transaction: Transaction, from: number, tables: Tables): Promise<void> {
  for (const migration of MIGRATIONS.slice(from)) await transaction.exec(migration(tables));
}

/** Drops our tables, of whatever version, and nothing else. */
export async function dropTables(transaction: Transaction, schema: string): Promise<void> {
  await transaction.exec(TABLE_NAMES.map((name) => `DROP TABLE IF EXISTS ${schema}.${name};`).join("\n"));
}
