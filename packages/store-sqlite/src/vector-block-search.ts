import type { Scored } from "@docsearch/store-kit";
import type { Connection } from "./driver.js";
import { BLOCK_SLOTS, blockOf } from "./slots.js";
import { cosine, normalize, SignScan, VectorScan } from "./vector/index.js";
import type { VectorBlockRow } from "./vector-block-writer.js";
import type { VectorTable } from "./vector-table.js";

/** Candidates that the sign scan passes on: so many at least, and so many for each hit that is asked for. */
const LEAST_CANDIDATES = 400;
const CANDIDATES_PER_HIT = 20;

/** Searches vectors that were loaded from a table of blocks. Chunks are counted from the first slot that is loaded. */
export interface BlockSearch {
  /** Columns that `load` needs. */
  readonly columns: string;
  /** Forgets what was loaded. */
  reset(): void;
  /** @param first chunk of the block's first slot */
  load(first: number, row: VectorBlockRow): void;
  /** @param first slot of chunk 0; the other parameters as in `VectorIndex` */
  search(query: Float32Array, limit: number, first: number, allowed: Uint8Array | undefined): readonly Scored[];
}

/** Compares with every row. */
export class Int8Search implements BlockSearch {
  readonly columns = "block, scales, rows";
  readonly #dimensions: number;
  #scan: VectorScan;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#scan = new VectorScan(dimensions);
  }

  reset(): void {
    this.#scan = new VectorScan(this.#dimensions);
  }

  load(first: number, { scales, rows }: VectorBlockRow): void {
    this.#scan.load(first, floatsOf(scales), new Int8Array(rows.buffer, rows.byteOffset, rows.length));
  }

  search(query: Float32Array, limit: number, first: number, allowed: Uint8Array | undefined): readonly Scored[] {
    return this.#scan.search(query, limit, allowed).map(({ slot, score }) => ({ index: slot + first, score }));
  }
}

/** Compares with all sign bits, then with the rows of the nearest, which it reads from the file. */
export class SignSearch implements BlockSearch {
  readonly columns = "block, scales, signs";
  readonly #connection: Connection;
  readonly #table: VectorTable;
  readonly #dimensions: number;
  #scan: SignScan;

  constructor(connection: Connection, table: VectorTable) {
    this.#connection = connection;
    this.#table = table;
    this.#dimensions = table.dimensions;
    this.#scan = new SignScan(table.dimensions);
  }

  reset(): void {
    this.#scan = new SignScan(this.#dimensions);
  }

  load(first: number, { scales, signs }: VectorBlockRow): void {
    const present = new Uint8Array(BLOCK_SLOTS);
    floatsOf(scales).forEach((scale, index) => {
      present[index] = scale === 0 ? 0 : 1;
    });
    this.#scan.load(first, signs, present);
  }

  search(query: Float32Array, limit: number, first: number, allowed: Uint8Array | undefined): readonly Scored[] {
    if (!(limit >= 1)) return [];
    const unit = normalize(query);
    const candidates = this.#scan.search(unit, Math.max(LEAST_CANDIDATES, CANDIDATES_PER_HIT * limit), allowed);
    const slots = Int32Array.from(candidates, (chunk) => chunk + first).sort();
    const hits: Scored[] = [];
    for (let from = 0, to = 0; from < slots.length; from = to) {
      while (to < slots.length && blockOf(slots[to]!) === blockOf(slots[from]!)) to++;
      this.#score(unit, slots.subarray(from, to), hits);
    }
    hits.sort((a, b) => b.score - a.score);
    const last = hits[Math.floor(limit) - 1]?.score ?? Number.NEGATIVE_INFINITY;
    return hits.filter(({ score }) => score >= last);
  }

  /** Scores slots of one block, in order. SQLite reads a blob whole, so all its rows are taken at once. */
  #score(unit: Float32Array, slots: Int32Array, hits: Scored[]): void {
    const dimensions = this.#dimensions;
    const low = slots[0]! % BLOCK_SLOTS;
    const high = slots.at(-1)! % BLOCK_SLOTS;
    const { scales, rows } = this.#connection
      .prepare<{ scales: Uint8Array; rows: Uint8Array }>(
        `SELECT scales, substr(rows, ?, ?) AS rows FROM ${this.#table.name} WHERE block = ?`,
      )
      .get(low * dimensions + 1, (high - low + 1) * dimensions, blockOf(slots[0]!))!;
    const scaleOf = floatsOf(scales);
    for (const slot of slots) {
      const index = slot % BLOCK_SLOTS;
      const row = new Int8Array(rows.buffer, rows.byteOffset + (index - low) * dimensions, dimensions);
      hits.push({ index: slot, score: cosine(unit, row, scaleOf[index]!) });
    }
  }
}

/** Floats in a blob, copied because a blob may lie at any address. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
