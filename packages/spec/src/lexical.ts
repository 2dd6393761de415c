/**
 * The fields of the lexical index, in the order in which a store may pack them.
 *
 * `ancestors` holds the headings above a chunk and `heading` its own, so that a document's headings
 * can be counted once each when its chunks are added up.
 */
export const LEXICAL_FIELDS = ["title", "ancestors", "heading", "path", "body", "code"] as const;

export type LexicalFieldName = (typeof LEXICAL_FIELDS)[number];

/** One analysed field of one chunk. */
export interface LexicalField {
  /** Term to weighted number of occurrences: a positive multiple of 0.5. */
  readonly terms: ReadonlyMap<string, number>;
  /** Length for normalisation: a multiple of 0.5. Not always the sum of the occurrences. */
  readonly length: number;
}

/** A chunk's analysed fields; an absent field is empty. Terms are opaque to stores: compared, never changed. */
export type LexicalFields = Readonly<Partial<Record<LexicalFieldName, LexicalField>>>;

/** Which chunks match, and how much each term counts. User text never reaches a backend's query parser. */
export type LexicalQuery =
  | { readonly op: "term"; readonly term: string; readonly weight: number }
  | { readonly op: "and" | "or"; readonly clauses: readonly LexicalQuery[] };

/**
 * Parameters of BM25F (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, section 3.6):
 *
 * `tf = sum over fields of weight * occurrences / (1 - b + b * length / average length)`
 * `score = sum over terms of query weight * ln(1 + (N - n + .5) / (n + .5)) * (k1 + 1) * tf / (k1 + tf)`
 */
export interface Bm25fParameters {
  readonly k1: number;
  readonly fields: Readonly<Record<LexicalFieldName, { readonly weight: number; readonly b: number }>>;
}
