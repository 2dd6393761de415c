import type { Chunk, DocumentRecord } from "@docsearch/spec";
import type { RuleEffect } from "../ranking/rules.js";

/** What one retriever said of a result. */
export interface RetrieverContribution {
  /** `lexical` or `vector`. */
  readonly retriever: string;
  /** 1-based rank in the retriever's list; absent when the list does not hold the chunk. */
  readonly rank?: number;
  /**
   * The retriever's own score. For `lexical`, the chunk's BM25F plus the document's share; for `vector`, half the
   * chunk's cosine similarity and half the mean of its document's best three.
   */
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
  /** What was added to the fused score or multiplied it, in order. */
  readonly rules: readonly RuleEffect[];
  /** What the reranker said, on its own scale, and the 1-based rank before; absent where it was not asked. */
  readonly rerank?: { readonly score: number; readonly rank: number };
}

export interface Snippet {
  readonly text: string;
  /** 1-based line of the document on which the snippet starts. */
  readonly startLine: number;
  /** Half-open ranges of `text`, in UTF-16 code units, that match the query. */
  readonly highlights: readonly (readonly [start: number, end: number])[];
}

/** The part of a result's text that fits in the `maxChars` or `maxTokens` of the request. */
export interface Passage {
  /** Whole lines. */
  readonly text: string;
  /** 1-based line of the document on which it starts. */
  readonly startLine: number;
  readonly endLine: number;
  /** More belongs to the result than is here. */
  readonly isCut: boolean;
}

export interface SearchResult {
  /** 1-based, over all pages. */
  readonly rank: number;
  /**
   * The fused score after the rules: higher is better, comparable within one response only. With a reranker the order is
   * its own, see `breakdown.rerank`.
   */
  readonly score: number;
  readonly document: DocumentRecord;
  readonly chunk: Chunk;
  /**
   * Chunks that were found too and make one stretch of the document with `chunk`, in its order; absent without. They are
   * looked for only where the request says `mergeAdjacent`.
   */
  readonly adjacent?: readonly Chunk[];
  readonly snippet: Snippet;
  /** Absent unless the request has `maxChars` or `maxTokens`. */
  readonly passage?: Passage;
  readonly breakdown: ScoreBreakdown;
}

/** A stage that was skipped or answered less than it could, and why. */
export interface SearchWarning {
  readonly code:
    | "NO_QUERY_TERMS"
    | "NO_QUERY_VECTOR"
    | "QUERY_CUT"
    | "RERANKER_FAILED"
    | "RESULTS_CHANGED"
    | "RETRIEVER_FAILED"
    | "WORDS_UNCHECKED"
    | "WEAK_MATCH"
    | "WORD_REPLACED";
  readonly message: string;
}

/** Another search that would find something. */
export interface Suggestion {
  /**
   * What to change: the `spelling` of words that the index does not have, leave out the `filter`, take the quotes off a
   * `phrase`, search in another `mode`.
   */
  readonly kind: "spelling" | "filter" | "phrase" | "mode";
  readonly message: string;
  /** What to search for, with every filter that it should keep; absent for `mode`, and where a `filter` of the request is in the way. */
  readonly query?: string;
}

export interface SearchResponse {
  readonly results: readonly SearchResult[];
  /** To be given as `cursor` for the results behind these; absent when there are none. */
  readonly next?: string;
  /** What of the query was taken for a filter, as typed; absent without. See `queryFilters` of the request. */
  readonly queryFilters?: readonly string[];
  /** Only where nothing or nearly nothing was found and another search would find something. */
  readonly suggestions?: readonly Suggestion[];
  readonly warnings: readonly SearchWarning[];
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
}
