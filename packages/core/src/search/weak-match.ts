import type { SearchResult } from "./results.js";

/**
 * A result that holds less of the query than this, and is less alike by meaning than that, is no answer. Measured
 * 2026-11-30 on an index of the Markdown of bun-types 1.4.5: 1.5 % of the descriptions of its own pages lie below, and of
 * questions about other things 99 % (scifact), 92 % (xquad-en) and 32 % (cosqa-dev, which is about programs too). Of
 * queries that their own corpus answers, 0 to 6 % do, but 34 % of the conceptual ones of qmd-docs: so it is only said.
 */
const WEAK_LEXICAL = 0.2;
const WEAK_COSINE = 0.35;

/** How near a result comes to the query. */
export interface Nearness {
  /** Share of the query's weight in words that the result and its document hold, from 0 to 1; absent without words. */
  readonly lexical?: number;
  /** Absent without vectors. */
  readonly cosine?: number;
}

export function nearnessOf({ breakdown: { retrievers } }: SearchResult): Nearness {
  const lexical = retrievers.find(({ retriever }) => retriever === "lexical");
  const vector = retrievers.find(({ retriever }) => retriever === "vector");
  return {
    ...(lexical !== undefined && lexical.weight > 0 && { lexical: lexical.contribution / lexical.weight }),
    ...(vector?.rank !== undefined && { cosine: vector.score }),
  };
}

export function isWeak({ lexical = 0, cosine = 0 }: Nearness): boolean {
  return lexical < WEAK_LEXICAL && cosine < WEAK_COSINE;
}
