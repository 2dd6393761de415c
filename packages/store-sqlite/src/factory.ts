import { resolve } from "node:path";
import { DocsearchError, type Env, type Provider, type StoreFactory } from "@docsearch/spec";
import { openStore, restoreStore, type StoreSettings } from "./open.js";

/** Path of the index when none is given, from the working directory. */
const DEFAULT_PATH = ".docsearch/index.db";
const LEXICAL_INDEXES = ["postings", "fts5"] as const;
const VECTOR_INDEXES = ["int8", "signs", "vec0"] as const;

export interface SqliteStoreOptions {
  /** The file; its folder is made when the index is created. Default `.docsearch/index.db`. */
  readonly path?: string;
  /**
   * `postings`: packed posting lists, scored by BM25F. `fts5`: a table of FTS5, slower, with the ranking of SQLite,
   * which other programs can query. Default `postings`.
   */
  readonly lexicalIndex?: "postings" | "fts5";
  /**
   * `int8`: all vectors in memory at 8 bits, exact. `signs`: sign bits in memory, an eighth of that, approximate; for a
   * million chunks. Both read the same index. `vec0`: a table of sqlite-vec at full precision, slower, which other
   * programs can query. Default `int8`.
   */
  readonly vectorIndex?: "int8" | "signs" | "vec0";
}

/**
 * A store in one SQLite file. Creating it touches nothing.
 *
 * @throws `CONFIG_INVALID` for an option of another value
 */
export function sqliteStore(options: SqliteStoreOptions = {}): StoreFactory {
  const { path = DEFAULT_PATH, lexicalIndex = "postings", vectorIndex = "int8" } = options;
  assertIsPath(path);
  assertOneOf("lexicalIndex", lexicalIndex, LEXICAL_INDEXES);
  assertOneOf("vectorIndex", vectorIndex, VECTOR_INDEXES);
  const settings: StoreSettings = {
    path: resolve(path),
    layout: { lexical: lexicalIndex, vector: vectorIndex === "vec0" ? "vec0" : "blocks" },
    scan: vectorIndex === "signs" ? "signs" : "int8",
  };
  return {
    specVersion: 1,
    name: "sqlite",
    open: (schema, open) => openStore(settings, schema, open),
    restorePrevious: (options) => restoreStore(settings.path, options),
  };
}

/**
 * Makes the store selectable by name. `DOCS_STORE_URL` is the path of the file; `DOCS_SQLITE_LEXICAL_INDEX` and
 * `DOCS_SQLITE_VECTOR_INDEX` are the options of the same meaning. An empty variable counts as unset.
 */
export const provider: Provider<"store"> = {
  specVersion: 1,
  kind: "store",
  name: "sqlite",
  fromEnv: (env: Env) => {
    const path = env.DOCS_STORE_URL?.trim() || DEFAULT_PATH;
    const lexicalIndex = env.DOCS_SQLITE_LEXICAL_INDEX?.trim() || "postings";
    const vectorIndex = env.DOCS_SQLITE_VECTOR_INDEX?.trim() || "int8";
    assertOneOf("DOCS_SQLITE_LEXICAL_INDEX", lexicalIndex, LEXICAL_INDEXES);
    assertOneOf("DOCS_SQLITE_VECTOR_INDEX", vectorIndex, VECTOR_INDEXES);
    return sqliteStore({ path, lexicalIndex, vectorIndex });
  },
};

/** The address of a server would become a folder, named after its user and password. Only its scheme is repeated. */
function assertIsPath(path: string): void {
  const scheme = /^[a-z][a-z0-9+.-]+:\/\//i.exec(path)?.[0];
  if (scheme === undefined) return;
  throw new DocsearchError(
    "CONFIG_INVALID",
    `The store sqlite got an address that begins with ${scheme}; it takes the path of a file. ` +
      "Name the store that the address is for, such as DOCS_STORE_BACKEND=pgvector.",
    { setting: "DOCS_STORE_URL", value: `${scheme}…`, expected: "the path of a file" },
  );
}

function assertOneOf<T extends string>(setting: string, value: string, expected: readonly T[]): asserts value is T {
  if ((expected as readonly string[]).includes(value)) return;
  throw new DocsearchError("CONFIG_INVALID", `${setting} is "${value}"; it must be one of ${expected.join(", ")}.`, {
    setting,
    value,
    expected: expected.join(", "),
  });
}
