import { DocsearchError, type Env, type Provider, type StoreFactory } from "@docsearch/spec";
import type { Database } from "./database.js";
import { parseLocation } from "./location.js";
import { openStore } from "./open.js";
import { type PgliteLike, pgliteDatabase } from "./pglite.js";
import { type PoolLike, poolDatabase } from "./postgres.js";
import type { StoreSettings } from "./settings.js";

/** Folder of the index when no address is given, from the working directory. */
const DEFAULT_URL = ".docsearch/pgdata";
const DEFAULT_SCHEMA = "docsearch";
const DEFAULT_POOL_SIZE = 4;
const DEFAULT_EXACT_LIMIT = 20_000;
const VECTOR_TYPES = ["halfvec", "vector"] as const;
const VECTOR_INDEXES = ["hnsw", "exact"] as const;

export interface PgvectorStoreOptions {
  /**
   * `postgres://user:password@host:5432/database` for a server, a folder or `memory://` for PGlite in this process.
   * Default `.docsearch/pgdata`.
   */
  readonly url?: string;
  /** A pool of the application's own, in place of `url`. It is not ended by `close`. */
  readonly pool?: PoolLike;
  /** A PGlite of the application's own with its `vector` extension, in place of `url`. It is not closed by `close`. */
  readonly pglite?: PgliteLike;
  /** Schema that holds the tables; one index in each. Default `docsearch`. */
  readonly schema?: string;
  /** Most connections at a time. Default 4. */
  readonly poolSize?: number;
  /**
   * Of a new index. `halfvec`: 2 bytes a dimension. `vector`: 4, which WebAssembly compares several times faster.
   * Default `halfvec` on a server, `vector` in PGlite.
   */
  readonly vectorType?: "halfvec" | "vector";
  /** `hnsw`: an approximate index when there are more than `exactLimit` vectors. `exact`: none. Default `hnsw`. */
  readonly vectorIndex?: "hnsw" | "exact";
  /** Up to so many vectors that may be found, all of them are compared. Default 20,000. */
  readonly exactLimit?: number;
}

/**
 * A store in a Postgres database. Creating it touches nothing.
 *
 * @throws `CONFIG_INVALID` for an option of another value
 */
export function pgvectorStore(options: PgvectorStoreOptions = {}): StoreFactory {
  const {
    schema = DEFAULT_SCHEMA,
    poolSize = DEFAULT_POOL_SIZE,
    vectorType,
    vectorIndex = "hnsw",
    exactLimit = DEFAULT_EXACT_LIMIT,
  } = options;
  assertName("schema", schema);
  assertCount("poolSize", poolSize);
  assertCount("exactLimit", exactLimit);
  if (vectorType !== undefined) assertOneOf("vectorType", vectorType, VECTOR_TYPES);
  assertOneOf("vectorIndex", vectorIndex, VECTOR_INDEXES);
  const database = databaseOf(options);
  const settings: StoreSettings = { database, schema, poolSize, vectorType, vectorIndex, exactLimit };
  return {
    specVersion: 1,
    name: "pgvector",
    open: (index, open) => openStore(settings, index, open),
  };
}

function databaseOf({ url, pool, pglite }: PgvectorStoreOptions): StoreSettings["database"] {
  const stays = async (): Promise<void> => {};
  const given: Database[] = [
    ...(pool === undefined ? [] : [poolDatabase(pool, "the pool that was given", stays)]),
    ...(pglite === undefined
      ? []
      : [pgliteDatabase(pglite, "the PGlite that was given", { durable: true, close: stays })]),
  ];
  const [database] = given;
  if (given.length + (url === undefined ? 0 : 1) > 1) {
    throw new DocsearchError("CONFIG_INVALID", "Several of url, pool and pglite are given; give one.", {
      setting: "url",
      value: url ?? "",
      expected: "one of url, pool, pglite",
    });
  }
  return database ?? parseLocation(url ?? DEFAULT_URL, "url");
}

/**
 * Makes the store selectable by name. `DOCS_STORE_URL` is `url`; `DOCS_PGVECTOR_SCHEMA`, `DOCS_PGVECTOR_POOL_SIZE` and
 * `DOCS_PGVECTOR_INDEX` are the options of the same meaning. An empty variable counts as unset.
 */
export const provider: Provider<"store"> = {
  specVersion: 1,
  kind: "store",
  name: "pgvector",
  fromEnv: (env: Env) => {
    const url = env.DOCS_STORE_URL?.trim() || DEFAULT_URL;
    const schema = env.DOCS_PGVECTOR_SCHEMA?.trim() || DEFAULT_SCHEMA;
    const poolSize = Number(env.DOCS_PGVECTOR_POOL_SIZE?.trim() || DEFAULT_POOL_SIZE);
    const vectorIndex = env.DOCS_PGVECTOR_INDEX?.trim() || "hnsw";
    parseLocation(url, "DOCS_STORE_URL");
    assertName("DOCS_PGVECTOR_SCHEMA", schema);
    assertCount("DOCS_PGVECTOR_POOL_SIZE", poolSize, env.DOCS_PGVECTOR_POOL_SIZE);
    assertOneOf("DOCS_PGVECTOR_INDEX", vectorIndex, VECTOR_INDEXES);
    return pgvectorStore({ url, schema, poolSize, vectorIndex });
  },
};

function assertOneOf<T extends string>(setting: string, value: string, expected: readonly T[]): asserts value is T {
  if (!(expected as readonly string[]).includes(value)) throw invalid(setting, value, `one of ${expected.join(", ")}`);
}

/** Postgres cuts longer names off, and keeps those that begin with pg_ for itself. */
function assertName(setting: string, value: string): void {
  const length = Buffer.byteLength(value);
  if (length >= 1 && length <= 63 && !value.startsWith("pg_") && !value.includes("\0")) return;
  throw invalid(setting, value, "a name of 1 to 63 bytes that does not begin with pg_");
}

function assertCount(setting: string, value: number, written: string = String(value)): void {
  if (Number.isInteger(value) && value >= 1) return;
  throw invalid(setting, written, "a whole number from 1 on");
}

function invalid(setting: string, value: string, expected: string): DocsearchError {
  return new DocsearchError("CONFIG_INVALID", `${setting} is "${value}"; it must be ${expected}.`, {
    setting,
    value,
    expected,
  });
}
