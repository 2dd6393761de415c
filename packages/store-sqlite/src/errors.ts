import { DocsearchError, isDocsearchError } from "@docsearch/spec";
import { REBUILD_COMMAND } from "@docsearch/store-kit";

const DAMAGED = `the file is damaged. Make the index anew: ${REBUILD_COMMAND}`;

/** What happened, by primary result code of SQLite (https://www.sqlite.org/rescode.html). */
const REASONS: Readonly<Record<string, string>> = {
  SQLITE_READONLY: "the file cannot be written to. Check its permissions and those of its folder",
  SQLITE_IOERR: "the disk reported an error. Check the disk and try again",
  SQLITE_FULL: "the disk is full. Free space and try again",
  SQLITE_CANTOPEN: "the file, or a file that SQLite keeps beside it, cannot be opened. Its folder must be writable",
  SQLITE_TOOBIG: "a text is too long for SQLite. Split it",
};

const PRIMARY_CODES: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  18: "SQLITE_TOOBIG",
  26: "SQLITE_NOTADB",
};

/** A file that ends too early is a damaged one, and no fault of the disk. */
const SHORT_READ = 10 + (2 << 8);

/** The primary result code of an error of either driver; `undefined` for any other error. */
function sqliteCode(error: unknown): string | undefined {
  const { code, errcode } = (error ?? {}) as { readonly code?: unknown; readonly errcode?: unknown };
  // node:sqlite: a number, extended in the higher bits. better-sqlite3: a name such as SQLITE_IOERR_WRITE.
  if (errcode === SHORT_READ || code === "SQLITE_IOERR_SHORT_READ") return "SQLITE_CORRUPT";
  if (typeof errcode === "number") return PRIMARY_CODES[errcode & 255];
  if (typeof code !== "string" || !code.startsWith("SQLITE_")) return undefined;
  return code.split("_", 2).join("_");
}

/** Whether another process holds the lock. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === "SQLITE_BUSY" || code === "SQLITE_LOCKED";
}

/** Whether an error says that the file, or what is in its tables, is damaged. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  if (code === "SQLITE_CORRUPT" || code === "SQLITE_NOTADB") return true;
  // What JSON.parse and typed arrays throw over a column that does not hold what was written.
  if (error instanceof SyntaxError || error instanceof RangeError) return true;
  return error instanceof Error && /^no such (?:table|column): /.test(error.message);
}

/**
 * The error that leaves the package: `DocsearchError` and aborts as they are, a lock that was not had as
 * `INDEX_LOCKED`, everything else as `STORE_FAILED`.
 *
 * @param holder who was last seen to write, if known
 */
export function storeError(operation: string, path: string, cause: unknown, holder?: string): unknown {
  if (isDocsearchError(cause) || (cause instanceof Error && cause.name === "AbortError")) return cause;
  if (isBusy(cause)) {
    return new DocsearchError(
      "INDEX_LOCKED",
      `${path} is being written to by ${holder ?? "another process"}, which did not finish within 5 seconds. Wait for it, then try again.`,
      holder === undefined ? {} : { holder },
      { cause },
    );
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = isDamage(cause) ? DAMAGED : REASONS[sqliteCode(cause) ?? ""];
  return new DocsearchError(
    "STORE_FAILED",
    `${operation} failed on ${path}: ${reason === undefined ? message : `${reason} (${message}).`}`,
    { operation },
    { cause },
  );
}
