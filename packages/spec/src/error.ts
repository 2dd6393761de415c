import type { IndexSchema } from "./store.js";

/** What each error carries besides its message. */
export interface ErrorDetails {
  /** No backend of that name. */
  BACKEND_UNKNOWN: { readonly name: string; readonly known: readonly string[] };
  /** The package is not there; `install` is the command that brings it. */
  BACKEND_NOT_INSTALLED: { readonly package: string; readonly install: string };
  /** The package is there and did not load; see `cause`. */
  BACKEND_LOAD_FAILED: { readonly package: string };
  CONFIG_INVALID: { readonly setting: string; readonly value: string; readonly expected: string };
  SPEC_VERSION_UNSUPPORTED: { readonly found: unknown; readonly supported: readonly number[] };
  /** The index was made with another embedder, chunker or analyzer; `command` makes it anew. */
  INDEX_MISMATCH: { readonly stored: IndexSchema; readonly requested: IndexSchema; readonly command: string };
  /** The index was written by a version of the format that this one does not read; `command` makes it anew. */
  INDEX_FORMAT: { readonly stored: string; readonly supported: string; readonly command: string };
  /** There is no index at that place; `command` makes one. */
  INDEX_MISSING: { readonly location: string; readonly command: string };
  /** Another process writes. */
  INDEX_LOCKED: { readonly holder?: string };
  VECTOR_INVALID: {
    readonly reason: "dimensions" | "not-finite" | "zero";
    readonly expected: number;
    readonly actual: number;
  };
  /** Asked for by name, and the index has none: a document, a chunk, a collection, a job. */
  NOT_FOUND: { readonly what: string; readonly name: string };
  /** `keep` was asked for a chunk that is not stored. */
  CHUNK_MISSING: { readonly chunkId: string };
  UNSUPPORTED: { readonly operation: string };
  CLOSED: { readonly name: string };
  STORE_FAILED: { readonly operation: string };
  EMBEDDER_FAILED: { readonly model: string; readonly retryable: boolean };
  RERANKER_FAILED: { readonly model: string; readonly retryable: boolean };
}

export type ErrorCode = keyof ErrorDetails;

/** The only error class that crosses a package border. */
export class DocsearchError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = "DocsearchError";
  readonly code: C;
  readonly details: ErrorDetails[C];
  /** Recognises the class across two copies of this package in one process, where `instanceof` fails. */
  readonly "~docsearch" = 1;

  /** `message` says what was wrong, what was expected, and what to do. */
  constructor(code: C, message: string, details: ErrorDetails[C], options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** Whether `error` is a `DocsearchError`, and of `code` when one is given. */
export function isDocsearchError<C extends ErrorCode>(error: unknown, code?: C): error is DocsearchError<C> {
  return (
    typeof error === "object" &&
    error !== null &&
    "~docsearch" in error &&
    (code === undefined || (error as { readonly code?: unknown }).code === code)
  );
}
