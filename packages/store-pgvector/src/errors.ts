import { DocsearchError, isDocsearchError } from "@docsearch/spec";

/** How long a writer waits for another one, in milliseconds. */
export const LOCK_TIMEOUT_MS = 10_000;

/** SQLSTATE or code of Node to what is wrong and what mends it. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: "there is no such host. Correct DOCS_STORE_URL",
  EAI_AGAIN: "the host's name could not be looked up. Check the network and DOCS_STORE_URL",
  "28P01": "user or password are wrong. Correct DOCS_STORE_URL",
  "28000": "the server does not let this user in. Correct DOCS_STORE_URL or pg_hba.conf",
  "3D000": "there is no such database. Make it: createdb NAME",
  "42501":
    "the user lacks a right. Its owner can give it: GRANT CREATE ON DATABASE name TO user, or for a schema that is there GRANT USAGE, CREATE ON SCHEMA name TO user",
  "25006": "the server takes no changes, as a replica does. Open the index for reading, or use the primary",
  "53100": "the disk is full. Free space and try again",
  "53300": "the server has too many connections. Lower poolSize (DOCS_PGVECTOR_POOL_SIZE), or use a pooler",
  "57014": "the server cancelled the statement. Raise its statement_timeout",
};

export function codeOf(error: unknown): string | undefined {
  const { code, errors } = (error ?? {}) as { readonly code?: unknown; readonly errors?: readonly unknown[] };
  if (typeof code === "string") return code;
  // Node tries all addresses of a host and reports what became of each.
  return Array.isArray(errors) ? codeOf(errors[0]) : undefined;
}

/** Classes of SQLSTATE and codes of Node after which another connection may do. */
const LOST = /^(08...|57P0[123]|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT)$/;

/** Whether the connection is lost or was not had, and another try may succeed. */
export function isConnectionLoss(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return LOST.test(code);
  // What pg itself says has no code.
  return (
    error instanceof Error && /^(Connection terminated|Client has encountered a connection error)/.test(error.message)
  );
}

/** Whether two transactions got into each other's way, and the same again will do. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40001" || code === "40P01";
}

/** Whether a table or schema is not there. */
export function isMissingTable(error: unknown): boolean {
  const code = codeOf(error);
  return code === "42P01" || code === "3F000";
}

/**
 * The error that leaves the package: `DocsearchError` and aborts as they are, a lock that was not had as
 * `INDEX_LOCKED`, everything else as `STORE_FAILED`.
 *
 * @param name of the database
 */
export function storeError(operation: string, name: string, cause: unknown): unknown {
  if (isDocsearchError(cause) || (cause instanceof Error && cause.name === "AbortError")) return cause;
  const code = codeOf(cause);
  if (code === "55P03") {
    return new DocsearchError(
      "INDEX_LOCKED",
      `The index in ${name} is being written to by another process, which did not finish within ${LOCK_TIMEOUT_MS / 1000} seconds. Wait for it, then try again.`,
      {},
      { cause },
    );
  }
  const message = messageOf(cause);
  const reason = REASONS[code ?? ""];
  return new DocsearchError(
    "STORE_FAILED",
    `${operation} failed on ${name}: ${reason === undefined ? message : `${reason} (${message}).`}`,
    { operation },
    { cause },
  );
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An AggregateError of Node has no message of its own.
  return error.message !== "" ? error.message : (codeOf(error) ?? error.name);
}

/** The import of an optional package failed. */
export function importError(packages: readonly string[], cause: unknown): DocsearchError {
  const first = packages[0]!;
  const code = codeOf(cause);
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") {
    const install = `npm install ${packages.join(" ")}`;
    return new DocsearchError(
      "BACKEND_NOT_INSTALLED",
      `An index in a folder or in memory:// needs ${first}, which is not installed. Run: ${install}`,
      { package: first, install },
      { cause },
    );
  }
  return new DocsearchError(
    "BACKEND_LOAD_FAILED",
    `${first} is there but did not load: ${messageOf(cause)}`,
    { package: first },
    { cause },
  );
}
