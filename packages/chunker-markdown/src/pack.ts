import type { Budget } from "./budget.js";
import type { Frame } from "./frames.js";
import type { Range } from "./range.js";

/** Where a piece may begin in the text before `end` that it repeats; see `overlapStart`. */
export type OverlapStart = (piece: Range) => number;

interface Open {
  readonly frame: Frame;
  unit: number;
}

/**
 * Cuts a range that is too large for one chunk into pieces, each as full as it can be. `bodyStart` is the offset
 * of what follows the headings at the start of the range, which do not stand alone if that can be helped.
 *
 * Units are taken in order. One that does not fit the current piece begins the next one, or, when it would not fit
 * there either, is cut into smaller units. Each turn takes a unit, closes a piece, or goes one level down; there are
 * finitely many levels, so it ends. Nothing recurses: `open` holds the frames that are being taken apart.
 */
export function pack(root: Frame, bodyStart: number, budget: Budget, overlapStart: OverlapStart): Range[] {
  const pieces: Range[] = [];
  const open: Open[] = [{ frame: root, unit: 0 }];
  let start = root.bounds[0]!;
  /** End of what the current piece has taken; `fresh` or before when it has taken nothing of its own. */
  let end = start;
  let fresh = start;
  /** Start of the last unit taken, if that one leads in the next. */
  let leadIn = -1;

  /** The next piece begins at `next`; what was taken behind that goes into it. */
  const close = (next: number): void => {
    pieces.push({ start, end: next });
    fresh = next;
    start = budget.overlaps && next === end ? overlapStart({ start, end: next }) : next;
  };

  while (open.length > 0) {
    const top = open.at(-1)!;
    const { bounds } = top.frame;
    if (top.unit === bounds.length - 1) {
      open.pop();
      continue;
    }
    const taken = unitsThatFit(budget, bounds, top.unit, start);
    if (taken > 0) {
      top.unit += taken;
      end = bounds[top.unit]!;
      leadIn = top.frame.leadsIn(top.unit - 1) ? bounds[top.unit - 1]! : -1;
      continue;
    }
    const [from, to] = [bounds[top.unit]!, bounds[top.unit + 1]!];
    const empty = end <= fresh;
    if (empty && start < fresh) {
      // The overlap leaves too little room.
      start = fresh;
      continue;
    }
    const fitsAlone = budget.fits(from, to);
    const hasBody = end > bodyStart;
    if (!empty && fitsAlone && (hasBody || top.frame.isAtomic(top.unit))) {
      const together = leadIn > Math.max(fresh, bodyStart) && budget.fits(leadIn, to);
      close(together ? leadIn : end);
      continue;
    }
    if (!empty && !fitsAlone && hasBody && budget.isNearlyFull(start, end)) {
      close(end);
      continue;
    }
    const finer = top.frame.split(top.unit);
    if (finer !== undefined) {
      top.unit++;
      open.push({ frame: finer, unit: 0 });
    } else if (empty) {
      // A single character may be larger than the limit.
      top.unit++;
      end = to;
    } else close(end);
  }
  if (end > fresh) pieces.push({ start, end });
  return pieces;
}

/** How many units from `unit` on fit the piece that begins at `start`: by doubling steps, then by halving them. */
function unitsThatFit(budget: Budget, bounds: readonly number[], unit: number, start: number): number {
  const left = bounds.length - 1 - unit;
  if (!budget.fits(start, bounds[unit + 1]!)) return 0;
  let low = 1;
  let step = 1;
  while (low + step <= left && budget.fits(start, bounds[unit + low + step]!)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step - 1, left);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (budget.fits(start, bounds[unit + middle]!)) low = middle;
    else high = middle - 1;
  }
  return low;
}
