/** A valid vector as pgvector reads it, made to be of unit length in double precision. */
export function unitVectorText(vector: Float32Array): string {
  let sum = 0;
  for (const component of vector) sum += component * component;
  const length = Math.sqrt(sum);
  // Seven digits err less than the arithmetic of pgvector does.
  return `[${Array.from(vector, (component) => (component / length).toPrecision(7)).join(",")}]`;
}
