import { DocsearchError } from "@docsearch/spec";
import { loadBetterSqlite3 } from "./better-sqlite3.js";
import { loadNodeSqlite } from "./node-sqlite.js";

/** What SQLite stores. Integers come back as numbers, blobs as bytes. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** A prepared statement. `Row` names the columns that it returns. */
export interface Statement<Row> {
  run(...values: readonly SqlValue[]): void;
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): Row[];
  /** While it runs, the connection must not be written to, and this statement not be used again. */
  iterate(...values: readonly SqlValue[]): IterableIterator<Row>;
}

/** All that the store needs of a SQLite driver. */
export interface Connection {
  /** Prepares each text once. */
  prepare<Row = never>(sql: string): Statement<Row>;
  /** Runs statements without parameters or results. */
  exec(sql: string): void;
  loadExtension(path: string): void;
  /** Copies the database over the one at `path`, in one transaction of that one. */
  backup(path: string): Promise<void>;
  close(): void;
}

/**
 * `write` makes the file when there is none; the others need one. `read-frozen` reads it as it is now, and makes no file
 * beside it: what others write to it later is not seen, so it is for files that nobody can write to.
 */
type Access = "read" | "read-frozen" | "write";

export interface Driver {
  readonly name: string;
  open(path: string, options: { readonly access: Access }): Connection;
}

/**
 * The first driver that loads: better-sqlite3, else the one in Node itself (from Node 22.13 on).
 *
 * @throws `BACKEND_LOAD_FAILED` when there is none, with what to do.
 */
export async function loadDriver(
  loadPreferred: () => Promise<Driver> = loadBetterSqlite3,
  loadBuiltIn: () => Driver | undefined = loadNodeSqlite,
): Promise<Driver> {
  try {
    return await loadPreferred();
  } catch (cause) {
    const builtIn = loadBuiltIn();
    if (builtIn !== undefined) return builtIn;
    throw new DocsearchError(
      "BACKEND_LOAD_FAILED",
      `The SQLite driver better-sqlite3 did not load, and Node ${process.versions.node} has none of its own: ${reasonOf(cause)}`,
      { package: "better-sqlite3" },
      { cause },
    );
  }
}

function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = (cause as { readonly code?: unknown } | null)?.code;
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") {
    return "it is not installed. Run: npm install better-sqlite3";
  }
  if (message.includes("NODE_MODULE_VERSION")) {
    return "it was built for another version of Node. Run: npm rebuild better-sqlite3";
  }
  if (message.includes("Could not locate the bindings file")) {
    return "it was installed without its native part, because install scripts were off. Run: npm rebuild better-sqlite3";
  }
  return message;
}

/**
 * Runs `body` in a transaction: all of it is stored, or nothing when it throws. `IMMEDIATE` takes the write lock at
 * the start; `DEFERRED` takes none and sees one state of the database throughout.
 */
export function transaction<T>(connection: Connection, mode: "DEFERRED" | "IMMEDIATE", body: () => T): T {
  connection.prepare(`BEGIN ${mode}`).run();
  try {
    const result = body();
    connection.prepare("COMMIT").run();
    return result;
  } catch (error) {
    try {
      connection.prepare("ROLLBACK").run();
    } catch {
      // A full disk and some other faults end the transaction by themselves; the first error tells why.
    }
    throw error;
  }
}
