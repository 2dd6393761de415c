import { mkdirSync } from "node:fs";
import {
  type CallOptions,
  DocsearchError,
  type IndexSchema,
  isDocsearchError,
  type OpenOptions,
  type SpaceEmbedding,
  type VectorStore,
} from "@docsearch/spec";
import { REBUILD_COMMAND } from "@docsearch/store-kit";
import type { Connection } from "@lancedb/lancedb";
import { CATALOG, Catalog } from "./catalog.js";
import { storeError } from "./errors.js";
import { type Generation, newGeneration } from "./generation.js";
import { identityMismatch, spaceOfStore } from "./identity.js";
import { type Lance, loadLance } from "./lance.js";
import { assertUsable } from "./location.js";
import { timeOfName } from "./names.js";
import type { StoreSettings } from "./settings.js";
import { Snapshot } from "./snapshot.js";
import { LancedbStore } from "./store.js";
import { allTables, createTables, dropTables, generationOf } from "./tables.js";

/** Tables that no catalog names are removed after this time: nobody rebuilds an index for so long. In milliseconds. */
const ABANDONED_MS = 24 * 3_600_000;

/** Opens an index, and creates it in write mode. See `StoreFactory`. */
export async function openStore(
  settings: StoreSettings,
  schema: IndexSchema,
  options: OpenOptions,
): Promise<VectorStore> {
  options.signal?.throwIfAborted();
  const wanted = structuredClone(schema);
  const place = settings.location.uri;
  try {
    assertUsable(settings.location, options.mode);
    const lance = await loadLance();
    const connection = await connect(lance, settings, options.mode);
    try {
      options.signal?.throwIfAborted();
      return await openIndex({ lance, connection, settings, schema: wanted }, options);
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    throw storeError("open", place, error);
  }
}

/** Puts the previous index back. See `StoreFactory`. */
export async function restoreStore(settings: StoreSettings, options: CallOptions = {}): Promise<void> {
  options.signal?.throwIfAborted();
  const place = settings.location.uri;
  try {
    assertUsable(settings.location, "read");
    const connection = await connect(await loadLance(), settings, "read");
    try {
      const catalog = await Catalog.open(connection, place);
      for (;;) {
        const entry = await catalog.read();
        const { current, previous } = entry;
        if (previous === undefined) {
          const message = `There is no previous index in ${place}: an index is kept there when another is put in its place (${REBUILD_COMMAND}).`;
          throw new DocsearchError("INDEX_MISSING", message, { location: place, command: REBUILD_COMMAND });
        }
        if (await catalog.replace(entry, { current: previous, previous: current })) return;
      }
    } finally {
      connection.close();
    }
  } catch (error) {
    throw storeError("open", place, error);
  }
}

interface Opening {
  readonly lance: Lance;
  readonly connection: Connection;
  readonly settings: StoreSettings;
  readonly schema: IndexSchema;
}

async function connect(
  { lancedb }: Lance,
  { location, storageOptions }: StoreSettings,
  mode: OpenOptions["mode"],
): Promise<Connection> {
  if (location.kind === "folder" && mode !== "read") mkdirSync(location.uri, { recursive: true });
  return lancedb.connect(location.uri, { storageOptions: { ...storageOptions } });
}

async function openIndex(opening: Opening, options: OpenOptions): Promise<VectorStore> {
  const { schema } = opening;
  if (options.mode === "rebuild") {
    await removeAbandoned(opening.connection);
    const own = newGeneration(schema);
    await createTables(opening.connection, opening.lance, own);
    return new LancedbStore({ ...opening, mode: options.mode, source: { own } });
  }
  const catalog = options.mode === "read" ? await openForReading(opening) : await openForWriting(opening, options);
  return storeOf(opening, options.mode, catalog);
}

function storeOf(opening: Opening, mode: "read" | "write", catalog: Catalog): VectorStore {
  const reopen = (embedding: SpaceEmbedding, options: CallOptions): Promise<VectorStore> =>
    openSpace({ ...opening, schema: { ...opening.schema, embedding: { ...embedding } } }, mode, options);
  return new LancedbStore({ ...opening, mode, source: { catalog, reopen } });
}

/** Opens an index that is open already in another of its spaces, whether that is the active one or not. */
async function openSpace(
  opening: Omit<Opening, "connection">,
  mode: "read" | "write",
  options: CallOptions,
): Promise<VectorStore> {
  options.signal?.throwIfAborted();
  const { lance, settings, schema } = opening;
  const place = settings.location.uri;
  try {
    const connection = await connect(lance, settings, mode);
    try {
      const catalog = await Catalog.open(connection, place);
      spaceOfStore((await catalog.read()).current, schema, place);
      return storeOf({ ...opening, connection }, mode, catalog);
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    throw storeError("open space", place, error);
  }
}

async function openForReading({ connection, schema, settings }: Opening): Promise<Catalog> {
  const catalog = await Catalog.open(connection, settings.location.uri);
  const { current } = await catalog.read();
  const mismatch = identityMismatch(current, schema, settings.location.uri);
  if (mismatch !== undefined) throw mismatch;
  return catalog;
}

/** Makes sure of an index of the wanted schema. Several processes may do so at the same time. */
async function openForWriting(opening: Opening, options: OpenOptions): Promise<Catalog> {
  const { connection, lance, schema, settings } = opening;
  const place = settings.location.uri;
  for (;;) {
    options.signal?.throwIfAborted();
    const found = await inspect(opening);
    if (found.isRight) return found.catalog;
    const mayReplace = found.isMissing || options.onMismatch === "recreate";
    if (!mayReplace) throw found.error;
    const current = newGeneration(schema);
    await createTables(connection, lance, current);
    if (found.current === undefined) {
      // There is no catalog, or none that can be read.
      if (!found.isMissing) await dropIndexes(connection, current);
      if (!(await Catalog.create(connection, lance, { current }))) await dropTables(connection, [current.name]);
      continue;
    }
    const entry = await found.catalog.read();
    const { previous } = entry;
    const isReplaced = await found.catalog.replace(entry, { current, ...(previous && { previous }) });
    await dropTables(connection, [isReplaced ? found.current.name : current.name]);
    if (isReplaced) return Catalog.open(connection, place);
  }
}

type Found =
  | { readonly isRight: true; readonly catalog: Catalog }
  /** It is another index, or a damaged one. */
  | {
      readonly isRight: false;
      readonly error: unknown;
      readonly isMissing: false;
      readonly catalog: Catalog;
      readonly current: Generation;
    }
  | { readonly isRight: false; readonly error: unknown; readonly isMissing: boolean; readonly current?: undefined };

/** Looks at what is there, down to the documents. */
async function inspect({ connection, schema, settings }: Opening): Promise<Found> {
  const place = settings.location.uri;
  let catalog: Catalog;
  let current: Generation;
  try {
    catalog = await Catalog.open(connection, place);
    ({ current } = await catalog.read());
  } catch (error) {
    return { isRight: false, error, isMissing: isDocsearchError(error, "INDEX_MISSING") };
  }
  try {
    const mismatch = identityMismatch(current, schema, place);
    if (mismatch !== undefined) throw mismatch;
    await Snapshot.read(connection, current.name);
    return { isRight: true, catalog };
  } catch (error) {
    return { isRight: false, error, isMissing: false, catalog, current };
  }
}

/** Removes every index but one, and the catalog. */
async function dropIndexes(connection: Connection, but: Generation): Promise<void> {
  for (const name of await allTables(connection)) {
    const generation = generationOf(name);
    const isOurs = name === CATALOG || generation !== undefined;
    if (isOurs && generation !== but.name) await connection.dropTable(name);
  }
}

/** Removes the tables of rebuilds that did not end. */
async function removeAbandoned(connection: Connection): Promise<void> {
  const names = await allTables(connection);
  const named = new Set<string>();
  if (names.includes(CATALOG)) {
    try {
      const { current, previous } = await (await Catalog.open(connection, "")).read();
      for (const generation of [current, previous]) if (generation !== undefined) named.add(generation.name);
    } catch {
      // Whatever is wrong with the catalog, what it may name stays until another one is there.
      return;
    }
  }
  const generations = new Set(names.map(generationOf).filter((generation) => generation !== undefined));
  const isAbandoned = (generation: string): boolean =>
    !named.has(generation) && timeOfName(generation.slice(1)) < Date.now() - ABANDONED_MS;
  await dropTables(connection, [...generations].filter(isAbandoned));
}
