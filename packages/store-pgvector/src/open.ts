import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  DocsearchError,
  type IndexSchema,
  type OpenOptions,
  type SpaceEmbedding,
  type VectorStore,
} from "@docsearch/spec";
import type { Transaction } from "./database.js";
import { storeError } from "./errors.js";
import { assertStorable, findPgvector } from "./extension.js";
import { identityMismatch, indexMissing, readIdentity, writeIdentity } from "./identity.js";
import { inspect, type Place, placeName } from "./inspect.js";
import { lockForWriting } from "./lock.js";
import { startPglite } from "./pglite.js";
import { connectServer } from "./postgres.js";
import { addSilentColumn, createTables, dropTables, FORMAT_VERSION } from "./schema.js";
import { type StoreSettings, vectorTypeFor } from "./settings.js";
import { SharedDatabase, shareFolder } from "./shared-database.js";
import { emptyState, writeState } from "./state.js";
import { PgvectorStore } from "./store.js";
import { quoteName, type Tables, vectorTable } from "./tables.js";

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
  const shared = await openDatabase(settings, options);
  return openIn(shared, settings, schema, options.mode, async (transaction, place, wanted) => {
    if (options.mode === "write") await prepare(transaction, place, wanted, options);
    const tables = await inspect(transaction, place, wanted, "active");
    options.signal?.throwIfAborted();
    return tables;
  });
}

/**
 * Opens an index in a database that is open.
 *
 * @param find what is there for the schema, which it may create
 */
async function openIn(
  shared: SharedDatabase,
  settings: StoreSettings,
  schema: IndexSchema,
  mode: OpenOptions["mode"],
  find: (transaction: Transaction, place: Place, wanted: IndexSchema) => Promise<Tables>,
): Promise<VectorStore> {
  const database = shared.use();
  try {
    const wanted = structuredClone(schema);
    const place: Place = { database, schema: quoteName(settings.schema), settings };
    const tables = await database.transaction(mode === "write" ? "write" : "read", (transaction) =>
      find(transaction, place, wanted),
    );
    const reopen = (embedding: SpaceEmbedding): Promise<VectorStore> =>
      openIn(shared, settings, { ...schema, embedding }, mode, (transaction, at, other) =>
        inspect(transaction, at, other, "any"),
      );
    return new PgvectorStore({ place, tables, schema: wanted, mode, reopen });
  } catch (error) {
    await database.close();
    throw storeError("open", database.name, error);
  }
}

async function openDatabase({ database, poolSize }: StoreSettings, { mode }: OpenOptions): Promise<SharedDatabase> {
  if ("transaction" in database) return new SharedDatabase(database);
  try {
    if (database.kind === "server")
      return new SharedDatabase(await connectServer(database.dsn, database.name, poolSize));
    if (database.kind === "memory") {
      if (mode === "read") throw indexMissing(database.name);
      return new SharedDatabase(await startPglite(database));
    }
    assertUsable(database.path, mode);
    return await shareFolder(database.path, () => startPglite(database));
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
  place: Place,
  wanted: IndexSchema,
  { onMismatch, signal }: OpenOptions,
): Promise<void> {
  const { database, schema, settings } = place;
  await assertServer(transaction, database.name);
  await lockForWriting(transaction, schema);
  signal?.throwIfAborted();
  const { embedding } = wanted;
  const extensionSchema = embedding === null ? "" : await findPgvector(transaction, database.name, true);
  await createSchema(transaction, settings.schema);
  const stored = await readIdentity(transaction, schema);
  const mismatch = stored && identityMismatch(stored, wanted, placeName(place));
  if (mismatch !== undefined && onMismatch === "error") throw mismatch;
  if (stored !== undefined && mismatch === undefined) {
    await addSilentColumn(transaction, schema);
    return;
  }
  const kind = vectorTypeFor(settings, database);
  const vectors = embedding === null ? undefined : vectorTable(0, kind, embedding.dimensions, extensionSchema);
  await dropTables(transaction, schema);
  await createTables(transaction, schema, vectors);
  await writeState(transaction.query, { schema, hasSpaceTable: false }, emptyState());
  const identity = { format: FORMAT_VERSION, schema: wanted, vectorType: vectors?.kind ?? null };
  await writeIdentity(transaction, schema, identity);
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
