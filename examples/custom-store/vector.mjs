import { DocsearchError } from "@docsearch/spec";

/**
 * A vector brought to unit length, as plain numbers.
 *
 * @param {Float32Array} vector
 * @param {number} expected dimensions of the index
 * @throws `VECTOR_INVALID` for one that is no direction in the index's space
 */
export function unitVector(vector, expected) {
  const length = Math.hypot(...vector);
  const reason =
    vector.length !== expected
      ? "dimensions"
      : !Number.isFinite(length)
        ? "not-finite"
        : length === 0
          ? "zero"
          : undefined;
  if (reason === undefined) return Array.from(vector, (component) => component / length);
  throw new DocsearchError(
    "VECTOR_INVALID",
    `The vector has ${vector.length} dimensions and length ${length}; ${expected} finite numbers, not all zero, are expected. Use the embedder that the index was made with.`,
    { reason, expected, actual: vector.length },
  );
}

/**
 * Of unit vectors: cosine similarity.
 *
 * @param {readonly number[]} a
 * @param {readonly number[]} b
 */
export function dotProduct(a, b) {
  return a.reduce((sum, component, i) => sum + component * (b[i] ?? 0), 0);
}
