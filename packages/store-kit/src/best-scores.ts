/** A chunk or document by its index or slot, with its score. */
export interface Scored {
  readonly index: number;
  readonly score: number;
}

/**
 * The `limit` best of the indexes below `size` where `included` is not 0, in no order, and every further one whose
 * score equals the worst of them: which of equals come first is decided by ids, which are not known here.
 */
export function bestScores(scores: Float64Array, included: Uint8Array, size: number, limit: number): Scored[] {
  if (!(limit >= 1)) return [];
  const threshold = worstOfBest(scores, included, size, Math.min(Math.floor(limit), size));
  const best: Scored[] = [];
  for (let index = 0; index < size; index++) {
    if (included[index] !== 0 && scores[index]! >= threshold) best.push({ index, score: scores[index]! });
  }
  return best;
}

/** The `limit`th best score; below every score when there are not so many. */
function worstOfBest(scores: Float64Array, included: Uint8Array, size: number, limit: number): number {
  // A binary heap of the best so far, with the worst at its root.
  const heap = new Float64Array(limit);
  let count = 0;
  for (let index = 0; index < size; index++) {
    if (included[index] === 0) continue;
    const score = scores[index]!;
    if (count < limit) {
      let at = count++;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (heap[parent]! <= score) break;
        heap[at] = heap[parent]!;
        at = parent;
      }
      heap[at] = score;
    } else if (score > heap[0]!) {
      let at = 0;
      for (;;) {
        let child = at * 2 + 1;
        if (child >= limit) break;
        if (child + 1 < limit && heap[child + 1]! < heap[child]!) child++;
        if (heap[child]! >= score) break;
        heap[at] = heap[child]!;
        at = child;
      }
      heap[at] = score;
    }
  }
  return count < limit ? Number.NEGATIVE_INFINITY : heap[0]!;
}
