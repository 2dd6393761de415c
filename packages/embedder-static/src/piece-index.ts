import { loadFailed } from "./load-error.js";

const NEWLINE = 0x0a;
const HASH_SIGN = 0x23;
/** Length of the `##` that a line of `vocab.txt` begins with when its piece continues a word. */
export const CONTINUATION = 2;

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
export function homeSlot(hash: number): number {
  return hash ^ (hash >>> 15);
}

/** Bits of a slot that hold an id of `count` pieces, plus one. */
export function idBits(count: number): number {
  return 32 - Math.clz32(count);
}

/** At most half full, so that a miss, which is the commonest outcome, ends after a probe or two. */
function capacityFor(count: number): number {
  return 2 ** Math.ceil(Math.log2(count * 2));
}

/** Where the pieces of a vocabulary are found. */
export interface PieceIndex {
  /** Code units of the longest piece that starts a word. */
  readonly longestHead: number;
  /** Code units of the longest piece that continues one. */
  readonly longestTail: number;
  /** Where each line begins, and where the one behind the last would: `count + 1` numbers. */
  readonly starts: Int32Array;
  /** Open addressing, linear probing. A slot is 0, or a piece's id plus one under as much of its hash as has room. */
  readonly slots: Int32Array;
}

/**
 * Reads `lines`, the content of `vocab.txt`: one piece a line, each ended by a line feed. Throws `BACKEND_LOAD_FAILED`
 * when it does not hold exactly `count` different pieces; `file` names it in the message.
 */
export function buildPieceIndex(lines: string, count: number, file: string): PieceIndex {
  // With Windows line ends no piece would ever be found, and no text would have a vector.
  if (lines.includes("\r")) throw loadFailed(`${file} has carriage returns; its lines end in a line feed alone`);
  const starts = new Int32Array(count + 1);
  const slots = new Int32Array(capacityFor(count));
  const mask = slots.length - 1;
  const bits = idBits(count);
  const idMask = 2 ** bits - 1;

  let longestHead = 0;
  let longestTail = 0;
  let id = 0;
  let start = 0;
  let hash = HEAD_HASH;
  for (let i = 0; i < lines.length; i++) {
    const unit = lines.charCodeAt(i);
    if (unit !== NEWLINE) {
      hash = hashUnit(hash, unit);
      continue;
    }
    if (id === count) throw loadFailed(`${file} holds more than the ${count} lines that config.json promises`);
    if (i === start) throw loadFailed(`${file} has no piece on line ${id + 1}`);

    let slot = homeSlot(hash) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const other = (slots[slot]! & idMask) - 1;
      const piece = lines.slice(start, i);
      if (lines.slice(starts[other]!, starts[other + 1]! - 1) !== piece) continue;
      throw loadFailed(`${file} has "${piece}" on line ${other + 1} and on line ${id + 1}; a piece stands once`);
    }
    id++;
    slots[slot] = (hash << bits) | id;

    const continues = lines.charCodeAt(start) === HASH_SIGN && lines.charCodeAt(start + 1) === HASH_SIGN;
    if (continues) longestTail = Math.max(longestTail, i - start - CONTINUATION);
    else longestHead = Math.max(longestHead, i - start);
    start = i + 1;
    starts[id] = start;
    hash = HEAD_HASH;
  }
  if (id < count) throw loadFailed(`${file} holds ${id} lines where config.json promises ${count}`);
  return { longestHead, longestTail, starts, slots };
}

/** Numbers before `starts` in the file: the eight of the vocabulary's SHA-256, and the two lengths. */
const HEAD_LENGTH = 10;
const HASH_LENGTH = 8;

/** An index as the numbers of `vocab.index`, for the vocabulary with this SHA-256 (hexadecimal). */
export function encodePieceIndex(index: PieceIndex, vocabHash: string): Int32Array {
  const { longestHead, longestTail, starts, slots } = index;
  const numbers = new Int32Array(HEAD_LENGTH + starts.length + slots.length);
  numbers.set([...hashNumbers(vocabHash), longestHead, longestTail]);
  numbers.set(starts, HEAD_LENGTH);
  numbers.set(slots, HEAD_LENGTH + starts.length);
  return numbers;
}

/**
 * The index in the numbers of `vocab.index`, without a copy. `undefined` when they are not those of a vocabulary with
 * `count` pieces and this SHA-256.
 */
export function decodePieceIndex(numbers: Int32Array, count: number, vocabHash: string): PieceIndex | undefined {
  const slotsFrom = HEAD_LENGTH + count + 1;
  if (numbers.length !== slotsFrom + capacityFor(count)) return undefined;
  if (hashNumbers(vocabHash).some((number, i) => number !== numbers[i])) return undefined;
  return {
    longestHead: numbers[HASH_LENGTH]!,
    longestTail: numbers[HASH_LENGTH + 1]!,
    starts: numbers.subarray(HEAD_LENGTH, slotsFrom),
    slots: numbers.subarray(slotsFrom),
  };
}

function hashNumbers(hash: string): number[] {
  return Array.from({ length: HASH_LENGTH }, (_, i) => Number.parseInt(hash.slice(i * 8, i * 8 + 8), 16) | 0);
}
