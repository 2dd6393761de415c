import { DocsearchError } from "@docsearch/spec";

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

/** In double precision, where no square of a 32-bit number overflows or vanishes. */
export function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
