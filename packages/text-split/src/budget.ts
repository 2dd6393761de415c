import type { ChunkOptions } from "@docsearch/spec";
import { withoutBlankLinesAtEnd } from "./range.js";
import type { Wrap } from "./wrap.js";

/**
 * How much is joined in a piece. `chunk`: as much as a chunk may hold. `passage`: so much running text as answers
 * one question; the same as `chunk` unless the budget asks for passages.
 */
export type Size = "chunk" | "passage";

export interface BudgetOptions {
  /** Of the text that is cut, in order. */
  readonly wraps?: readonly Wrap[];
  /** Whether running text is cut into passages. Default false. */
  readonly passages?: boolean;
}

/** A passage has at most so many characters, or this share of the largest chunk where that is more. */
const PASSAGE_CHARACTERS = 600;
const PASSAGE_SHARE = 0.4;
/** Text of more than so many of the largest chunks is long. */
const LONG_TEXT = 2;
/** A piece with less room than this share of the whole is closed before a block that has to be cut anyway. */
const NEARLY_FULL = 0.75;
/** What is left of a passage and smaller than this share of one does not stand alone. */
const REMNANT = 0.25;

/** Whether running text is so long that whoever finds it wants a passage of it: more than two chunks' worth. */
export function isLongText(text: string, { measure, maxSize }: ChunkOptions): boolean {
  return measure(text) > LONG_TEXT * maxSize;
}

/** Says what fits in a chunk, and what must be added to a piece so that it can be read on its own. */
export class Budget {
  readonly #text: string;
  readonly #options: ChunkOptions;
  readonly #wraps: readonly Wrap[];
  readonly #passages: boolean;

  constructor(text: string, options: ChunkOptions, { wraps = [], passages = false }: BudgetOptions = {}) {
    this.#text = text;
    this.#options = options;
    // Fences or headers that fill half of a chunk are not repeated: too little would be left for the content.
    this.#wraps = wraps.filter(({ open, close }) => options.measure(open + close) <= options.maxSize / 2);
    this.#passages = passages;
  }

  /** Whether the piece from `start` to `end` fits, with the lines that are repeated and without blank lines behind. */
  fits(start: number, end: number, size: Size = "chunk"): boolean {
    const body = withoutBlankLinesAtEnd(this.#text.slice(start, end));
    return this.#isWithin(this.before(start) + body + this.after(start + body.length), size, 1);
  }

  /** Whether `text` by itself fits in a chunk. */
  admits(text: string): boolean {
    return this.#isWithin(text, "chunk", 1);
  }

  /** Whether the piece has little room left. */
  isNearlyFull(start: number, end: number, size: Size): boolean {
    return !this.#isWithin(this.#text.slice(start, end).trimEnd(), size, NEARLY_FULL);
  }

  /** Whether a piece is what was left when passages were cut, and too little of one. */
  isRemnant(start: number, end: number): boolean {
    return this.#passages && this.#isWithin(this.#text.slice(start, end).trim(), "passage", REMNANT);
  }

  /** Whether the text is short enough to be repeated as overlap. */
  isOverlap(start: number, end: number): boolean {
    return this.#options.measure(withoutBlankLinesAtEnd(this.#text.slice(start, end))) <= this.#options.overlap;
  }

  get overlaps(): boolean {
    return this.#options.overlap > 0;
  }

  /** Lines to repeat before a piece that starts at `start`. */
  before(start: number): string {
    const wrap = this.#wrapAt(start);
    return wrap !== undefined && start >= wrap.contentStart ? wrap.open : "";
  }

  /** Lines to add behind a piece that ends at `end`. */
  after(end: number): string {
    return this.#wrapAt(end - 1)?.close ?? "";
  }

  #isWithin(text: string, size: Size, share: number): boolean {
    const { measure, maxSize } = this.#options;
    const measured = measure(text);
    if (measured > maxSize * share) return false;
    if (size === "chunk" || !this.#passages || text.length <= PASSAGE_CHARACTERS * share) return true;
    return measured <= maxSize * PASSAGE_SHARE * share;
  }

  /** The wrap of the block whose content reaches to behind `offset`. */
  #wrapAt(offset: number): Wrap | undefined {
    let low = 0;
    let high = this.#wraps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#wraps[middle]!.contentEnd <= offset) low = middle + 1;
      else high = middle;
    }
    const wrap = this.#wraps[low];
    return wrap !== undefined && offset >= wrap.start ? wrap : undefined;
  }
}
