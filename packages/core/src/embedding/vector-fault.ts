import { DocsearchError } from "@docsearch/spec";
import { dotProduct } from "./dot-product.js";

/** Why a vector cannot be compared: another length, a component that is no finite number, or none but zeros. */
export function vectorFault(vector: Float32Array, expected: number): DocsearchError<"VECTOR_INVALID"> | undefined {
  const length = Math.sqrt(dotProduct(vector, vector));
  const reason =
    vector.length !== expected
      ? "dimensions"
      : !Number.isFinite(length)
        ? "not-finite"
        : length === 0
          ? "zero"
          : undefined;
  if (reason === undefined) return undefined;
  return new DocsearchError(
    "VECTOR_INVALID",
    `A vector of ${vector.length} dimensions and length ${length} was given; the index takes ${expected} finite numbers, not all zero. Use the embedder that the index was made with.`,
    { reason, expected, actual: vector.length },
  );
}
