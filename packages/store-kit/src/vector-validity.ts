import { DocsearchError } from "@docsearch/spec";

/**
 * @param expected dimensions of the index
 * @param what names the vector in the message
 * @throws `VECTOR_INVALID` unless the vector has the dimensions, is finite and not zero
 */
export function assertValidVector(vector: Float32Array, expected: number, what: string): void {
  const reason =
    vector.length !== expected
      ? "dimensions"
      : !vector.every(Number.isFinite)
        ? "not-finite"
        : vector.every((component) => component === 0)
          ? "zero"
          : undefined;
  if (reason === undefined) return;
  const found = {
    dimensions: `has ${vector.length} dimensions, and the index takes ${expected}`,
    "not-finite": "holds a number that is not finite",
    zero: "is zero and has no direction",
  };
  throw new DocsearchError(
    "VECTOR_INVALID",
    `The vector of ${what} ${found[reason]}. Use the embedder that the index was made with.`,
    { reason, expected, actual: vector.length },
  );
}
