/** A vector of unit length, or what is wrong with what the server sent. */
export type CheckedVector = { readonly vector: Float32Array } | { readonly fault: string };

/** The numbers of an embedding: an array, or base64 of little-endian floats. `undefined` for anything else. */
export function decodeEmbedding(raw: unknown): ArrayLike<number> | undefined {
  // What the server sent decides, not what was asked for: many servers ignore `encoding_format`.
  if (Array.isArray(raw)) return raw as number[];
  if (typeof raw !== "string") return undefined;
  const bytes = Buffer.from(raw, "base64");
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(4 * index));
}

/** The first `dimensions` numbers, brought to unit length. */
export function unitVector(numbers: ArrayLike<number>, dimensions: number): CheckedVector {
  let squares = 0;
  for (let i = 0; i < dimensions; i++) {
    const number = numbers[i];
    if (typeof number !== "number" || !Number.isFinite(number))
      return { fault: "a vector with values that are not numbers" };
    squares += number * number;
  }
  const length = Math.sqrt(squares);
  if (length === 0 || !Number.isFinite(length)) return { fault: "a vector without a direction" };
  return { vector: Float32Array.from({ length: dimensions }, (_, i) => (numbers[i] as number) / length) };
}
