import type { CallOptions } from "@docsearch/spec";

// What each operation takes. `schemas.ts` has the bounds.

export interface SearchInput {
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
  readonly mode: "hybrid" | "keyword" | "semantic";
  readonly sources?: readonly string[] | undefined;
  /** Path, folder or glob. */
  readonly path?: string | undefined;
  readonly kind: "any" | "docs" | "code";
  readonly language?: string | undefined;
  readonly max_chars?: number | undefined;
}

export interface GetChunkInput {
  readonly chunk_id: string;
  readonly before: number;
  readonly after: number;
  readonly max_chars?: number | undefined;
}

export interface ReadInput {
  /** May end in `:12` or `:12-40`. */
  readonly path: string;
  readonly start_line?: number | undefined;
  readonly end_line?: number | undefined;
  readonly line_numbers: boolean;
  readonly max_chars?: number | undefined;
}

export interface OutlineInput {
  readonly path?: string | undefined;
  readonly source?: string | undefined;
  readonly depth: number;
  readonly offset: number;
  readonly max_chars?: number | undefined;
}

export type ListSourcesInput = Readonly<Record<string, never>>;

export interface IndexPathInput {
  readonly path: string;
  readonly wait_ms: number;
}

export interface IndexStatusInput {
  readonly job_id?: string | undefined;
  readonly cancel: boolean;
}

export interface RemoveSourceInput {
  readonly source?: string | undefined;
  readonly path?: string | undefined;
}

export interface Inputs {
  readonly search: SearchInput;
  readonly get_chunk: GetChunkInput;
  readonly read: ReadInput;
  readonly outline: OutlineInput;
  readonly list_sources: ListSourcesInput;
  readonly index_path: IndexPathInput;
  readonly index_status: IndexStatusInput;
  readonly remove_source: RemoveSourceInput;
}

export type OperationName = keyof Inputs;

/** What an operation answers: for reading, within the budget, and as an object with the same facts. */
export interface Answer<T> {
  readonly text: string;
  readonly data: T;
}

export interface ProgressOptions extends CallOptions {
  /** Number of documents so far, and what is done; always more than before. */
  readonly onProgress?: (done: number, message: string) => void;
}
