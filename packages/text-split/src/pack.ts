import type { Budget } from "./budget.js";
import type { Frame } from "./frame.js";
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

  const take = (top: Open, units: number): void => {
    top.unit += units;
    end = top.frame.bounds[top.unit]!;
    leadIn = top.frame.leadsIn(top.unit - 1) ? top.frame.bounds[top.unit - 1]! : -1;
  };

  while (open.length > 0) {
    const top = open.at(-1)!;
    const { frame, unit } = top;
    const { bounds } = frame;
    if (unit === bounds.length - 1) {
      open.pop();
      continue;
    }
    const taken = unitsThatFit(budget, frame, unit, start);
    if (taken > 0) {
      take(top, taken);
      continue;
    }
    const [from, to] = [bounds[unit]!, bounds[unit + 1]!];
    const size = frame.sizeOf(unit);
    const empty = end <= fresh;
    if (empty && start < fresh) {
      // The overlap leaves too little room.
      start = fresh;
      continue;
    }
    const hasBody = end > bodyStart;
    const fitsAlone = budget.fits(from, to, size);
    if (!empty && !hasBody && fitsAlone && budget.fits(start, to)) {
      // A heading goes with the text under it, even if that makes more than a passage.
      take(top, 1);
      continue;
    }
    if (!empty && fitsAlone && (hasBody || frame.isAtomic(unit))) {
      const together = leadIn > Math.max(fresh, bodyStart) && budget.fits(leadIn, to);
      close(together ? leadIn : end);
      continue;
    }
    if (!empty && !fitsAlone && hasBody && budget.isNearlyFull(start, end, size)) {
      close(end);
      continue;
    }
    const finer = frame.split(unit);
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
  return withoutRemnants(pieces, budget);
}

/** How many units from `unit` on fit the piece that begins at `start`: by doubling steps, then by halving them. */
function unitsThatFit(budget: Budget, frame: Frame, unit: number, start: number): number {
  const { bounds, size } = frame;
  if (!budget.fits(start, bounds[unit + 1]!, frame.sizeOf(unit))) return 0;
  const left = bounds.length - 1 - unit;
  let low = 1;
  let step = 1;
  while (low + step <= left && budget.fits(start, bounds[unit + low + step]!, size)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step - 1, left);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (budget.fits(start, bounds[unit + middle]!, size)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Joins what is too little to stand alone to the piece before it, if a chunk can hold both. */
function withoutRemnants(pieces: readonly Range[], budget: Budget): Range[] {
  const kept: Range[] = [];
  for (const piece of pieces) {
    const before = kept.at(-1);
    if (before !== undefined && budget.isRemnant(before.end, piece.end) && budget.fits(before.start, piece.end)) {
      kept[kept.length - 1] = { start: before.start, end: piece.end };
    } else kept.push(piece);
  }
  return kept;
}
