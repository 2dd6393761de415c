import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DocsearchError, type IndexSchema, type OpenOptions, type VectorStore } from "@docsearch/spec";
import type { Database, Transaction } from "./database.js";
import { storeError } from "./errors.js";
import { assertStorable, findPgvector } from "./extension.js";
import { type Identity, identityMismatch, indexMissing, readIdentity, writeIdentity } from "./identity.js";
import { inspect, type Place, placeName } from "./inspect.js";
import { lockForWriting } from "./lock.js";
import { startPglite } from "./pglite.js";
import { connectServer } from "./postgres.js";
import { dropTables, FORMAT_VERSION, migrate } from "./schema.js";
import type { StoreSettings } from "./settings.js";
import { emptyState, writeState } from "./state.js";
import { PgvectorStore } from "./store.js";
import { quoteName, type Tables, vectorColumn } from "./tables.js";

/** Below it a statement of ours is not understood. */
const LEAST_SERVER = 130_000;

/** Opens an index, and creates it in write mode. See `StoreFactory`. */
export async function openStore(
  settings: StoreSettings,
  schema: IndexSchema,
  options: OpenOptions,
): Promise<VectorStore> {
  options.signal?.throwIfAborted();
  if (schema.embedding !== null) assertStorable(schema.embedding.dimensions);
  const database = await openDatabase(settings, options);
  try {
    const wanted = structuredClone(schema);
    const index = { database, schema: quoteName(settings.schema), settings };
    const tables =
      options.mode === "write"
        ? await database.transaction("write", (transaction) => prepare(transaction, index, wanted, options))
        : await database.transaction("read", (transaction) => inspect(transaction, index, wanted));
    options.signal?.throwIfAborted();
    return new PgvectorStore({ database, tables, schema: wanted, mode: options.mode, settings });
  } catch (error) {
    await database.close();
    throw storeError("open", database.name, error);
  }
}

async function openDatabase({ database, poolSize }: StoreSettings, { mode }: OpenOptions): Promise<Database> {
  if ("transaction" in database) return database;
  try {
    if (database.kind === "server") return await connectServer(database.dsn, database.name, poolSize);
    if (database.kind === "folder") assertUsable(database.path, mode);
    if (database.kind === "memory" && mode === "read") throw indexMissing(database.name);
    return await startPglite(database);
  } catch (error) {
    throw storeError("open", database.name, error);
  }
}

/** Refuses folders that are not ours before PGlite touches them. */
function assertUsable(path: string, mode: OpenOptions["mode"]): void {
  if (existsSync(join(path, "PG_VERSION"))) return;
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw new DocsearchError(
      "STORE_FAILED",
      `${path} holds something else than a PGlite database and was left as it is. Set DOCS_STORE_URL to another folder.`,
      { operation: "open" },
    );
  }
  if (mode === "read") throw indexMissing(path);
}

/** Makes sure of the tables, under the writers' lock. */
async function prepare(
  transaction: Transaction,
  { database, schema, settings }: Place,
  wanted: IndexSchema,
  { onMismatch, signal }: OpenOptions,
): Promise<Tables> {
  await assertServer(transaction, database.name);
  await lockForWriting(transaction, schema);
  signal?.throwIfAborted();
  const { embedding } = wanted;
  const extensionSchema = embedding === null ? "" : await findPgvector(transaction, database.name, true);
  await createSchema(transaction, settings.schema);
  const stored = await readIdentity(transaction, schema);
  const mismatch = stored && identityMismatch(stored, wanted, placeName(database, settings), true);
  if (mismatch !== undefined && onMismatch === "error") throw mismatch;
  const keeps = stored !== undefined && mismatch === undefined;
  const kind = keeps ? stored.vectorType : (settings.vectorType ?? (database.prefersHalf ? "halfvec" : "vector"));
  const vectors =
    embedding === null || kind === null ? undefined : vectorColumn(kind, embedding.dimensions, extensionSchema);
  const tables: Tables = { schema, ...(vectors && { vectors }) };
  if (!keeps) await dropTables(transaction, schema);
  await migrate(transaction, keeps ? stored.format : 0, tables);
  const identity: Identity = { format: FORMAT_VERSION, schema: wanted, vectorType: vectors?.kind ?? null };
  if (!keeps) await writeState(transaction.query, schema, emptyState());
  if (!keeps || stored.format !== FORMAT_VERSION) await writeIdentity(transaction, schema, identity);
  return tables;
}

async function assertServer({ query }: Transaction, name: string): Promise<void> {
  const [server] = await query<{ version: number; release: string; encoding: string }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS release,
       current_setting('server_encoding') AS encoding`,
  );
  if (server === undefined) return;
  if (server.version < LEAST_SERVER) {
    throw new DocsearchError("STORE_FAILED", `${name} is Postgres ${server.release}; 13 or newer is needed.`, {
      operation: "open",
    });
  }
  if (server.encoding !== "UTF8") {
    throw new DocsearchError(
      "STORE_FAILED",
      `The database ${name} has the encoding ${server.encoding}, which does not hold every text. Make one that does: createdb --encoding=UTF8 --template=template0 NAME`,
      { operation: "open" },
    );
  }
}

/** Creates the schema when it is not there: where it is, the right to create one is not needed. */
async function createSchema({ query, exec }: Transaction, schema: string): Promise<void> {
  const found = await query("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1", [schema]);
  if (found.length === 0) await exec(`CREATE SCHEMA ${quoteName(schema)}`);
}
