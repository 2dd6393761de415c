import { signBits, signBytes } from "./quantize.js";
import { SlotTable } from "./slot-table.js";

/** More than there can be slots: distance and slot share a number, which orders them both. */
const SLOTS = 2 ** 32;

/**
 * Nearest neighbours by sign bits alone: a first choice, an eighth of the bytes of `VectorScan`, to be scored by
 * `cosine` afterwards. The number of signs in which two vectors differ grows with the angle between them.
 */
export class SignScan {
  readonly dimensions: number;
  readonly #table: SlotTable;

  /** `wasm: false` computes in plain JavaScript even where WebAssembly SIMD is there; the answers are the same. */
  constructor(dimensions: number, options: { readonly wasm?: boolean } = {}) {
    this.dimensions = dimensions;
    const width = signBytes(dimensions);
    this.#table = new SlotTable({ width, markBytes: 1, queryBytes: width, wasm: options.wasm ?? true });
  }

  /**
   * Puts sign bits into the slots from `first` on, one for each of `present`, in place of what was there. `signs` holds
   * `signBytes(dimensions)` bytes for each, one after another. Where `present` is 0 a slot is without a vector; so is
   * every slot never loaded. `STORE_FAILED` when there is not the memory for them.
   */
  load(first: number, signs: Uint8Array, present: Uint8Array): void {
    const table = this.#table;
    if (signs.length !== present.length * table.width) {
      throw new RangeError(
        `${present.length} slots need ${present.length * table.width} bytes of signs, got ${signs.length}`,
      );
    }
    table.extend(first + present.length);
    for (const { slot, end } of table.parts(first, first + present.length)) {
      table.bytes.set(signs.subarray((slot - first) * table.width, (end - first) * table.width), table.row(slot));
      table.bytes.set(present.subarray(slot - first, end - first), table.mark(slot));
    }
  }

  /**
   * The `candidates` slots whose signs differ least from those of `query`, nearest first, equal distances by slot. Slots
   * where `allowed` is 0, and slots behind its end, are left out.
   */
  search(query: Float32Array, candidates: number, allowed?: Uint8Array): readonly number[] {
    if (candidates <= 0) return [];
    const table = this.#table;
    const { buffer } = table.bytes;
    table.bytes.set(signBits(query), table.query);
    // Found so far at each distance, and the least distance within which there are enough of them. Slots come in order,
    // so once there are enough, another at that same distance would only stand behind them.
    const counts = new Uint32Array(this.dimensions + 1);
    let farthest = this.dimensions;
    let within = 0;
    const keys: number[] = [];
    for (const { slot, end } of table.blocks(allowed)) {
      const stop = table.kernel.hamming(
        table.query,
        table.row(slot),
        table.width,
        table.mark(slot),
        table.allowed,
        slot,
        end,
        within < candidates ? farthest : farthest - 1,
        table.records,
      );
      const found = new Int32Array(buffer, table.records, (stop - table.records) / 4);
      for (let i = 0; i < found.length; i += 2) {
        const distance = found[i + 1]!;
        if (distance > farthest) continue;
        keys.push(distance * SLOTS + found[i]!);
        counts[distance] = counts[distance]! + 1;
        within++;
        while (within - counts[farthest]! >= candidates) within -= counts[farthest--]!;
      }
    }
    return Array.from(Float64Array.from(keys).sort().subarray(0, candidates), (key) => key % SLOTS);
  }
}
