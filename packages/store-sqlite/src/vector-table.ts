/** Where the vectors of one space are. */
export interface VectorTable {
  /** Of the blocks. */
  readonly name: string;
  /** Key in `meta` under which the number of vectors is kept. */
  readonly countKey: string;
  readonly dimensions: number;
}

/** @param space number of the space; 0 is the one that an index begins with */
export function vectorTable(space: number, dimensions: number): VectorTable {
  const suffix = space === 0 ? "" : `_${space}`;
  return { name: `vector_block${suffix}`, countKey: `vectors${suffix}`, dimensions };
}
