import { checksumOfBlobs } from "./checksum.js";
import { bytesOf } from "./chunk-blocks.js";
import type { Connection } from "./driver.js";
import { addToVectorCount } from "./meta.js";
import { BLOCK_SLOTS, blockOf } from "./slots.js";
import { quantize, signBytes } from "./vector/index.js";
import type { VectorWriter } from "./vector-index.js";
import type { VectorTable } from "./vector-table.js";

/** A row of a table of blocks. */
export interface VectorBlockRow {
  readonly block: number;
  readonly scales: Uint8Array;
  readonly signs: Uint8Array;
  readonly rows: Uint8Array;
}

interface VectorBlock {
  /** 0 where there is no vector; -0 where there is none because the model has nothing to say about the chunk. */
  readonly scales: Float32Array<ArrayBuffer>;
  readonly signs: Uint8Array<ArrayBuffer>;
  readonly rows: Int8Array<ArrayBuffer>;
}

/** Gathers the changes of one write. */
export class VectorBlockWriter implements VectorWriter {
  readonly #connection: Connection;
  readonly #table: VectorTable;
  readonly #dimensions: number;
  readonly #signBytes: number;
  readonly #blocks = new Map<number, VectorBlock>();
  readonly #changed = new Set<number>();
  /** Vectors that came, less those that went. */
  #added = 0;

  constructor(connection: Connection, table: VectorTable) {
    this.#connection = connection;
    this.#table = table;
    this.#dimensions = table.dimensions;
    this.#signBytes = signBytes(table.dimensions);
  }

  put(slot: number, vector: Float32Array): void {
    const { scale, row, signs } = quantize(vector);
    this.#set(slot, scale, signs, row);
  }

  putNone(slot: number): void {
    this.#block(blockOf(slot)).scales[slot % BLOCK_SLOTS] = -0;
    this.#changed.add(blockOf(slot));
  }

  copy(from: number, to: number): void {
    const { scales, signs, rows } = this.#block(blockOf(from));
    const index = from % BLOCK_SLOTS;
    if (Object.is(scales[index], 0)) return;
    if (scales[index] === 0) {
      this.putNone(to);
      return;
    }
    this.#set(
      to,
      scales[index]!,
      signs.subarray(index * this.#signBytes, (index + 1) * this.#signBytes),
      rows.subarray(index * this.#dimensions, (index + 1) * this.#dimensions),
    );
  }

  remove(slot: number): void {
    const { scales } = this.#block(blockOf(slot));
    const index = slot % BLOCK_SLOTS;
    if (Object.is(scales[index], 0)) return;
    if (scales[index] !== 0) this.#added--;
    scales[index] = 0;
    this.#changed.add(blockOf(slot));
  }

  finish(stamp: number): void {
    const upsert = this.#connection.prepare(
      `INSERT INTO ${this.#table.name} (block, stamp, checksum, scales, signs, rows) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (block) DO UPDATE SET stamp = excluded.stamp, checksum = excluded.checksum,
         scales = excluded.scales, signs = excluded.signs, rows = excluded.rows`,
    );
    for (const block of this.#changed) {
      const { scales, signs, rows } = this.#blocks.get(block)!;
      const blobs = [bytesOf(scales), signs, bytesOf(rows)] as const;
      upsert.run(block, stamp, checksumOfBlobs(...blobs), ...blobs);
    }
    addToVectorCount(this.#connection, this.#table.countKey, this.#added);
    this.#added = 0;
    this.#blocks.clear();
    this.#changed.clear();
  }

  #set(slot: number, scale: number, signs: Uint8Array, row: Int8Array): void {
    const block = this.#block(blockOf(slot));
    const index = slot % BLOCK_SLOTS;
    if (block.scales[index] === 0) this.#added++;
    block.scales[index] = scale;
    block.signs.set(signs, index * this.#signBytes);
    block.rows.set(row, index * this.#dimensions);
    this.#changed.add(blockOf(slot));
  }

  #block(number: number): VectorBlock {
    let block = this.#blocks.get(number);
    if (block === undefined) {
      block = {
        scales: new Float32Array(BLOCK_SLOTS),
        signs: new Uint8Array(BLOCK_SLOTS * this.#signBytes),
        rows: new Int8Array(BLOCK_SLOTS * this.#dimensions),
      };
      const stored = this.#connection
        .prepare<VectorBlockRow>(`SELECT block, scales, signs, rows FROM ${this.#table.name} WHERE block = ?`)
        .get(number);
      if (stored !== undefined) {
        bytesOf(block.scales).set(stored.scales);
        block.signs.set(stored.signs);
        bytesOf(block.rows).set(stored.rows);
      }
      this.#blocks.set(number, block);
    }
    return block;
  }
}
