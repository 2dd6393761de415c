/** How texts are put together for a model. */
export interface BatchLimits {
  readonly texts: number;
  /** Most tokens of a batch after padding: its texts times the longest. A text alone may have more. */
  readonly paddedTokens: number;
}

/** A batch is ended where more than a third of it would be padding. */
const MOST_PADDED = 1.5;

/** Indices of sequences in batches, those of like length together, so that little is padding. */
export function planBatches(lengths: readonly number[], limits: BatchLimits): number[][] {
  const lengthOf = (index: number): number => lengths[index] as number;
  const byLength = lengths.map((_, index) => index).sort((a, b) => lengthOf(a) - lengthOf(b));
  const batches: number[][] = [];
  let current: number[] = [];
  let tokens = 0;
  for (const index of byLength) {
    // The newest is the longest.
    const length = lengthOf(index);
    const padded = (current.length + 1) * length;
    const isFull = current.length >= limits.texts || padded > limits.paddedTokens;
    if (current.length > 0 && (isFull || padded > MOST_PADDED * (tokens + length))) {
      batches.push(current);
      current = [];
      tokens = 0;
    }
    current.push(index);
    tokens += length;
  }
  if (current.length > 0) batches.push(current);
  return batches;
}
