import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DocsearchError, type IndexSchema, type OpenOptions, type VectorStore } from "@docsearch/spec";
import { setDamagedAside } from "./damage.js";
import { type Connection, loadDriver, transaction } from "./driver.js";
import { isBusy, REBUILD_COMMAND, storeError } from "./errors.js";
import { fileKind } from "./file-kind.js";
import { assertIdentity, identityMismatch } from "./identity.js";
import { type Identity, newNumbering, writeIdentity, writeState } from "./meta.js";
import { createTables, dropTables, FORMAT_VERSION, hasVec0Table, type Layout } from "./schema.js";
import { SqliteStore } from "./store.js";
import { loadVec0 } from "./vec0.js";

/** Where an index is and how it is kept. */
export interface StoreSettings {
  /** Absolute. */
  readonly path: string;
  readonly layout: Layout;
  /** How `blocks` are searched. */
  readonly scan: "int8" | "signs";
}

/** How long to wait for the lock of another process, in milliseconds. */
const PATIENCE_MS = 5000;

const PRAGMAS = `
PRAGMA busy_timeout = ${PATIENCE_MS};
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -16384;
`;

/** Of a new file. Pages that were freed can be given back without copying the others. */
const NEW_FILE_PRAGMAS = `
PRAGMA page_size = 8192;
PRAGMA auto_vacuum = INCREMENTAL;
`;

const WRITER_PRAGMAS = `
PRAGMA synchronous = NORMAL;
PRAGMA journal_size_limit = 67108864;
`;

/** Opens an index, and creates it in write mode. See `StoreFactory`. */
export async function openStore(
  settings: StoreSettings,
  schema: IndexSchema,
  options: OpenOptions,
): Promise<VectorStore> {
  options.signal?.throwIfAborted();
  const driver = await loadDriver();
  const { path, scan } = settings;
  const layout: Layout = schema.embedding === null ? { ...settings.layout, vector: "none" } : settings.layout;
  const identity: Identity = { schema: structuredClone(schema), layout };
  let connection: Connection | undefined;
  try {
    assertUsable(path, options.mode);
    if (options.mode === "write") mkdirSync(dirname(path), { recursive: true });
    if (options.mode === "write" && options.onMismatch === "recreate") setDamagedAside(driver, path);
    connection = driver.open(path, { readOnly: options.mode === "read" });
    connection.exec(PRAGMAS);
    if (layout.vector === "vec0") await loadVec0(connection);
    if (options.mode === "write") await prepareForWriting(connection, path, identity, options);
    else assertIdentity(connection, path, identity);
    return new SqliteStore({ connection, path, identity, scan, mode: options.mode });
  } catch (error) {
    connection?.close();
    throw storeError("open", path, error);
  }
}

/** Refuses files that are not ours before SQLite touches them. */
function assertUsable(path: string, mode: OpenOptions["mode"]): void {
  const kind = fileKind(path);
  if (kind === "index") return;
  if (kind === "missing" || kind === "empty") {
    if (mode === "write") return;
    if (kind === "missing") {
      const command = "docsearch index";
      throw new DocsearchError("INDEX_MISSING", `There is no index at ${path}. Make one: ${command}`, {
        location: path,
        command,
      });
    }
    throw new DocsearchError(
      "INDEX_FORMAT",
      `${path} is empty and not an index. Make one in its place: ${REBUILD_COMMAND}`,
      { stored: "empty file", supported: `format ${FORMAT_VERSION}`, command: REBUILD_COMMAND },
    );
  }
  throw new DocsearchError(
    "STORE_FAILED",
    `${path} is a ${kind} and was left as it is; an index of docsearch was expected there. Set DOCS_STORE_URL to another path.`,
    { operation: "open" },
  );
}

async function prepareForWriting(
  connection: Connection,
  path: string,
  identity: Identity,
  options: OpenOptions,
): Promise<void> {
  connection.exec(WRITER_PRAGMAS);
  // Not on an index that is there: they would take the write lock to change nothing.
  if (isEmpty(connection)) connection.exec(NEW_FILE_PRAGMAS);
  if (
    isEmpty(connection) ||
    (options.onMismatch === "recreate" && identityMismatch(connection, path, identity) !== undefined)
  ) {
    // Tables of vec0 cannot be dropped without it.
    if (hasVec0Table(connection) && identity.layout.vector !== "vec0") await loadVec0(connection);
    // Dropping tables one by one would look for rows that refer to them.
    connection.exec("PRAGMA foreign_keys = OFF");
    transaction(connection, "IMMEDIATE", () => createIndex(connection, path, identity));
    connection.exec("PRAGMA foreign_keys = ON");
  }
  assertIdentity(connection, path, identity);
  await useWal(connection);
}

/** Makes the index anew, unless another process has just done so. */
function createIndex(connection: Connection, path: string, identity: Identity): void {
  if (!isEmpty(connection) && identityMismatch(connection, path, identity) === undefined) return;
  dropTables(connection);
  createTables(connection, identity.schema, identity.layout);
  writeIdentity(connection, identity);
  writeState(connection, { generation: 0, numbering: newNumbering(), chunks: 0, livePostings: 0 });
}

/** Readers then go on while another process writes. The mode is kept in the file. */
async function useWal(connection: Connection): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      connection.prepare<unknown>("PRAGMA journal_mode = WAL").get();
      return;
    } catch (error) {
      // SQLite does not wait by itself here, when two processes create an index at the same time.
      if (!isBusy(error) || Date.now() > end) throw error;
      await sleep(20);
    }
  }
}

function isEmpty(connection: Connection): boolean {
  return connection.prepare<{ n: number }>("SELECT count(*) AS n FROM sqlite_schema").get()!.n === 0;
}
