import type { Span } from "@docsearch/spec";
import type { Range } from "./range.js";

/** Offsets of the lines of a text. Lines end with `\n`, `\r\n` or a lone `\r`. */
export class Lines {
  readonly #starts: number[];
  readonly #length: number;

  constructor(text: string) {
    const starts = [text.charCodeAt(0) === 0xfeff ? 1 : 0];
    if (text.includes("\r")) {
      for (const end of text.matchAll(/\r\n?|\n/g)) starts.push(end.index + end[0].length);
    } else {
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
    }
    this.#starts = starts;
    this.#length = text.length;
  }

  /** Number of lines; a text that ends with a line break has an empty last line. */
  get count(): number {
    return this.#starts.length;
  }

  /** Offset of the first character of the 0-based `line`, behind a byte-order mark; the text's length past the end. */
  start(line: number): number {
    return this.#starts[line] ?? this.#length;
  }

  /** 0-based line of the character at `offset`. */
  at(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The range with its lines. It holds at least one character. */
  span({ start, end }: Range): Span {
    return { startOffset: start, endOffset: end, startLine: this.at(start) + 1, endLine: this.at(end - 1) + 1 };
  }
}
