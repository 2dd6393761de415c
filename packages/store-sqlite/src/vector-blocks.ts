import type { Scored } from "./best.js";
import { checksumOfBlobs } from "./checksum.js";
import type { ChunkTable } from "./chunk-table.js";
import type { Connection } from "./driver.js";
import { readVectorCount, type State, writeVectorCount } from "./meta.js";
import { BLOCK_SLOTS, type SlotMap, targetOf } from "./slots.js";
import { signBytes, vectorTolerance } from "./vector/index.js";
import { type BlockSearch, floatsOf, Int8Search, SignSearch } from "./vector-block-search.js";
import { type VectorBlockRow, VectorBlockWriter } from "./vector-block-writer.js";
import type { VectorIndex, VectorWriter } from "./vector-index.js";

/** How many blocks a renumbering holds in memory. */
const RENUMBER_BLOCKS = 64;

/**
 * Vectors as rows of int8 with a scale each, in `vector_block`. `int8` loads all rows and compares with each of them.
 * `signs` loads sign bits only, an eighth of the memory, and scores the rows of those that differ least from the query.
 */
export class VectorBlocks implements VectorIndex {
  readonly capability: "exact" | "approximate";
  readonly tolerance: number;
  readonly #connection: Connection;
  readonly #dimensions: number;
  readonly #search: BlockSearch;
  /** What `#search` holds: all blocks of a numbering, as they were at a generation. */
  #numbering = "";
  #generation = -1;

  constructor(connection: Connection, dimensions: number, kind: "int8" | "signs") {
    this.#connection = connection;
    this.#dimensions = dimensions;
    this.capability = kind === "int8" ? "exact" : "approximate";
    this.tolerance = vectorTolerance(dimensions);
    this.#search = kind === "int8" ? new Int8Search(dimensions) : new SignSearch(connection, dimensions);
  }

  writer(): VectorWriter {
    return new VectorBlockWriter(this.#connection, this.#dimensions);
  }

  renumber(map: SlotMap, stamp: number): void {
    const blocks = this.#connection.prepare<{ block: number }>("SELECT block FROM vector_block ORDER BY block").all();
    const count = readVectorCount(this.#connection);
    const writer = new VectorBlockWriter(this.#connection, this.#dimensions);
    const remove = this.#connection.prepare("DELETE FROM vector_block WHERE block = ?");
    let held = 0;
    for (const { block } of blocks) {
      for (let slot = block * BLOCK_SLOTS; slot < (block + 1) * BLOCK_SLOTS; slot++) {
        const target = targetOf(map, slot);
        if (target !== 0) writer.copy(slot, target);
      }
      if (++held % RENUMBER_BLOCKS === 0) writer.finish(stamp);
      remove.run(block);
    }
    writer.finish(stamp);
    // To the writer the copies are new, and nobody told it of the blocks that were removed.
    writeVectorCount(this.#connection, count);
  }

  count(): number {
    let count = 0;
    for (const { scales } of this.#connection.prepare<VectorBlockRow>("SELECT scales FROM vector_block").iterate()) {
      for (const scale of floatsOf(scales)) if (scale !== 0) count++;
    }
    return count;
  }

  search(
    query: Float32Array,
    limit: number,
    table: ChunkTable,
    state: State,
    allowed: Uint8Array | undefined,
  ): readonly Scored[] {
    this.#refresh(table, state);
    return this.#search.search(query, limit, table.first, allowed);
  }

  check(table: ChunkTable): string[] {
    const faults: string[] = [];
    const blocks = this.#connection.prepare<VectorBlockRow & { readonly checksum: number }>(
      "SELECT block, checksum, scales, signs, rows FROM vector_block",
    );
    let vectors = 0;
    for (const { block, checksum, scales, signs, rows } of blocks.iterate()) {
      if (
        scales.length !== BLOCK_SLOTS * 4 ||
        signs.length !== BLOCK_SLOTS * signBytes(this.#dimensions) ||
        rows.length !== BLOCK_SLOTS * this.#dimensions
      ) {
        faults.push(`Vector block ${block} has blobs of the wrong size.`);
        continue;
      }
      if (checksumOfBlobs(scales, signs, rows) !== checksum) {
        faults.push(`Vector block ${block} is not what was written.`);
      }
      floatsOf(scales).forEach((scale, index) => {
        const slot = block * BLOCK_SLOTS + index;
        if (scale === 0) return;
        vectors++;
        if (!Number.isFinite(scale) || scale < 0) faults.push(`The vector in slot ${slot} has the scale ${scale}.`);
        if (!table.holds(slot)) faults.push(`There is a vector in slot ${slot}, where no chunk is.`);
      });
    }
    const counted = readVectorCount(this.#connection);
    if (vectors !== counted) faults.push(`${counted} vectors are counted, and there are ${vectors}.`);
    return faults;
  }

  #refresh(table: ChunkTable, state: State): void {
    if (state.numbering !== this.#numbering) {
      this.#search.reset();
      this.#numbering = state.numbering;
      this.#generation = -1;
    }
    if (state.generation === this.#generation) return;
    const blocks = this.#connection.prepare<VectorBlockRow>(
      `SELECT ${this.#search.columns} FROM vector_block WHERE stamp > ?`,
    );
    for (const row of blocks.iterate(this.#generation)) this.#search.load(row.block * BLOCK_SLOTS - table.first, row);
    this.#generation = state.generation;
  }
}
