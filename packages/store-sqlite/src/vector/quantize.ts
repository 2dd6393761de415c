// How a vector is stored: a row of int8, a scale, and sign bits.
//
// With v a vector of unit length and m its largest component by size, the row is r = round(v / s), s = m / 127. What is
// kept as the scale is 1 / |r|, which differs from s by the rounding error alone. So scale * r has unit length again,
// and its product with a unit query is a true cosine: no more than 1 within the precision of a float, and for a vector
// and its own row short of 1 by about half the square of the rounding error.

/** `vector`, which is not zero, at unit length, in a new array. */
export function normalize(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const component of vector) squares += component * component;
  const length = Math.sqrt(squares);
  return vector.map((component) => component / length);
}

/** Bytes of a vector's sign bits: one bit a component, padded with zeros to a multiple of 128 bits. */
export function signBytes(dimensions: number): number {
  return Math.ceil(dimensions / 128) * 16;
}

/**
 * Sign bits, `signBytes(vector.length)` bytes: component j is bit j % 8, counted from the lowest, of byte j / 8. It is 1
 * above zero and 0 at zero, so that sparse vectors without negative components differ by where they are not zero.
 */
export function signBits(vector: Float32Array): Uint8Array {
  const signs = new Uint8Array(signBytes(vector.length));
  for (let j = 0; j < vector.length; j++) {
    if (vector[j]! > 0) signs[j >> 3] = signs[j >> 3]! | (1 << (j & 7));
  }
  return signs;
}

/**
 * The stored form of `vector`: finite, not zero, of any length, since only its direction is kept. `row` holds integers
 * from -127 to 127, halves rounded away from zero; `scale * row` has unit length; `scale` is a float. `signs` are the
 * `signBits` of the vector.
 */
export function quantize(vector: Float32Array): { scale: number; row: Int8Array; signs: Uint8Array } {
  let largest = 0;
  for (const component of vector) largest = Math.max(largest, Math.abs(component));
  const steps = 127 / largest;
  const row = new Int8Array(vector.length);
  let squares = 0;
  for (let j = 0; j < row.length; j++) {
    const size = Math.floor(Math.abs(vector[j]!) * steps + 0.5);
    row[j] = vector[j]! < 0 ? -size : size;
    squares += size * size;
  }
  return { scale: Math.fround(1 / Math.sqrt(squares)), row, signs: signBits(vector) };
}

/**
 * Cosine similarity of a query of unit length and a stored vector, in double precision. The order in which the
 * products are added is fixed, so the same numbers give the same score everywhere.
 */
export function cosine(query: Float32Array, row: Int8Array, scale: number): number {
  // Four sums, because one would wait for each addition before the next.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const unrolled = query.length & ~3;
  for (let j = 0; j < unrolled; j += 4) {
    a += query[j]! * row[j]!;
    b += query[j + 1]! * row[j + 1]!;
    c += query[j + 2]! * row[j + 2]!;
    d += query[j + 3]! * row[j + 3]!;
  }
  for (let j = unrolled; j < query.length; j++) a += query[j]! * row[j]!;
  return (a + b + (c + d)) * scale;
}

/**
 * Largest error of `cosine` for a vector stored by `quantize`, whatever vector and query.
 *
 * The error of a component, e_j = v_j - s r_j, is at most s / 2 = m / 254, and none at the component of size m. Zero can
 * be stored, so it is at most |v_j| as well. Hence |e|^2 <= (n - 1) m^2 / 254^2 and |e|^2 <= 1 - m^2. The first grows
 * with m, the second falls; where they meet, |e|^2 = c / (1 + c) with c = (n - 1) / 254^2. The angle t between v and r
 * has sin t <= |e|, so tan t <= sqrt(c). The score is a product with a unit query, and the ends of two unit vectors at
 * the angle t are 2 sin(t / 2) apart: no score can be off by more. Floats for query and scale add less than 1e-6.
 *
 * The bound is reached, by a vector of one component of 254 and all others just below 1: 0.063 at 256 dimensions, 0.077
 * at 384. The error of ordinary vectors is near a normal distribution of deviation m / (127 sqrt(12)), which is 0.0004
 * for random vectors of 256 dimensions, and smaller the closer query and vector are.
 */
export function vectorTolerance(dimensions: number): number {
  return 2 * Math.sin(Math.atan(Math.sqrt(dimensions - 1) / 254) / 2) + 1e-6;
}
