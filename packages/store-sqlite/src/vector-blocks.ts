import type { Scored } from "@docsearch/store-kit";
import { checksumOfBlobs } from "./checksum.js";
import type { ChunkTable } from "./chunk-table.js";
import type { Connection } from "./driver.js";
import { readVectorCount, type State, writeVectorCount } from "./meta.js";
import { BLOCK_SLOTS, blockOf, type SlotMap, targetOf } from "./slots.js";
import { signBytes, vectorTolerance } from "./vector/index.js";
import { type BlockSearch, floatsOf, Int8Search, SignSearch } from "./vector-block-search.js";
import { type VectorBlockRow, VectorBlockWriter } from "./vector-block-writer.js";
import type { VectorIndex, VectorWriter } from "./vector-index.js";
import type { VectorTable } from "./vector-table.js";

/** How many blocks a renumbering holds in memory. */
const RENUMBER_BLOCKS = 64;

/**
 * Vectors of one space as rows of int8 with a scale each, in blocks. `int8` loads all rows and compares with each of them.
 * `signs` loads sign bits only, an eighth of the memory, and scores the rows of those that differ least from the query.
 */
export class VectorBlocks implements VectorIndex {
  readonly capability: "exact" | "approximate";
  readonly tolerance: number;
  readonly #connection: Connection;
  readonly #table: VectorTable;
  readonly #search: BlockSearch;
  /** What `#search` holds: all blocks of a numbering, as they were at a generation. */
  #numbering = "";
  #generation = -1;

  constructor(connection: Connection, table: VectorTable, kind: "int8" | "signs") {
    this.#connection = connection;
    this.#table = table;
    this.capability = kind === "int8" ? "exact" : "approximate";
    this.tolerance = vectorTolerance(table.dimensions);
    this.#search = kind === "int8" ? new Int8Search(table.dimensions) : new SignSearch(connection, table);
  }

  writer(): VectorWriter {
    return new VectorBlockWriter(this.#connection, this.#table);
  }

  renumber(map: SlotMap, stamp: number): void {
    const { name, countKey } = this.#table;
    const blocks = this.#connection.prepare<{ block: number }>(`SELECT block FROM ${name} ORDER BY block`).all();
    const count = readVectorCount(this.#connection, countKey);
    const writer = new VectorBlockWriter(this.#connection, this.#table);
    const remove = this.#connection.prepare(`DELETE FROM ${name} WHERE block = ?`);
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
    writeVectorCount(this.#connection, countKey, count);
  }

  count(): number {
    return this.coverage().vectors;
  }

  /** `asked`: chunks that have a vector, or of which the model has nothing to say. */
  coverage(): { readonly vectors: number; readonly asked: number } {
    let vectors = 0;
    let asked = 0;
    const blocks = this.#connection.prepare<VectorBlockRow>(`SELECT scales FROM ${this.#table.name}`);
    for (const { scales } of blocks.iterate()) {
      for (const scale of floatsOf(scales)) {
        if (scale !== 0) vectors++;
        if (!Object.is(scale, 0)) asked++;
      }
    }
    return { vectors, asked };
  }

  /** Whether the model was not asked about the chunk in a slot. */
  isLacking(slot: number): boolean {
    const row = this.#connection
      .prepare<VectorBlockRow>(`SELECT scales FROM ${this.#table.name} WHERE block = ?`)
      .get(blockOf(slot));
    return row === undefined || Object.is(floatsOf(row.scales)[slot % BLOCK_SLOTS], 0);
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
      `SELECT block, checksum, scales, signs, rows FROM ${this.#table.name}`,
    );
    let vectors = 0;
    for (const { block, checksum, scales, signs, rows } of blocks.iterate()) {
      if (
        scales.length !== BLOCK_SLOTS * 4 ||
        signs.length !== BLOCK_SLOTS * signBytes(this.#table.dimensions) ||
        rows.length !== BLOCK_SLOTS * this.#table.dimensions
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
    const counted = readVectorCount(this.#connection, this.#table.countKey);
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
      `SELECT ${this.#search.columns} FROM ${this.#table.name} WHERE stamp > ?`,
    );
    for (const row of blocks.iterate(this.#generation)) this.#search.load(row.block * BLOCK_SLOTS - table.first, row);
    this.#generation = state.generation;
  }
}
