import type { ChunkOptions } from "@docsearch/spec";
import type { Wrap } from "./wraps.js";

/** A piece with less room than this share of the whole is closed before a block that has to be cut anyway. */
const NEARLY_FULL = 0.75;

/** Says what fits in a chunk, and what must be added to a piece so that it can be read on its own. */
export class Budget {
  readonly #text: string;
  readonly #options: ChunkOptions;
  readonly #wraps: readonly Wrap[];

  /** `wraps` are those of the part that is cut, in order. */
  constructor(text: string, wraps: readonly Wrap[], options: ChunkOptions) {
    this.#text = text;
    this.#options = options;
    // Fences or headers that fill half of a chunk are not repeated: too little would be left for the content.
    this.#wraps = wraps.filter(({ open, close }) => options.measure(open + close) <= options.maxSize / 2);
  }

  /** Whether the piece from `start` to `end` fits, with the lines that are repeated and without blanks at its end. */
  fits(start: number, end: number): boolean {
    const body = this.#text.slice(start, end).trimEnd();
    const whole = this.before(start) + body + this.after(start + body.length);
    return this.admits(whole);
  }

  /** Whether `text` by itself fits in a chunk. */
  admits(text: string): boolean {
    return this.#options.measure(text) <= this.#options.maxSize;
  }

  /** Whether the piece has little room left. */
  isNearlyFull(start: number, end: number): boolean {
    return this.#options.measure(this.#text.slice(start, end).trimEnd()) > this.#options.maxSize * NEARLY_FULL;
  }

  /** Whether the text is short enough to be repeated as overlap. */
  isOverlap(start: number, end: number): boolean {
    return this.#options.measure(this.#text.slice(start, end).trimEnd()) <= this.#options.overlap;
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
