import { DocsearchError, type Env, type Provider, type StoreFactory } from "@docsearch/spec";
import { parseLocation } from "./location.js";
import { openStore, restoreStore } from "./open.js";
import type { StoreSettings } from "./settings.js";
import { storageOptionsFromEnv } from "./storage-options.js";

/** Folder of the index when no address is given, from the working directory. */
const DEFAULT_URL = ".docsearch/lancedb";
const DEFAULT_EXACT_LIMIT = 20_000;
const VECTOR_INDEXES = ["ivf_rq", "exact"] as const;

export interface LancedbStoreOptions {
  /** A folder, or an address on an object store such as `s3://bucket/prefix`. Default `.docsearch/lancedb`. */
  readonly url?: string;
  /** Settings of the object store by their names in LanceDB: `region`, `endpoint`, `awsAccessKeyId` and so on. */
  readonly storageOptions?: Readonly<Record<string, string>>;
  /** `ivf_rq`: an approximate index when there are more than `exactLimit` vectors. `exact`: none. Default `ivf_rq`. */
  readonly vectorIndex?: "ivf_rq" | "exact";
  /** Up to so many vectors that may be found, all of them are compared. Default 20,000. */
  readonly exactLimit?: number;
}

/**
 * A store in LanceDB. Creating it touches nothing.
 *
 * @throws `CONFIG_INVALID` for an option of another value
 */
export function lancedbStore(options: LancedbStoreOptions = {}): StoreFactory {
  const { url = DEFAULT_URL, storageOptions = {}, vectorIndex = "ivf_rq", exactLimit = DEFAULT_EXACT_LIMIT } = options;
  assertVectorIndex("vectorIndex", vectorIndex);
  if (!(Number.isInteger(exactLimit) && exactLimit >= 1)) {
    throw invalid("exactLimit", String(exactLimit), "a whole number from 1 on");
  }
  const location = parseLocation(url, "url");
  const settings: StoreSettings = { location, storageOptions: { ...storageOptions }, vectorIndex, exactLimit };
  return {
    specVersion: 1,
    name: "lancedb",
    open: (schema, open) => openStore(settings, schema, open),
    restorePrevious: (call) => restoreStore(settings, call),
  };
}

/**
 * Makes the store selectable by name. `DOCS_STORE_URL` is `url`, `DOCS_LANCEDB_VECTOR_INDEX` is `vectorIndex`. Keys,
 * region and endpoint of the object store come from the `AWS_*` variables, and whatever else it takes from
 * `DOCS_LANCEDB_STORAGE_OPTIONS`. An empty variable counts as unset.
 */
export const provider: Provider<"store"> = {
  specVersion: 1,
  kind: "store",
  name: "lancedb",
  fromEnv: (env: Env) => {
    const url = env.DOCS_STORE_URL?.trim() || DEFAULT_URL;
    const vectorIndex = env.DOCS_LANCEDB_VECTOR_INDEX?.trim() || "ivf_rq";
    parseLocation(url, "DOCS_STORE_URL");
    assertVectorIndex("DOCS_LANCEDB_VECTOR_INDEX", vectorIndex);
    return lancedbStore({ url, vectorIndex, storageOptions: storageOptionsFromEnv(env) });
  },
};

function assertVectorIndex(setting: string, value: string): asserts value is (typeof VECTOR_INDEXES)[number] {
  if ((VECTOR_INDEXES as readonly string[]).includes(value)) return;
  throw invalid(setting, value, `one of ${VECTOR_INDEXES.join(", ")}`);
}

function invalid(setting: string, value: string, expected: string): DocsearchError {
  return new DocsearchError("CONFIG_INVALID", `${setting} is "${value}"; it must be ${expected}.`, {
    setting,
    value,
    expected,
  });
}
