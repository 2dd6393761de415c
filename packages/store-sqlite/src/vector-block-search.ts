import type { Scored } from "./best.js";
import type { Connection } from "./driver.js";
import { BLOCK_SLOTS, blockOf } from "./slots.js";
import { cosine, normalize, SignScan, VectorScan } from "./vector/index.js";
import type { VectorBlockRow } from "./vector-block-writer.js";

/** Candidates that the sign scan passes on: so many at least, and so many for each hit that is asked for. */
const LEAST_CANDIDATES = 400;
const CANDIDATES_PER_HIT = 20;

/** Searches vectors that were loaded from `vector_block`. Chunks are counted from the first slot that is loaded. */
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
  readonly #dimensions: number;
  #scan: SignScan;

  constructor(connection: Connection, dimensions: number) {
    this.#connection = connection;
    this.#dimensions = dimensions;
    this.#scan = new SignScan(dimensions);
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
    const select = this.#connection.prepare<{ scale: Uint8Array; row: Uint8Array }>(
      "SELECT substr(scales, ?, 4) AS scale, substr(rows, ?, ?) AS row FROM vector_block WHERE block = ?",
    );
    const dimensions = this.#dimensions;
    const hits = candidates.map((chunk): Scored => {
      const slot = chunk + first;
      const index = slot % BLOCK_SLOTS;
      const { scale, row } = select.get(index * 4 + 1, index * dimensions + 1, dimensions, blockOf(slot))!;
      const bytes = new Int8Array(row.buffer, row.byteOffset, row.length);
      return { index: slot, score: cosine(unit, bytes, floatsOf(scale)[0]!) };
    });
    hits.sort((a, b) => b.score - a.score);
    const last = hits[Math.floor(limit) - 1]?.score ?? Number.NEGATIVE_INFINITY;
    return hits.filter(({ score }) => score >= last);
  }
}

/** Floats in a blob, copied because a blob may lie at any address. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
