import { quantize } from "../src/vector/index.js";

/** Numbers from 0 to 1, exclusive, the same for the same seed (mulberry32). */
export function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Vectors of normally distributed components: all directions are equally likely. */
export function gaussianVectors(seed: number, count: number, dimensions: number): Float32Array[] {
  const uniform = uniforms(seed);
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, gaussian));
}

/** Vectors as the scans take them, one after another. */
export interface Packed {
  readonly scales: Float32Array;
  readonly rows: Int8Array;
  readonly signs: Uint8Array;
  readonly present: Uint8Array;
}

export function pack(vectors: readonly Float32Array[]): Packed {
  const stored = vectors.map(quantize);
  return {
    scales: Float32Array.from(stored, ({ scale }) => scale),
    rows: new Int8Array(Buffer.concat(stored.map(({ row }) => new Uint8Array(row.buffer)))),
    signs: new Uint8Array(Buffer.concat(stored.map(({ signs }) => signs))),
    present: new Uint8Array(vectors.length).fill(1),
  };
}
