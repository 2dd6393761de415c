import { dotProduct } from "../embedding/dot-product.js";
import { vectorFault } from "../embedding/vector-fault.js";

/** The vector at unit length. Throws `VECTOR_INVALID` for one of another length, with what is no number, or all zero. */
export function unitVector(vector: Float32Array, expected: number): Float32Array {
  const fault = vectorFault(vector, expected);
  if (fault !== undefined) throw fault;
  const length = Math.sqrt(dotProduct(vector, vector));
  return vector.map((component) => component / length);
}
