import { scalarPooling } from "./scalar-pooling.js";
import { simdPooling } from "./simd-pooling.js";

/**
 * The token table and the buffers for one weighted sum of its rows.
 *
 * Sums run in single precision on both paths, in the same order and with the same roundings, so the vectors of an
 * index do not depend on the machine that made them. Integer weights would save the kernel its conversions to float,
 * but they would round, and pooling takes a small part of the time that tokenising takes.
 */
export interface Pooling {
  /** `tokens` x `dimensions`, row-major. Filled by the loader. */
  readonly rows: Int8Array;
  /** Room for as many ids of different tokens as there are. */
  readonly ids: Int32Array;
  /** Weight of the token at the same index of `ids`. */
  readonly weights: Float32Array;
  /** The last sum, `dimensions` long. Overwritten by the next. */
  readonly sum: Float32Array;
  /** Writes `sum over k < count of weights[k] * rows[ids[k]]` to `sum`. */
  add(count: number): void;
}

/** Makes room for a table. `dimensions` is a multiple of 16. */
export type MakePooling = (tokens: number, dimensions: number) => Pooling;

/** The SIMD kernel where the engine has it, else plain JavaScript. */
export const fastestPooling: MakePooling = (tokens, dimensions) =>
  simdPooling(tokens, dimensions) ?? scalarPooling(tokens, dimensions);
