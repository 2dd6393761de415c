import type { Range } from "@docsearch/text-split";

/** Index of the last of ascending ranges that begins before `offset`, or -1. */
export function lastBefore(ranges: readonly Range[], offset: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.start < offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
