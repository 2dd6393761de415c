// The stores side by side, each as two or three variables of the environment and nothing else.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createRegistry } from "@docsearch/core";

const PACKAGES = fileURLToPath(new URL("../packages/", import.meta.url));

/** Stores that the command does not bring: an application adds them, and so does this one. */
const ADDED = ["store-pgvector", "store-lancedb"];

/**
 * Backends by the name that is printed. `env` gets a folder of its own. A server that it needs is started by `start`,
 * which returns further variables and how to stop it. `exact`: what makes an approximate store compare all vectors.
 */
export const BACKENDS = {
  memory: { env: () => ({ DOCS_STORE_BACKEND: "memory" }) },
  sqlite: { env: (folder) => ({ DOCS_STORE_BACKEND: "sqlite", DOCS_STORE_URL: join(folder, "index.db") }) },
  "sqlite, fts5": {
    env: (folder) => ({
      DOCS_STORE_BACKEND: "sqlite",
      DOCS_STORE_URL: join(folder, "index.db"),
      DOCS_SQLITE_LEXICAL_INDEX: "fts5",
    }),
  },
  "pgvector, folder": {
    env: (folder) => ({ DOCS_STORE_BACKEND: "pgvector", DOCS_STORE_URL: join(folder, "pgdata") }),
    exact: { DOCS_PGVECTOR_INDEX: "exact" },
  },
  "pgvector, memory://": { env: () => ({ DOCS_STORE_BACKEND: "pgvector", DOCS_STORE_URL: "memory://" }) },
  "pgvector, through pg": { env: () => ({ DOCS_STORE_BACKEND: "pgvector" }), start: startPostgres },
  lancedb: {
    env: (folder) => ({ DOCS_STORE_BACKEND: "lancedb", DOCS_STORE_URL: join(folder, "lancedb") }),
    exact: { DOCS_LANCEDB_VECTOR_INDEX: "exact" },
  },
};

/** A registry with all backends of this repository. */
export async function allBackends() {
  const registry = createRegistry({ root: fileURLToPath(new URL("../apps/cli", import.meta.url)) });
  for (const name of ADDED) {
    const { provider } = await import(pathToFileURL(join(PACKAGES, name, "dist", "index.js")).href);
    registry.register(provider);
  }
  return registry;
}

/** Runs `body` with the variables of a backend, and cleans up. */
export async function withBackend(name, body) {
  const { env, start } = BACKENDS[name];
  const folder = mkdtempSync(join(tmpdir(), "docsearch-stores-"));
  const server = await start?.();
  try {
    return await body({ ...env(folder), ...server?.env }, folder);
  } finally {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** PostgreSQL in this process, behind a socket for the package pg. */
async function startPostgres() {
  const require = createRequire(join(PACKAGES, "store-pgvector", "package.json"));
  const load = (specifier) => import(pathToFileURL(require.resolve(specifier)).href);
  const [{ PGlite }, { vector }, { PGLiteSocketServer }] = await Promise.all(
    ["@electric-sql/pglite", "@electric-sql/pglite-pgvector", "@electric-sql/pglite-socket"].map(load),
  );
  const db = await PGlite.create({ extensions: { vector } });
  const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0, maxConnections: 20 });
  await server.start();
  return {
    env: { DOCS_STORE_URL: `postgres://postgres@${server.getServerConn()}/postgres` },
    stop: async () => {
      await server.stop();
      await db.close();
    },
  };
}
