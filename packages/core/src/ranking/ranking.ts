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

/** Weights of the two retrievers in a convex combination. See docs/adr/0019. */
export const CONVEX_WEIGHTS = { lexical: 0.6, vector: 0.5 } as const;

/** Score of the nearest chunk of prose from which on vectors have their whole weight. */
export const NEAR_COSINE = 0.53;

/**
 * Share of the best fused score that a hit needs. What has less shares a stop word with the query, or is as far from it as
 * any text; on no set that was measured is an answer among those.
 */
export const LEAST_SHARE = 0.05;
/** And of any search but a semantic one: less holds nothing of the query, in words or in meaning. */
export const LEAST_SCORE = 0.0005;

/** Weights of the two retrievers in reciprocal rank fusion. */
export const RRF_WEIGHTS = { lexical: 1, vector: 1 } as const;

/** Fused hits whose text the rules look at, best first. */
export const RULE_DEPTH = 50;

/** Fused hits whose links are read for what they say of their targets. */
export const LINK_DEPTH = 30;

/** Fused hits that count for their files, where code is among the best: docs/adr/0018. */
export const FILE_DEPTH = 200;
