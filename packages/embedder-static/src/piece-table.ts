import { loadFailed } from "./load-error.js";

const NEWLINE = 0x0a;
const HASH_SIGN = 0x23;
/** Length of the `##` that a line of `vocab.txt` begins with when its piece continues a word. */
const CONTINUATION = 2;

const OFFSET_BASIS = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

/** FNV-1a over UTF-16 code units (Fowler, Noll and Vo, RFC 9923, with units in the place of octets). */
export function hashUnit(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, PRIME);
}

/** Where the hash of a piece begins that starts a word. */
export const HEAD_HASH: number = OFFSET_BASIS;
/** Where the hash of a piece begins that continues a word: its line's `##` is hashed already. */
export const TAIL_HASH: number = hashUnit(hashUnit(OFFSET_BASIS, HASH_SIGN), HASH_SIGN);

/** The low bits of FNV-1a depend on the low bits of its input alone, so the slot takes in the high half. */
function homeSlot(hash: number): number {
  return hash ^ (hash >>> 15);
}

/**
 * The pieces of the vocabulary, found by the code units in a buffer. Look-ups are most of what the tokenizer does, and
 * a `Map` would need a string made for each.
 */
export class PieceTable {
  /** Code units of the longest piece that starts a word. */
  readonly longestHead: number;
  /** Code units of the longest piece that continues one. */
  readonly longestTail: number;
  readonly #lines: string;
  /** Where each line begins in `#lines`, and where the one behind the last would. */
  readonly #starts: Int32Array;
  /** Open addressing, linear probing. Two numbers a slot: the hash, and the piece's id plus one or 0. */
  readonly #slots: Int32Array;
  readonly #mask: number;

  /**
   * `text` is the content of `vocab.txt`: one piece a line, the line's number from 0 is its id. Throws
   * `BACKEND_LOAD_FAILED` when it does not hold exactly `count` different pieces; `file` names it in the message.
   */
  constructor(text: string, count: number, file: string) {
    // With Windows line ends no piece would ever be found, and no text would have a vector.
    if (text.includes("\r")) throw loadFailed(`${file} has carriage returns; its lines end in a line feed alone`);
    const lines = text.endsWith("\n") ? text : `${text}\n`;
    const starts = new Int32Array(count + 1);
    // At most half full, so that a miss, which is the commonest outcome, ends after a probe or two.
    const capacity = 2 ** Math.ceil(Math.log2(count * 2));
    const slots = new Int32Array(capacity * 2);
    const mask = capacity - 1;

    // Half the time that loading takes goes here, in code that no compiler has seen yet: so local variables only.
    let longestHead = 0;
    let longestTail = 0;
    let id = 0;
    let start = 0;
    let hash = HEAD_HASH;
    for (let i = 0; i < lines.length; i++) {
      const unit = lines.charCodeAt(i);
      if (unit !== NEWLINE) {
        hash = Math.imul(hash ^ unit, PRIME);
        continue;
      }
      if (id === count) throw loadFailed(`${file} holds more than the ${count} lines that config.json promises`);
      if (i === start) throw loadFailed(`${file} has no piece on line ${id + 1}`);

      let slot = homeSlot(hash) & mask;
      for (; slots[slot * 2 + 1] !== 0; slot = (slot + 1) & mask) {
        if (slots[slot * 2] !== hash) continue;
        const other = slots[slot * 2 + 1]! - 1;
        const piece = lines.slice(start, i);
        if (lines.slice(starts[other]!, starts[other + 1]! - 1) !== piece) continue;
        throw loadFailed(`${file} has "${piece}" on line ${other + 1} and on line ${id + 1}; a piece stands once`);
      }
      slots[slot * 2] = hash;
      slots[slot * 2 + 1] = id + 1;

      const continues = lines.charCodeAt(start) === HASH_SIGN && lines.charCodeAt(start + 1) === HASH_SIGN;
      if (continues) longestTail = Math.max(longestTail, i - start - CONTINUATION);
      else longestHead = Math.max(longestHead, i - start);
      id++;
      start = i + 1;
      starts[id] = start;
      hash = HEAD_HASH;
    }
    if (id < count) throw loadFailed(`${file} holds ${id} lines where config.json promises ${count}`);

    this.#lines = lines;
    this.#starts = starts;
    this.#slots = slots;
    this.#mask = mask;
    this.longestHead = longestHead;
    this.longestTail = longestTail;
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
    for (let slot = homeSlot(hash) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const id = this.#slots[slot * 2 + 1]! - 1;
      if (id < 0) return -1;
      if (this.#slots[slot * 2] === hash && this.#equals(id, skip, units, start, end)) return id;
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
