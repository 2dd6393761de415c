import { CharacterKinds, DIGIT, LOWER, OTHER, SEPARATOR, UPPER } from "./character-kind.js";
import { normalise } from "./normalise.js";
import { HEAD_HASH, hashUnit, TAIL_HASH } from "./piece-index.js";
import type { PieceTable } from "./piece-table.js";

/** Takes the tokens of a text in their order. */
export interface TokenSink {
  /** `id` is the line of the piece in `vocab.txt`, from 0. */
  add(id: number): void;
}

const UNDERSCORE = 0x5f;
/** How many characters of a word are cut into pieces; the rest of it is dropped. */
const LONGEST_WORD = 64;
/** Code units of the longest piece that a word is cut into. A longer one is found only as a whole part. */
const LONGEST_PIECE = 24;
const INITIAL_UNITS = 1 << 10;
const KEPT_UNITS = 1 << 16;

/**
 * The tokenizer `docsearch-1`. A text is normalised (normalise.ts) and read as identifiers: letters and numbers,
 * with underscores inside. An identifier is cut into parts where its case changes and around digits, and each part
 * becomes one or more pieces of the vocabulary. An identifier of several parts also counts as a whole when the
 * vocabulary knows it: `useEffect` gives `use`, `effect`, `useeffect`.
 *
 * One pass over the text, no string per token; the work is linear in the text's length whatever it holds.
 */
export class Tokenizer {
  readonly #pieces: PieceTable;
  readonly #kinds: CharacterKinds = new CharacterKinds();
  /** Code units of the identifier at hand, in lower case and without underscores: its parts, joined. */
  #units: Uint16Array = new Uint16Array(INITIAL_UNITS);
  #length = 0;
  /** Hashes of the beginnings of a word's rest, shortest first. */
  readonly #prefixes: Int32Array = new Int32Array(LONGEST_PIECE);

  constructor(pieces: PieceTable) {
    this.#pieces = pieces;
  }

  /** Gives the tokens of `text`, any string, to `sink`. */
  encode(text: string, sink: TokenSink): void {
    const normal = normalise(text);
    let index = 0;
    while (index < normal.length) {
      index = this.#kinds.at(normal, index) === SEPARATOR ? index + 1 : this.#identifier(normal, index, sink);
    }
    // A text with one gigantic identifier should not cost its memory for ever.
    if (this.#units.length > KEPT_UNITS) this.#units = new Uint16Array(INITIAL_UNITS);
  }

  /** Reads the identifier that begins at `start`; returns the index behind it. */
  #identifier(text: string, start: number, sink: TokenSink): number {
    this.#length = 0;
    let parts = 0;
    let index = start;
    do {
      const from = this.#length;
      index = this.#part(text, index);
      this.#emitPart(from, this.#length, sink);
      parts++;
      while (index < text.length && text.charCodeAt(index) === UNDERSCORE) index++;
    } while (this.#kinds.at(text, index) !== SEPARATOR);

    if (parts > 1) {
      const whole = this.#findWhole(0, this.#length);
      if (whole >= 0) sink.add(whole);
    }
    return index;
  }

  /**
   * Appends the part that begins at `start` to the units; returns the index behind it. A part is one of: capitals
   * before a capitalised word (`HTML` in `HTMLParser`); a word or capitals, and the digits that follow; digits, and
   * the small letters that follow; letters and numbers outside ASCII.
   */
  #part(text: string, start: number): number {
    const kind = this.#kinds.at(text, start);
    if (kind === OTHER) return this.#otherRun(text, start);
    if (kind === DIGIT) return this.#run(text, this.#run(text, start, DIGIT), LOWER);
    const index = this.#run(text, start, UPPER);
    if (index - start > 1 && this.#kinds.at(text, index) === LOWER) {
      // The last capital belongs to the word behind it.
      this.#length--;
      return index - 1;
    }
    return this.#run(text, this.#run(text, index, LOWER), DIGIT);
  }

  /** Appends the characters of one ASCII `kind` from `start` on, in lower case. */
  #run(text: string, start: number, kind: number): number {
    const toLower = kind === UPPER ? 0x20 : 0;
    let index = start;
    for (; this.#kinds.at(text, index) === kind; index++) this.#push(text.charCodeAt(index) | toLower);
    return index;
  }

  /** Appends the letters and numbers outside ASCII from `start` on, in lower case. */
  #otherRun(text: string, start: number): number {
    let index = start;
    while (this.#kinds.at(text, index) === OTHER) index += text.codePointAt(index)! > 0xffff ? 2 : 1;
    // As one string: the lower case of a letter can depend on its neighbours.
    const lower = text.slice(start, index).toLowerCase();
    for (let i = 0; i < lower.length; i++) this.#push(lower.charCodeAt(i));
    return index;
  }

  #push(unit: number): void {
    if (this.#length === this.#units.length) {
      const larger = new Uint16Array(this.#units.length * 2);
      larger.set(this.#units);
      this.#units = larger;
    }
    this.#units[this.#length++] = unit;
  }

  #emitPart(start: number, end: number, sink: TokenSink): void {
    const whole = this.#findWhole(start, end);
    if (whole >= 0) {
      sink.add(whole);
      return;
    }
    const cut = this.#endOfRun(start, end);
    if (cut < end) {
      // A part is letters and digits once each, so this is as deep as it goes.
      this.#emitPart(start, cut, sink);
      this.#emitPart(cut, end, sink);
    } else this.#emitPieces(start, this.#endOfWord(start, end), sink);
  }

  #findWhole(start: number, end: number): number {
    if (end - start > this.#pieces.longestHead) return -1;
    let hash = HEAD_HASH;
    for (let i = start; i < end; i++) hash = hashUnit(hash, this.#units[i]!);
    return this.#pieces.findHead(hash, this.#units, start, end);
  }

  /** Where digits give way to something else or the other way round. */
  #endOfRun(start: number, end: number): number {
    const digits = isDigit(this.#units[start]!);
    let index = start + 1;
    while (index < end && isDigit(this.#units[index]!) === digits) index++;
    return index;
  }

  /** `end`, or where the word has `LONGEST_WORD` characters. */
  #endOfWord(start: number, end: number): number {
    let index = start;
    for (let characters = 0; characters < LONGEST_WORD && index < end; characters++) {
      index += isHighSurrogate(this.#units[index]!) ? 2 : 1;
    }
    return index;
  }

  /** Cuts a word into the longest pieces from the left. A character that begins no piece is left out. */
  #emitPieces(start: number, end: number, sink: TokenSink): void {
    let index = start;
    while (index < end) {
      const atHead = index === start;
      const longest = Math.min(LONGEST_PIECE, atHead ? this.#pieces.longestHead : this.#pieces.longestTail);
      let length = Math.min(longest, end - index);
      let hash = atHead ? HEAD_HASH : TAIL_HASH;
      for (let i = 0; i < length; i++) {
        hash = hashUnit(hash, this.#units[index + i]!);
        this.#prefixes[i] = hash;
      }
      for (; length > 0; length--) {
        const prefix = this.#prefixes[length - 1]!;
        const id = atHead
          ? this.#pieces.findHead(prefix, this.#units, index, index + length)
          : this.#pieces.findTail(prefix, this.#units, index, index + length);
        if (id < 0) continue;
        sink.add(id);
        break;
      }
      index += Math.max(1, length);
    }
  }
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
