import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type CallOptions,
  DocsearchError,
  type IndexSchema,
  type OpenOptions,
  type SpaceEmbedding,
  type VectorStore,
} from "@docsearch/spec";
import { REBUILD_COMMAND } from "@docsearch/store-kit";
import { createIndex } from "./create-index.js";
import { isInOwnFolder, setAside, setDamagedAside } from "./damage.js";
import { type Connection, type Driver, loadDriver } from "./driver.js";
import { isBusy, isDamage, storeError } from "./errors.js";
import { type FileKind, fileKind } from "./file-kind.js";
import { nextPath, publish, restorePrevious } from "./generations.js";
import { assertIdentity, identityMismatch } from "./identity.js";
import type { Identity } from "./meta.js";
import { isOnReadOnlyMedium } from "./read-only-medium.js";
import { FORMAT_VERSION, hasVec0Table, type Layout } from "./schema.js";
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
  const { path } = settings;
  try {
    if (options.mode === "rebuild") return await openNext(driver, settings, schema, options);
    if (options.mode === "read" || options.onMismatch === "error")
      return await openFile(driver, settings, schema, options);
    setDamagedAside(driver, path);
    return await openFile(driver, settings, schema, options).catch((error: unknown) => {
      // Damage that the check did not find and that was in the way all the same.
      if (!isDamage(error)) throw error;
      setAside(path);
      return openFile(driver, settings, schema, options);
    });
  } catch (error) {
    throw storeError("open", path, error);
  }
}

/** Puts the previous index back. See `StoreFactory`. */
export async function restoreStore(path: string, options: CallOptions = {}): Promise<void> {
  options.signal?.throwIfAborted();
  try {
    await restorePrevious(await loadDriver(), path);
  } catch (error) {
    throw storeError("open", path, error);
  }
}

/** An empty index in the file beside, which no other process may open meanwhile. */
async function openNext(
  driver: Driver,
  settings: StoreSettings,
  schema: IndexSchema,
  options: OpenOptions,
): Promise<VectorStore> {
  // What cannot be replaced should be said before hours of work, and what is damaged be out of the way.
  setDamagedAside(driver, settings.path);
  assertUsable(settings.path, "write");
  const path = nextPath(settings.path);
  setDamagedAside(driver, path);
  const store = await openFile(driver, { ...settings, path }, schema, { ...options, onMismatch: "recreate" }, (next) =>
    publish(driver, next, settings.path),
  );
  await store.clear();
  return store;
}

async function openFile(
  driver: Driver,
  settings: StoreSettings,
  schema: IndexSchema,
  options: OpenOptions,
  publishNext?: (next: Connection) => Promise<void>,
): Promise<VectorStore> {
  const { path, scan } = settings;
  const layout: Layout = schema.embedding === null ? { ...settings.layout, vector: "none" } : settings.layout;
  const identity: Identity = { schema: structuredClone(schema), layout };
  assertUsable(path, options.mode);
  if (options.mode !== "read") mkdirSync(dirname(path), { recursive: true });
  const reading = isOnReadOnlyMedium(path) ? "read-frozen" : "read";
  const connection = driver.open(path, { access: options.mode === "read" ? reading : "write" });
  try {
    connection.exec(PRAGMAS);
    if (options.mode === "rebuild") connection.exec("PRAGMA locking_mode = EXCLUSIVE");
    const vec0Missing = layout.vector === "vec0" ? await loadVec0(connection, options.mode) : undefined;
    if (options.mode !== "read") await prepareForWriting(connection, path, identity, options);
    else assertIdentity(connection, path, identity);
    const isWritable = options.mode !== "read";
    const reopen = (embedding: SpaceEmbedding): Promise<VectorStore> =>
      reopenInSpace(driver, settings, { ...schema, embedding }, isWritable);
    return new SqliteStore({
      connection,
      path,
      identity,
      scan,
      isWritable,
      reopen,
      ...(publishNext && { publishNext }),
      ...(vec0Missing && { vec0Missing }),
    });
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Opens an index that is open already in another of its spaces, whether that is the active one or not. */
async function reopenInSpace(
  driver: Driver,
  settings: StoreSettings,
  schema: IndexSchema,
  isWritable: boolean,
): Promise<VectorStore> {
  const { path, scan } = settings;
  const identity: Identity = { schema: structuredClone(schema), layout: { ...settings.layout, vector: "blocks" } };
  const reading = isOnReadOnlyMedium(path) ? "read-frozen" : "read";
  const connection = driver.open(path, { access: isWritable ? "write" : reading });
  try {
    connection.exec(PRAGMAS);
    if (isWritable) connection.exec(WRITER_PRAGMAS);
    const reopen = (embedding: SpaceEmbedding): Promise<VectorStore> =>
      reopenInSpace(driver, settings, { ...schema, embedding }, isWritable);
    return new SqliteStore({ connection, path, identity, scan, isWritable, reopen });
  } catch (error) {
    connection.close();
    throw storeError("open", path, error);
  }
}

/** Refuses files that are not ours before SQLite touches them. */
function assertUsable(path: string, mode: OpenOptions["mode"]): void {
  const kind = fileKind(path);
  if (kind === "index") return;
  if (kind === "missing" || kind === "empty") {
    if (mode !== "read") return;
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
    `${path} is a ${kind} and was left as it is; an index of docsearch was expected there. ${mendOf(kind, path)}`,
    { operation: "open" },
  );
}

function mendOf(kind: FileKind, path: string): string {
  const elsewhere = "Set DOCS_STORE_URL to another path.";
  const isFile = kind === "file of another kind" || kind === "database of another program";
  if (!isFile || !isInOwnFolder(path)) return elsewhere;
  return `If it is one that was damaged, make it anew, which sets this file aside: ${REBUILD_COMMAND}`;
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
  if (isEmpty(connection) || (options.onMismatch === "recreate" && !isTheOne(connection, path, identity))) {
    // Tables of vec0 cannot be dropped without it.
    if (hasVec0Table(connection) && identity.layout.vector !== "vec0") await loadVec0(connection, options.mode);
    createIndex(connection, identity, () => !isEmpty(connection) && isTheOne(connection, path, identity));
  }
  assertIdentity(connection, path, identity);
  await useWal(connection);
}

/** Whether the index at hand is the one that is wanted; one whose identity cannot be read is not. */
function isTheOne(connection: Connection, path: string, identity: Identity): boolean {
  try {
    return identityMismatch(connection, path, identity) === undefined;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
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
