/** A chunk or document by its number, with its score. */
export interface Scored {
  readonly index: number;
  readonly score: number;
}

/**
 * The `limit` best of those where `included` is 1, in no order, and every further one whose score equals the worst
 * of them: which of equals come first is decided by ids, which are not known here.
 */
export function bestScores(scores: Float64Array, included: Uint8Array, limit: number): Scored[] {
  const found: Scored[] = [];
  if (!(limit >= 1)) return found;
  for (let index = 0; index < scores.length; index++) {
    if (included[index] === 1) found.push({ index, score: scores[index]! });
  }
  if (found.length <= limit) return found;
  const sorted = Float64Array.from(found, ({ score }) => score).sort();
  const threshold = sorted[sorted.length - Math.floor(limit)]!;
  return found.filter(({ score }) => score >= threshold);
}
