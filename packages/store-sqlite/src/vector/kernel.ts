/** Memory that a kernel computes on. `grow` adds pages of 64 kB, zeros, and replaces `buffer`. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  /** Throws a `RangeError` when there is no more memory. */
  grow(pages: number): void;
}

/**
 * The two inner loops of vector search, in one memory: all places are byte addresses in it. There are two
 * implementations, `wasmKernel` and `plainKernel`, and their results are the same to the last bit.
 *
 * Both functions walk the rows of the slots from `slot` to `end`, exclusive. `row` is the address of the first and
 * `width` the distance to the next, a multiple of 16; `allowed` is the address of one byte a slot, 0 to pass it over.
 * For each slot that is good enough they append a record at `out`, by slot, and return the address behind the last.
 * `READ_AHEAD` bytes behind the last row must be part of the memory.
 */
export interface Kernel {
  readonly memory: KernelMemory;
  /**
   * Records of 16 bytes, score f64, slot i32 and 4 unused, of the slots whose scale is not 0 and whose score, the dot
   * product of query and row times scale, is at least `floor`. `query` holds `width` numbers of 16 bits, a row `width`
   * of 8 bits, all signed; the dot product must fit into 32 bits. `scale` is the address of one f32 a slot.
   */
  dot(
    query: number,
    row: number,
    width: number,
    scale: number,
    allowed: number,
    slot: number,
    end: number,
    floor: number,
    out: number,
  ): number;
  /**
   * Records of 8 bytes, slot i32 and distance i32, of the slots that are present and whose row differs from the query
   * in at most `ceiling` bits. `present` is the address of one byte a slot, 0 for absent.
   */
  hamming(
    query: number,
    row: number,
    width: number,
    present: number,
    allowed: number,
    slot: number,
    end: number,
    ceiling: number,
    out: number,
  ): number;
}

/** Bytes that a kernel reads ahead of the row it computes, to have them in cache in time. */
export const READ_AHEAD: number = 16384;
