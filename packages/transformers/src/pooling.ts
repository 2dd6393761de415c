import type { Pooling } from "./model-table.js";
import type { Tensor } from "./transformers-module.js";

export interface PoolingInput {
  /** Shape: texts, tokens, dimensions; or texts, dimensions for `sentence_embedding`. */
  readonly output: Tensor;
  /** Which of the texts. */
  readonly row: number;
  /** First token of the text, and the one behind its last; the rest is padding. */
  readonly start: number;
  readonly end: number;
}

/** The vector of one text, of unit length; all zero when it has no direction or values that are not finite. */
export function pooled(pooling: Pooling, { output, row, start, end }: PoolingInput): Float32Array {
  const { data, dims } = output;
  const dimensions = dims.at(-1) as number;
  const tokens = pooling === "sentence_embedding" ? 1 : (dims[1] as number);
  const from = pooling === "last" ? end - 1 : pooling === "sentence_embedding" ? 0 : start;
  const to = pooling === "mean" ? end : from + 1;
  const sum = new Float64Array(dimensions);
  for (let token = from; token < to; token++) {
    const offset = (row * tokens + token) * dimensions;
    for (let i = 0; i < dimensions; i++) sum[i]! += data[offset + i] as number;
  }
  const length = Math.sqrt(sum.reduce((squares, value) => squares + value * value, 0));
  if (!(length > 0 && Number.isFinite(length))) return new Float32Array(dimensions);
  return Float32Array.from(sum, (value) => value / length);
}
