import type { LexicalQuery } from "@docsearch/spec";

/** The distinct terms of a query in order, each with its largest weight; a weight below 0 counts as 0. */
export function termWeights(query: LexicalQuery): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const collect = (node: LexicalQuery): void => {
    if (node.op === "term") weights.set(node.term, Math.max(node.weight, weights.get(node.term) ?? 0));
    else node.clauses.forEach(collect);
  };
  collect(query);
  return weights;
}

/** Whether any term of the query is enough to match. */
export function matchesAnyTerm(query: LexicalQuery): boolean {
  return query.op === "term" || (query.op === "or" && query.clauses.every(matchesAnyTerm));
}

/**
 * The chunks that match a query, as 1 by chunk. Without clauses nothing matches.
 *
 * @param holding chunks that hold a term, as 1 by chunk
 */
export function matchingChunks(query: LexicalQuery, holding: (term: string) => Uint8Array, size: number): Uint8Array {
  if (query.op === "term") return holding(query.term);
  const [first, ...rest] = query.clauses;
  if (first === undefined) return new Uint8Array(size);
  const matching = matchingChunks(first, holding, size).slice(0, size);
  for (const clause of rest) {
    const other = matchingChunks(clause, holding, size);
    if (query.op === "and") for (let i = 0; i < size; i++) matching[i]! &= other[i]!;
    else for (let i = 0; i < size; i++) matching[i]! |= other[i]!;
  }
  return matching;
}
