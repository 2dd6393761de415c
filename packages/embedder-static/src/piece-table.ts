import { CONTINUATION, homeSlot, idBits, type PieceIndex } from "./piece-index.js";

/**
 * The pieces of the vocabulary, found by the code units in a buffer. Look-ups are most of what the tokenizer does, and
 * a `Map` would need a string made for each.
 */
export class PieceTable {
  readonly longestHead: number;
  readonly longestTail: number;
  readonly #lines: string;
  readonly #starts: Int32Array;
  readonly #slots: Int32Array;
  readonly #mask: number;
  readonly #idBits: number;
  readonly #idMask: number;

  /** `lines` is what `index` was made from. */
  constructor(lines: string, index: PieceIndex) {
    this.#lines = lines;
    this.#starts = index.starts;
    this.#slots = index.slots;
    this.#mask = index.slots.length - 1;
    this.#idBits = idBits(index.starts.length - 1);
    this.#idMask = 2 ** this.#idBits - 1;
    this.longestHead = index.longestHead;
    this.longestTail = index.longestTail;
  }

  /** Id of the piece that starts a word and is `units[start..end)`, or -1. `hash` is that of these units. */
  findHead(hash: number, units: Uint16Array, start: number, end: number): number {
    return this.#find(hash, 0, units, start, end);
  }

  /** Id of the piece that continues a word and is `units[start..end)`, or -1. `hash` began at `TAIL_HASH`. */
  findTail(hash: number, units: Uint16Array, start: number, end: number): number {
    return this.#find(hash, CONTINUATION, units, start, end);
  }

  #find(hash: number, skip: number, units: Uint16Array, start: number, end: number): number {
    const tag = hash << this.#idBits;
    for (let slot = homeSlot(hash) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const entry = this.#slots[slot]!;
      if (entry === 0) return -1;
      const id = (entry & this.#idMask) - 1;
      if ((entry ^ tag) >>> this.#idBits === 0 && this.#equals(id, skip, units, start, end)) return id;
    }
  }

  #equals(id: number, skip: number, units: Uint16Array, start: number, end: number): boolean {
    const piece = this.#starts[id]! + skip;
    if (this.#starts[id + 1]! - 1 - piece !== end - start) return false;
    for (let i = start; i < end; i++) {
      if (this.#lines.charCodeAt(piece + i - start) !== units[i]) return false;
    }
    return true;
  }
}
