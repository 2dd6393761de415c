import { Lines } from "@docsearch/text-split";

const TAB = 8;

/** The lines of a plain text, with what tells their layout. Lines are counted from 0. */
export class TextLines {
  readonly lines: Lines;
  readonly #text: string;
  /** Columns of blanks at the start; -1 for a blank line. */
  readonly #indents: Int32Array;
  readonly #startsPage: Uint8Array;

  constructor(text: string) {
    this.lines = new Lines(text);
    this.#text = text;
    this.#indents = new Int32Array(this.lines.count);
    this.#startsPage = new Uint8Array(this.lines.count + 1);
    for (let line = 0; line < this.lines.count; line++) this.#read(line);
  }

  get count(): number {
    return this.lines.count;
  }

  /** The line without the blanks around it. */
  content(line: number): string {
    return this.#raw(line).trim();
  }

  /** Columns of blanks at the start of the line, tabs to every eighth; -1 when it is blank. */
  indent(line: number): number {
    return this.#indents[line]!;
  }

  isBlank(line: number): boolean {
    return this.#indents[line]! < 0;
  }

  /** Whether a form feed stands between the line before and this one. */
  startsPage(line: number): boolean {
    return this.#startsPage[line] === 1;
  }

  /** Width of the line without the blanks at its end, in UTF-16 code units. */
  width(line: number): number {
    return this.#raw(line).trimEnd().length;
  }

  #raw(line: number): string {
    return this.#text.slice(this.lines.start(line), this.lines.start(line + 1));
  }

  #read(line: number): void {
    const end = this.lines.start(line + 1);
    let column = 0;
    let at = this.lines.start(line);
    for (; at < end; at++) {
      const unit = this.#text.charCodeAt(at);
      if (unit === 0x20) column++;
      else if (unit === 0x09) column += TAB - (column % TAB);
      else if (unit === 0x0c) {
        column = 0;
        this.#startsPage[line] = 1;
      } else if (this.#text[at]!.trim() !== "") break;
    }
    this.#indents[line] = at < end ? column : -1;
    const isBlank = at >= end;
    // A form feed on a line of its own, or behind a line's text, starts a page with the next line.
    if (isBlank && this.#startsPage[line] === 1) this.#startsPage[line + 1] = 1;
    else if (!isBlank && this.#text.slice(at, end).includes("\f")) this.#startsPage[line + 1] = 1;
  }
}
