/** Half-open range of a document's text in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Walks ordered ranges that do not overlap, for windows whose starts ascend. */
export class RangeCursor<T extends Range> {
  readonly #ranges: readonly T[];
  #first = 0;

  constructor(ranges: readonly T[]) {
    this.#ranges = ranges;
  }

  /** The ranges that overlap `window`. */
  overlapping(window: Range): T[] {
    while (this.#first < this.#ranges.length && this.#ranges[this.#first]!.end <= window.start) this.#first++;
    let last = this.#first;
    while (last < this.#ranges.length && this.#ranges[last]!.start < window.end) last++;
    return this.#ranges.slice(this.#first, last);
  }
}

/** The part of `range` that lies in `window`. */
export function clip(range: Range, window: Range): Range {
  return { start: Math.max(range.start, window.start), end: Math.min(range.end, window.end) };
}

/** `range` without blank lines at its start and blanks at its end; `undefined` when nothing is left. */
export function trimRange(text: string, { start, end }: Range): Range | undefined {
  const body = text.slice(start, end).trimEnd();
  if (body === "") return undefined;
  return { start: start + (/^\s*[\r\n]/.exec(body)?.[0].length ?? 0), end: start + body.length };
}

/** `range` without the blank lines around it; inside its lines nothing is lost. `undefined` when nothing is left. */
export function trimBlankLines(text: string, range: Range): Range | undefined {
  const trimmed = trimRange(text, range);
  if (trimmed === undefined) return undefined;
  const end = range.start + withoutBlankLinesAtEnd(text.slice(range.start, range.end)).length;
  return { start: trimmed.start, end };
}

/** `text` up to the end of its last line that is not blank. */
export function withoutBlankLinesAtEnd(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  if (last > 0x20 && last < 0x7f) return text;
  const end = text.trimEnd().length;
  const lineEnd = /[\r\n]/.exec(text.slice(end));
  return lineEnd === null ? text : text.slice(0, end + lineEnd.index);
}
