import type { Size } from "./budget.js";

/**
 * A range of the document as a row of units, at whose borders it is best cut. Frames are made only where a unit has
 * to be cut, down to the level at which every unit fits.
 */
export interface Frame {
  /** Unit `i` reaches from `bounds[i]` to `bounds[i + 1]`. */
  readonly bounds: readonly number[];
  /** Size up to which units are joined. */
  readonly size: Size;
  /** Size up to which the unit is kept whole and joined to what stands before it; `size` or larger. */
  sizeOf(unit: number): Size;
  /** Whether the unit is not cut if it can be kept whole, even if that leaves its heading alone. */
  isAtomic(unit: number): boolean;
  /** Whether the unit announces the next one: a short paragraph that ends with a colon. */
  leadsIn(unit: number): boolean;
  /** The unit as a row of smaller ones; `undefined` at the last level. */
  split(unit: number): Frame | undefined;
}

/** A frame of equal units. `split` gets the offsets of a unit. */
export function rowOf(
  bounds: readonly number[],
  size: Size,
  split: (start: number, end: number, unit: number) => Frame | undefined,
): Frame {
  return {
    bounds,
    size,
    sizeOf: () => size,
    isAtomic: () => true,
    leadsIn: () => false,
    split: (unit) => split(bounds[unit]!, bounds[unit + 1]!, unit),
  };
}
