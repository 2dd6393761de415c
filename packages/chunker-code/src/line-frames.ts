import { type Frame, type Lines, rowOf, type TextFrames } from "@docsearch/text-split";

/** A line that closes what is above it, and begins nothing. */
const CLOSING = /^[\s)\]};,]*(?:end|fi|done|esac|\*\/)?[\s)\]};,.]*$/i;
const TAB = 4;

/**
 * Makes frames of code by its indentation alone: blocks that begin at the smallest indentation behind a blank line,
 * then at any line of that indentation, then groups of lines and lines.
 */
export class LineFrames {
  readonly #text: string;
  readonly #lines: Lines;
  readonly #inner: TextFrames;

  constructor(text: string, lines: Lines, inner: TextFrames) {
    this.#text = text;
    this.#lines = lines;
    this.#inner = inner;
  }

  of(start: number, end: number): Frame {
    const { afterBlank, all } = this.#outermost(start, end);
    const lines = (from: number, to: number): Frame =>
      this.#inner.ofCode(from, to, this.#lines.at(from) + 1, this.#lines.at(to - 1) + 1);
    const blocks = (from: number, to: number): Frame => {
      const inside = all.filter((border) => border > from && border < to);
      return inside.length === 0 ? lines(from, to) : rowOf([from, ...inside, to], "chunk", lines);
    };
    return afterBlank.length === 0 ? blocks(start, end) : rowOf([start, ...afterBlank, end], "chunk", blocks);
  }

  /** Starts of the lines of the smallest indentation behind the first line, without those that only close. */
  #outermost(start: number, end: number): { readonly afterBlank: number[]; readonly all: number[] } {
    let least = Number.POSITIVE_INFINITY;
    let afterBlank: number[] = [];
    let all: number[] = [];
    let blankBefore = false;
    for (let line = this.#lines.at(start) + 1; this.#lines.start(line) < end; line++) {
      const offset = this.#lines.start(line);
      const content = this.#text.slice(offset, this.#lines.start(line + 1));
      if (content.trim() === "") blankBefore = true;
      else if (!CLOSING.test(content.slice(0, 40))) {
        const indentation = indentationOf(content);
        if (indentation < least) [least, afterBlank, all] = [indentation, [], []];
        if (indentation === least) {
          all.push(offset);
          if (blankBefore) afterBlank.push(offset);
        }
        blankBefore = false;
      } else blankBefore = false;
    }
    return { afterBlank, all };
  }
}

function indentationOf(line: string): number {
  let columns = 0;
  for (const char of line) {
    if (char === " ") columns++;
    else if (char === "\t") columns += TAB - (columns % TAB);
    else break;
  }
  return columns;
}
