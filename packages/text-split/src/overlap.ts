import type { Budget } from "./budget.js";
import { type Range, trimRange } from "./range.js";

/** The smallest blocks of a document in order, as far as overlap needs to know them. */
export interface Leaves {
  readonly count: number;
  /** Offset at which the leaf begins. */
  startOf(leaf: number): number;
  /** Offsets inside `piece` at which lines or sentences of the leaf begin, ascending. */
  bordersIn(leaf: number, piece: Range): readonly number[];
}

/**
 * Start of the text at the end of `piece` that the next piece repeats: the earliest line or sentence from which on
 * the text is short enough. `piece.end` when there is none.
 */
export function overlapStart(piece: Range, text: string, leaves: Leaves, budget: Budget): number {
  let best = piece.end;
  const first = trimRange(text, piece)?.start ?? piece.end;
  for (let leaf = lastLeafBefore(piece.end, leaves); leaf >= 0; leaf--) {
    for (const border of leaves.bordersIn(leaf, piece).toReversed()) {
      if (border <= first || !budget.isOverlap(border, piece.end)) return best;
      best = border;
    }
    if (leaves.startOf(leaf) <= first) return best;
  }
  return best;
}

/** The last leaf that begins before `offset`, or -1. */
function lastLeafBefore(offset: number, leaves: Leaves): number {
  let low = 0;
  let high = leaves.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (leaves.startOf(middle) < offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
