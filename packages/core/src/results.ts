import type { Chunk, DocumentRecord } from "@docsearch/spec";
import type { RuleEffect } from "./rules.js";

/** What one retriever said of a result. */
export interface RetrieverContribution {
  /** `lexical` or `vector`. */
  readonly retriever: string;
  /** 1-based rank in the retriever's list; absent when the list does not hold the chunk. */
  readonly rank?: number;
  /** The retriever's own score. For `lexical`, the chunk's BM25F plus the document's share. */
  readonly score: number;
  readonly weight: number;
  /** What the retriever adds to the fused score. */
  readonly contribution: number;
}

/** Where a result's score comes from. */
export interface ScoreBreakdown {
  readonly retrievers: readonly RetrieverContribution[];
  /** BM25F of the chunk alone and of its whole document; 0 without a match. */
  readonly lexical: { readonly chunk: number; readonly document: number };
  readonly fusion: {
    readonly method: "convex" | "rrf";
    /** Constant of reciprocal rank fusion; absent for `convex`. */
    readonly k?: number;
    readonly score: number;
    readonly rank: number;
  };
  /** What multiplied the fused score, in order. */
  readonly rules: readonly RuleEffect[];
}

export interface Snippet {
  readonly text: string;
  /** 1-based line of the document on which the snippet starts. */
  readonly startLine: number;
  /** Half-open ranges of `text`, in UTF-16 code units, that match the query. */
  readonly highlights: readonly (readonly [start: number, end: number])[];
}

export interface SearchResult {
  /** 1-based. */
  readonly rank: number;
  /** The fused score after the rules: higher is better, comparable within one response only. */
  readonly score: number;
  readonly document: DocumentRecord;
  readonly chunk: Chunk;
  readonly snippet: Snippet;
  readonly breakdown: ScoreBreakdown;
}

/** A stage that was skipped or answered less than it could, and why. */
export interface SearchWarning {
  readonly code: "NO_QUERY_TERMS" | "NO_QUERY_VECTOR" | "QUERY_CUT" | "RETRIEVER_FAILED" | "WORD_REPLACED";
  readonly message: string;
}

export interface SearchResponse {
  readonly results: readonly SearchResult[];
  readonly warnings: readonly SearchWarning[];
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
}
