import type { Budget, Size } from "./budget.js";
import { type Frame, rowOf } from "./frame.js";
import type { Lines } from "./lines.js";
import type { Segmenters } from "./segmenters.js";

/** Frames that need no structure: sentences, lines and words, and at last whatever fits. */
export class TextFrames {
  readonly #text: string;
  readonly #lines: Lines;
  readonly #budget: Budget;
  readonly #segmenters: Segmenters;

  constructor(text: string, lines: Lines, budget: Budget, segmenters: Segmenters) {
    this.#text = text;
    this.#lines = lines;
    this.#budget = budget;
    this.#segmenters = segmenters;
  }

  /** Running text as its sentences; long ones are cut at line ends. */
  ofSentences(start: number, end: number): Frame {
    const starts = this.#segmenters.sentenceStarts(this.#text.slice(start, end));
    const bounds = [...starts.map((offset) => start + offset), end];
    return rowOf(bounds, "passage", (from, to) => this.ofLines(from, to, "passage"));
  }

  /** Long lines are cut at words. */
  ofLines(start: number, end: number, size: Size = "chunk"): Frame {
    const bounds = [start];
    for (let line = this.#lines.at(start) + 1; this.#lines.start(line) < end; line++)
      bounds.push(this.#lines.start(line));
    bounds.push(end);
    return rowOf(bounds, size, (from, to) => this.ofWords(from, to, size));
  }

  /**
   * Code as groups of lines between blank lines, then as lines. The 0-based lines from `first` to before `last` begin
   * units; those around them, such as fences, stay with their neighbours.
   */
  ofCode(start: number, end: number, first: number, last: number): Frame {
    const groups: number[] = [];
    const rows: number[] = [];
    for (let line = first; line < last; line++) {
      const offset = this.#lines.start(line);
      rows.push(offset);
      if (!this.#isBlank(line) && this.#isBlank(line - 1)) groups.push(offset);
    }
    return rowOf([start, ...groups, end], "chunk", (from, to) => {
      const inner = rows.slice(upperBound(rows, from), upperBound(rows, to - 1));
      return rowOf([from, ...inner, to], "chunk", (lineStart, lineEnd) => this.ofWords(lineStart, lineEnd));
    });
  }

  ofWords(start: number, end: number, size: Size = "chunk"): Frame {
    const starts = this.#segmenters.wordStarts(this.#text.slice(start, end));
    const bounds = [...starts.map((offset) => start + offset), end];
    return rowOf(bounds, size, (from, to) => this.#ofCuts(from, to, size));
  }

  /** The last resort: as much as fits, as often as it takes. */
  #ofCuts(start: number, end: number, size: Size): Frame {
    const bounds = [start];
    for (let from = start; from < end; ) {
      const reach = this.#reach(from, end, size);
      from = reach === end ? end : Math.min(this.#segmenters.cut(this.#text, from, reach), end);
      bounds.push(from);
    }
    return rowOf(bounds, size, () => undefined);
  }

  /** The largest offset up to which the text from `start` fits, at least `start`. It looks at no more than twice that. */
  #reach(start: number, end: number, size: Size): number {
    let step = 1;
    let low = start;
    while (low < end && this.#budget.fits(start, Math.min(low + step, end), size)) {
      low = Math.min(low + step, end);
      step *= 2;
    }
    let high = Math.min(low + step, end);
    while (low < high - 1) {
      const middle = (low + high) >> 1;
      if (this.#budget.fits(start, middle, size)) low = middle;
      else high = middle;
    }
    return low;
  }

  #isBlank(line: number): boolean {
    return this.#text.slice(this.#lines.start(line), this.#lines.start(line + 1)).trim() === "";
  }
}

/** Number of `values`, which ascend, that are at most `limit`. */
function upperBound(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
