// The lexical half of the store. It counts, and knows no statistics: `lexical: "other"` promises an order and no more.

/** @import { LexicalFields, LexicalQuery } from "@docsearch/spec" */

/**
 * Occurrences of every term of a chunk, all fields together.
 *
 * @param {LexicalFields} fields
 */
export function termCounts(fields) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { terms } of Object.values(fields)) {
    for (const [term, occurrences] of terms) counts.set(term, (counts.get(term) ?? 0) + occurrences);
  }
  return counts;
}

/**
 * Whether a chunk matches a query. Without clauses nothing matches.
 *
 * @param {LexicalQuery} query
 * @param {ReadonlyMap<string, number>} counts
 * @returns {boolean}
 */
export function matchesQuery(query, counts) {
  if (query.op === "term") return counts.has(query.term);
  if (query.op === "or") return query.clauses.some((clause) => matchesQuery(clause, counts));
  return query.clauses.length > 0 && query.clauses.every((clause) => matchesQuery(clause, counts));
}

/**
 * The distinct terms of a query, each with its largest weight.
 *
 * @param {LexicalQuery} query
 * @param {Map<string, number>} [weights] those found so far
 */
export function termWeights(query, weights = new Map()) {
  if (query.op === "term") weights.set(query.term, Math.max(query.weight, weights.get(query.term) ?? 0));
  else for (const clause of query.clauses) termWeights(clause, weights);
  return weights;
}

/**
 * Each term counts its weight once or, with many occurrences, nearly twice: two terms always beat one.
 *
 * @param {ReadonlyMap<string, number>} weights
 * @param {ReadonlyMap<string, number>} counts
 */
export function scoreOf(weights, counts) {
  let score = 0;
  for (const [term, weight] of weights) {
    const occurrences = counts.get(term);
    if (occurrences !== undefined) score += weight * (1 + occurrences / (occurrences + 10));
  }
  return score;
}
