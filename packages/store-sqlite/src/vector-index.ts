import type { Scored } from "@docsearch/store-kit";
import type { ChunkTable } from "./chunk-table.js";
import type { State } from "./meta.js";
import type { SlotMap } from "./slots.js";

/** Changes the vectors within one write. */
export interface VectorWriter {
  /** Stores the vector of the chunk in `slot`: of the right length, finite and not zero. */
  put(slot: number, vector: Float32Array): void;
  /** Notes that the model has nothing to say about the chunk in `slot`. */
  putNone(slot: number): void;
  /** Gives the chunk in `to` what is known of the chunk in `from`, which may be nothing. */
  copy(from: number, to: number): void;
  remove(slot: number): void;
  finish(stamp: number): void;
}

/** Keeps one vector for each chunk that has one, and finds the most similar. Calls need an open transaction. */
export interface VectorIndex {
  readonly capability: "exact" | "approximate";
  /** Largest error of a score. */
  readonly tolerance: number;
  writer(): VectorWriter;
  /** Moves every chunk to its new slot. */
  renumber(map: SlotMap, stamp: number): void;
  /** Number of vectors. */
  count(): number;
  /**
   * The `limit` most similar chunks, `index` being the slot, in no order, and all that tie with the last.
   *
   * @param query finite and not zero, of any length
   * @param table refreshed to `state`
   * @param allowed by chunk of `table`, 0 where it may not be found; absent: all may
   */
  search(
    query: Float32Array,
    limit: number,
    table: ChunkTable,
    state: State,
    allowed: Uint8Array | undefined,
  ): readonly Scored[];
  /** One sentence for each fault. */
  check(table: ChunkTable): string[];
}
