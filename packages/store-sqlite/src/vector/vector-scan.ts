import { cosine, normalize } from "./quantize.js";
import { ScoreHeap } from "./score-heap.js";
import { SlotTable } from "./slot-table.js";

/** One vector found. */
export interface ScanHit {
  readonly slot: number;
  /** Cosine similarity. */
  readonly score: number;
}

/** The query in integers: `unit` is about `step * integers`; the difference has at most the length `error`. */
interface IntegerQuery {
  readonly integers: Int16Array;
  readonly step: number;
  readonly error: number;
}

/** Size of the largest int8. */
const LARGEST_BYTE = 128;

/**
 * Exact nearest neighbours among vectors stored by `quantize`, by looking at every one of them. Holds them in memory:
 * `dimensions` bytes, rounded up to a multiple of 16, and 4 more for each slot up to the highest.
 */
export class VectorScan {
  readonly dimensions: number;
  readonly #table: SlotTable;
  #largestScale = 0;

  /** `wasm: false` computes in plain JavaScript even where WebAssembly SIMD is there; the answers are the same. */
  constructor(dimensions: number, options: { readonly wasm?: boolean } = {}) {
    this.dimensions = dimensions;
    const width = Math.ceil(dimensions / 16) * 16;
    this.#table = new SlotTable({ width, markBytes: 4, queryBytes: width * 2, wasm: options.wasm ?? true });
  }

  /**
   * Puts vectors into the slots from `first` on, one for each of `scales`, in place of what was there. `rows` holds
   * their rows one after another, `dimensions` bytes each. A scale of 0 leaves a slot without a vector; so is every
   * slot never loaded. `STORE_FAILED` when there is not the memory for them.
   */
  load(first: number, scales: Float32Array, rows: Int8Array): void {
    const { dimensions } = this;
    const table = this.#table;
    if (rows.length !== scales.length * dimensions) {
      throw new RangeError(
        `${scales.length} scales need ${scales.length * dimensions} bytes of rows, got ${rows.length}`,
      );
    }
    table.extend(first + scales.length);
    const rowBytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.length);
    const { bytes } = table;
    for (const { slot, end } of table.parts(first, first + scales.length)) {
      new Float32Array(bytes.buffer, table.mark(slot), end - slot).set(scales.subarray(slot - first, end - first));
      if (dimensions === table.width) {
        bytes.set(rowBytes.subarray((slot - first) * dimensions, (end - first) * dimensions), table.row(slot));
      } else {
        for (let i = slot - first; i < end - first; i++) {
          bytes.set(rowBytes.subarray(i * dimensions, (i + 1) * dimensions), table.row(first + i));
        }
      }
    }
    // By index: this runs over every vector of the index before the first answer, in code that nothing has compiled yet.
    let largest = this.#largestScale;
    for (let i = 0; i < scales.length; i++) largest = Math.max(largest, Math.abs(scales[i]!));
    this.#largestScale = largest;
  }

  /**
   * The `limit` vectors most similar to `query`, best first, equal scores by slot, and behind them every further one
   * whose score equals the last. `query` has any length above zero. Slots where `allowed` is 0, and slots behind its
   * end, are left out. Scores are `cosine(normalize(query), row, scale)`, and the list is the one that computing this
   * for every slot would give.
   */
  search(query: Float32Array, limit: number, allowed?: Uint8Array): readonly ScanHit[] {
    if (limit <= 0 || this.#table.slots === 0) return [];
    const unit = normalize(query);
    const hits = this.#shortlist(unit, limit, allowed).map((slot) => ({ slot, score: this.#score(unit, slot) }));
    hits.sort((a, b) => b.score - a.score || a.slot - b.slot);
    const last = hits[limit - 1]?.score;
    let length = Math.min(limit, hits.length);
    while (length < hits.length && hits[length]?.score === last) length++;
    return hits.slice(0, length);
  }

  #score(unit: Float32Array, slot: number): number {
    const { buffer } = this.#table.bytes;
    const row = new Int8Array(buffer, this.#table.row(slot), this.dimensions);
    return cosine(unit, row, new Float32Array(buffer, this.#table.mark(slot), 1)[0]!);
  }

  /**
   * Every slot that may be among the best `limit`, by scores of integers alone.
   *
   * With q the query, i its integers and s their step, the score of a row r is scale * (q . r), and the kernel gives
   * scale * (i . r), which is 1 / s times as large but for scale * ((q - s i) . r). That is at most
   * scale * |q - s i| * |r|, and |r| is at most 128 sqrt(n). Call this e, with the largest scale there is. The last of
   * the best `limit` scores is at least the kernel's `limit`th best less e, so a slot that the kernel puts lower by more
   * than 2 e cannot be among them. With 16 bits for the query, e is about 0.0001, and the shortlist hardly longer than
   * the list.
   */
  #shortlist(unit: Float32Array, limit: number, allowed: Uint8Array | undefined): number[] {
    const table = this.#table;
    const { integers, step, error } = integerQuery(unit);
    const margin = (2 * this.#largestScale * error * LARGEST_BYTE * Math.sqrt(this.dimensions)) / step;
    const { buffer } = table.bytes;
    new Int16Array(buffer, table.query, integers.length).set(integers);
    const best = new ScoreHeap(Math.min(limit, table.slots));
    const scores: number[] = [];
    const slots: number[] = [];
    for (const { slot, end } of table.blocks(allowed)) {
      const stop = table.kernel.dot(
        table.query,
        table.row(slot),
        table.width,
        table.mark(slot),
        table.allowed,
        slot,
        end,
        best.floor - margin,
        table.records,
      );
      const found = (stop - table.records) / 16;
      const foundScores = new Float64Array(buffer, table.records, found * 2);
      const foundSlots = new Int32Array(buffer, table.records, found * 4);
      for (let i = 0; i < found; i++) {
        scores.push(foundScores[i * 2]!);
        slots.push(foundSlots[i * 4 + 2]!);
        best.add(foundScores[i * 2]!);
      }
    }
    return slots.filter((_, i) => scores[i]! >= best.floor - margin);
  }
}

/**
 * A query of unit length in 16 bits, or fewer where a dot product could leave 32 bits: |i| is at most 1 / step and half
 * a step of rounding for each component, |r| at most 128 sqrt(n), so a step of 128 sqrt(n) / 2^30 keeps it below 2^31.
 */
function integerQuery(unit: Float32Array): IntegerQuery {
  let largest = 0;
  for (const component of unit) largest = Math.max(largest, Math.abs(component));
  const step = Math.max(largest / 32767, (LARGEST_BYTE * Math.sqrt(unit.length)) / 2 ** 30);
  const integers = new Int16Array(unit.length);
  let squares = 0;
  for (let j = 0; j < unit.length; j++) {
    integers[j] = Math.round(unit[j]! / step);
    squares += (unit[j]! - integers[j]! * step) ** 2;
  }
  // Both scores are sums rounded to double precision, which takes n * 2^-53 of |q| |r| and little more from each.
  return { integers, step, error: Math.sqrt(squares) + (unit.length + 4) * 2 ** -52 };
}
