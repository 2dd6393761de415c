/** A valid vector made to be of unit length. In double precision, where no square overflows or vanishes. */
export function unitVector(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const component of vector) sum += component * component;
  const length = Math.sqrt(sum);
  return vector.map((component) => component / length);
}
