import type { Bm25fParameters } from "@docsearch/spec";

/**
 * BM25F parameters for prose, measured on development sets (docs/adr/0006). Short fields do not
 * normalise by length: a title is short by nature.
 */
export const PROSE_RANKING: Bm25fParameters = {
  k1: 1.2,
  fields: {
    title: { weight: 3, b: 0 },
    ancestors: { weight: 3, b: 0 },
    heading: { weight: 3, b: 0 },
    path: { weight: 2, b: 0 },
    body: { weight: 1, b: 0.5 },
    code: { weight: 1, b: 0.5 },
  },
};

/** Share of the document's BM25F that is added to each of its chunks' own. */
export const DOCUMENT_SHARE = 1;

/** Hits that each retriever returns before fusion. */
export const CANDIDATES = 200;

/** Weights of the two retrievers in a convex combination. */
export const CONVEX_WEIGHTS = { lexical: 0.67, vector: 0.33 } as const;

/** What each further chunk of one document is multiplied with, once for each that comes before it. */
export const SATURATION = 0.85;

/** Weights of the two retrievers in reciprocal rank fusion. */
export const RRF_WEIGHTS = { lexical: 1, vector: 1 } as const;
