/** A sequence of pseudo-random values that depends on its seed alone. */
export interface Random {
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number from 0 up to but not including `limit`. */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** One to `most` values. */
  list<T>(most: number, make: () => T): T[];
}

/** Weyl sequence with a 32-bit mixer (mulberry32, T. Ettinger, 2017, public domain). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (values) => values[below(values.length)]!,
    chance: (probability) => next() < probability,
    list: (most, make) => Array.from({ length: 1 + below(most) }, make),
  };
}
