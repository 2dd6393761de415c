import { DocsearchError, isDocsearchError } from "@docsearch/spec";
import { REBUILD_COMMAND } from "@docsearch/store-kit";

/** What the message of an error holds, what that means, and what mends it. The first that fits counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/No space left|os error 28\b/i, "the disk is full. Free space and try again"],
  [
    /Permission denied|os error 13\b/i,
    "the folder may not be written or read. Change its rights, or set DOCS_STORE_URL",
  ],
  [
    /Read-only file system|os error 30\b/i,
    "the disk takes no changes. Open the index for reading, or set DOCS_STORE_URL",
  ],
  [
    /NoSuchBucket/i,
    "there is no such bucket. Make it, or correct DOCS_STORE_URL; another server than Amazon's needs AWS_ENDPOINT_URL",
  ],
  [
    /SignatureDoesNotMatch|InvalidAccessKeyId|AccessDenied|Forbidden|Unauthorized|credential|\b40[13]\b/i,
    "the object store refused the keys. Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION",
  ],
  [
    /error sending request|dns error|Connection refused|timed out|tcp connect/i,
    "the object store cannot be reached. Check the network and AWS_ENDPOINT_URL",
  ],
  [
    /not found|corrupt|invalid|magic|end of file|EOF|decode|range|No such file|panic|bytes|buffer/i,
    `a file of the index is missing or damaged. Make it anew: ${REBUILD_COMMAND}`,
  ],
];

/** What Lance says when another commit came first, and the same again may succeed. */
const CONFLICT =
  /commit conflict|conflicting|concurrent(ly)? (commit|modif|writ|transaction)|Too many concurrent|Retryable/i;

export function isConflict(error: unknown): boolean {
  return !isDocsearchError(error) && CONFLICT.test(messageOf(error));
}

/**
 * The error that leaves the package: `DocsearchError` and aborts as they are, everything else as `STORE_FAILED`.
 *
 * @param place of the index, for the message
 */
export function storeError(operation: string, place: string, cause: unknown): unknown {
  if (isDocsearchError(cause) || (cause instanceof Error && cause.name === "AbortError")) return cause;
  const message = messageOf(cause);
  const reason = REASONS.find(([pattern]) => pattern.test(message))?.[1];
  return new DocsearchError(
    "STORE_FAILED",
    `${operation} failed on ${place}: ${reason === undefined ? message : `${reason} (${message}).`}`,
    { operation },
    { cause },
  );
}

/** The first sentence of what LanceDB says; behind it come places in its source and the same again. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split(/,\s+\/|\s+Caused by:|\n/)[0]!.trim();
}

const PACKAGE = "@lancedb/lancedb";

/** The package did not load. */
export function importError(cause: unknown): DocsearchError {
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  if (code === "MODULE_NOT_FOUND") {
    // Its binary is a package of its own, which npm leaves out on a platform for which there is none.
    const install = "npm install @lancedb/lancedb@0.31.0 apache-arrow@18.1.0";
    return new DocsearchError(
      "BACKEND_NOT_INSTALLED",
      `An index in LanceDB needs ${PACKAGE}, which is not installed as a whole. Run: ${install}`,
      { package: PACKAGE, install },
      { cause },
    );
  }
  return new DocsearchError(
    "BACKEND_LOAD_FAILED",
    `${PACKAGE} is there but did not load: ${cause instanceof Error ? cause.message : String(cause)}`,
    { package: PACKAGE },
    { cause },
  );
}
