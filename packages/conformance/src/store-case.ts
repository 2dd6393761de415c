import type { DocumentChange, IndexSchema, StoreCapabilities, VectorStore, WriteResult } from "@docsearch/spec";

/** What a case works with. */
export interface StoreCaseContext {
  /** Empty at the start. */
  readonly store: VectorStore;
  /** Writes, and waits until searches see it. */
  readonly write: (...changes: readonly DocumentChange[]) => Promise<WriteResult>;
  /** Waits until searches see what was written to `store` itself. */
  readonly settle: () => Promise<void>;
  /** The store needs no waiting: a search sees what was written. */
  readonly isImmediate: boolean;
}

/** One behaviour of a store. */
export interface StoreCase {
  /** Unique; `knownFailures` refers to it. */
  readonly name: string;
  /** Default `SCHEMA`. */
  readonly schema?: IndexSchema;
  /** Capabilities without which the contract does not promise the behaviour. Default: all stores. */
  readonly applies?: (capabilities: StoreCapabilities) => boolean;
  /** True for a case that closes the store, which cannot be checked afterwards. */
  readonly closes?: boolean;
  readonly body: (context: StoreCaseContext) => Promise<void>;
}

export function hasText({ lexical }: StoreCapabilities): boolean {
  return lexical !== "none";
}

export function hasBm25f({ lexical }: StoreCapabilities): boolean {
  return lexical === "bm25f";
}

export function hasVectors({ vector }: StoreCapabilities): boolean {
  return vector !== "none";
}
