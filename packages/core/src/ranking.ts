import type { Bm25fParameters } from "@docsearch/spec";

/**
 * BM25F parameters, measured on development sets (docs/adr/0006). Long headings say less of each of their words, so
 * these normalise by length, code more than prose; a path is as long as its folders are deep and does not.
 */
export const PROSE_RANKING: Bm25fParameters = {
  k1: 1.2,
  fields: {
    title: { weight: 3, b: 0.3 },
    ancestors: { weight: 3, b: 0 },
    heading: { weight: 3, b: 0.5 },
    path: { weight: 3, b: 0 },
    body: { weight: 1, b: 0.5 },
    code: { weight: 1, b: 0.75 },
  },
};

/** Share of the document's BM25F that is added to each of its chunks' own. */
export const DOCUMENT_SHARE = 1;

/** Share of a chunk's vector score that is the mean of its document's best chunks, and of how many. */
export const VECTOR_DOCUMENT_SHARE = 0.5;
export const VECTOR_DOCUMENT_CHUNKS = 3;

/** Hits that each retriever returns before fusion. */
export const CANDIDATES = 200;

/** Weights of the two retrievers in a convex combination. */
export const CONVEX_WEIGHTS = { lexical: 0.6, vector: 0.4 } as const;

/** Weights of the two retrievers in reciprocal rank fusion. */
export const RRF_WEIGHTS = { lexical: 1, vector: 1 } as const;

/**
 * Fused hits that the rules look at, best first; those behind them have no bonus. 100 gains .03 of keyword nDCG@10 over
 * the four code sets, loses .007 of hybrid and .009 of hybrid MRR on cosqa-dev, and takes .8 ms more.
 */
export const RULE_DEPTH = 50;
