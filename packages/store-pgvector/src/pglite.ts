import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Database, Transaction } from "./database.js";
import { importError } from "./errors.js";
import { lockFolder } from "./folder-lock.js";
import type { Location } from "./location.js";

const PACKAGES = ["@electric-sql/pglite", "@electric-sql/pglite-pgvector"] as const;

/** The log of changes would grow to a gigabyte beside the index, and never shrink. */
const START_PARAMETERS = ["-c", "max_wal_size=128MB"] as const;

/** What is needed of a `PGlite`. */
export interface PgliteLike {
  transaction<T>(body: (transaction: PgliteTransaction) => Promise<T>): Promise<T>;
  exec(sql: string): Promise<unknown>;
}

/** What is needed of its transactions. */
export interface PgliteTransaction {
  query(sql: string, parameters?: unknown[]): Promise<{ readonly rows: unknown[] }>;
  exec(sql: string): Promise<unknown>;
}

/** Loads the two packages. */
export interface PgliteModules {
  readonly pglite: () => Promise<typeof import("@electric-sql/pglite")>;
  readonly pgvector: () => Promise<typeof import("@electric-sql/pglite-pgvector")>;
}

const MODULES: PgliteModules = {
  pglite: () => import("@electric-sql/pglite"),
  pgvector: () => import("@electric-sql/pglite-pgvector"),
};

/**
 * Starts Postgres in this process, over a folder or in memory.
 *
 * @throws `BACKEND_NOT_INSTALLED`, `BACKEND_LOAD_FAILED`, and `INDEX_LOCKED` while another process has the folder
 */
export async function startPglite(
  location: Exclude<Location, { readonly kind: "server" }>,
  modules: PgliteModules = MODULES,
): Promise<Database> {
  const [{ PGlite: Pglite }, { vector }] = await Promise.all([modules.pglite(), modules.pgvector()]).catch(
    (cause: unknown) => {
      throw importError(PACKAGES, cause);
    },
  );
  if (location.kind === "memory") {
    const pglite = await Pglite.create({ extensions: { vector } });
    return pgliteDatabase(pglite, location.name, { durable: false, close: () => pglite.close() });
  }
  mkdirSync(dirname(location.path), { recursive: true });
  const unlock = lockFolder(location.path);
  try {
    const startParams = [...Pglite.defaultStartParams, ...START_PARAMETERS];
    const pglite = await Pglite.create({ dataDir: location.path, extensions: { vector }, startParams });
    return pgliteDatabase(pglite, location.name, {
      durable: true,
      close: async () => {
        try {
          await pglite.close();
        } finally {
          unlock();
        }
      },
    });
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A database in this process. It has one session, so transactions run one after the other. */
export function pgliteDatabase(
  pglite: PgliteLike,
  name: string,
  { durable, close }: { readonly durable: boolean; readonly close: () => Promise<void> },
): Database {
  return {
    name,
    shared: false,
    durable,
    prefersHalf: false,
    // One session means one state for all statements, whatever the mode.
    transaction: (_mode, body) => pglite.transaction((transaction) => body(transactionOf(transaction))),
    exec: async (sql) => void (await pglite.exec(sql)),
    close,
  };
}

function transactionOf(transaction: PgliteTransaction): Transaction {
  return {
    query: async <Row extends object>(sql: string, parameters: readonly unknown[] = []) =>
      (await transaction.query(sql, [...parameters])).rows as Row[],
    exec: async (sql) => void (await transaction.exec(sql)),
  };
}
