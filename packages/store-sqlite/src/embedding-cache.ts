import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DocsearchError, type EmbeddingCache, type EmbeddingCacheFactory, type Provider } from "@docsearch/spec";
import { type Connection, loadDriver, transaction } from "./driver.js";

/** Milliseconds to wait for another process that writes to the cache. */
const BUSY_TIMEOUT = 10_000;

export interface EmbeddingCacheOptions {
  /** The file; it and its folder are made when it is first opened. */
  readonly path: string;
}

/** A cache of vectors in one SQLite file, which several processes may use at once. */
export function sqliteEmbeddingCache({ path }: EmbeddingCacheOptions): EmbeddingCacheFactory {
  const file = resolve(path);
  return { specVersion: 1, name: "sqlite", load: () => openCache(file) };
}

/** Makes the cache selectable: `DOCS_EMBEDDING_CACHE` is the path of the file. */
export const provider: Provider<"embedding-cache"> = {
  specVersion: 1,
  kind: "embedding-cache",
  name: "sqlite",
  fromEnv(env) {
    const path = env.DOCS_EMBEDDING_CACHE?.trim();
    if (path) return sqliteEmbeddingCache({ path });
    throw new DocsearchError("CONFIG_INVALID", "DOCS_EMBEDDING_CACHE is not set; expected the path of a file", {
      setting: "DOCS_EMBEDDING_CACHE",
      value: "",
      expected: "the path of a file",
    });
  },
};

async function openCache(file: string): Promise<EmbeddingCache> {
  const driver = await loadDriver();
  const connection = guard(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    const opened = driver.open(file, { access: "write" });
    opened.exec(
      `PRAGMA busy_timeout = ${BUSY_TIMEOUT}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
       CREATE TABLE IF NOT EXISTS embedding (key TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID;`,
    );
    return opened;
  });
  let isClosed = false;
  const use = <T>(options: { readonly signal?: AbortSignal } | undefined, body: (open: Connection) => T): T => {
    options?.signal?.throwIfAborted();
    if (isClosed) throw new DocsearchError("CLOSED", `The embedding cache ${file} is closed.`, { name: "sqlite" });
    return guard(file, () => body(connection));
  };
  return {
    specVersion: 1,
    async get(keys, options) {
      return use(options, (open) =>
        transaction(open, "DEFERRED", () => {
          const select = open.prepare<{ vector: Uint8Array }>("SELECT vector FROM embedding WHERE key = ?");
          return keys.map((key) => vectorOf(select.get(key)?.vector));
        }),
      );
    },
    async put(entries, options) {
      use(options, (open) =>
        transaction(open, "IMMEDIATE", () => {
          const insert = open.prepare("INSERT OR IGNORE INTO embedding (key, vector) VALUES (?, ?)");
          for (const { key, vector } of entries) {
            insert.run(key, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
          }
        }),
      );
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      connection.close();
    },
  };
}

/** A copy: the driver's bytes may lie at an odd address. */
function vectorOf(bytes: Uint8Array | undefined): Float32Array | undefined {
  return bytes === undefined ? undefined : new Float32Array(Uint8Array.from(bytes).buffer);
}

function guard<T>(file: string, body: () => T): T {
  try {
    return body();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DocsearchError(
      "STORE_FAILED",
      `The embedding cache ${file} cannot be used: ${reason}. It holds nothing that cannot be made again: delete it, or leave DOCS_EMBEDDING_CACHE unset.`,
      { operation: "embedding cache" },
      { cause },
    );
  }
}
