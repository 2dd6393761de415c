import type { TextLines } from "./text-lines.js";

/** Marks that code, diagrams and tables are full of and running text is not. */
const SYMBOLS: ReadonlySet<number> = new Set([..."{}()[]<>=;|\\/_*&^%$#@~`+"].map((mark) => mark.charCodeAt(0)));
const MANY = 0.1;

/** Whether the lines are full of the marks of code, diagrams and tables. */
export function hasManySymbols(lines: TextLines, start: number, end: number): boolean {
  const symbols = new SymbolCount();
  for (let line = start; line < end; line++) symbols.add(lines.content(line));
  return symbols.areMany;
}

/** Counts the marks among the characters of some lines. */
export class SymbolCount {
  #symbols = 0;
  #characters = 0;

  add(content: string): void {
    for (let at = 0; at < content.length; at++) {
      const unit = content.charCodeAt(at);
      if (unit <= 0x20) continue;
      this.#characters++;
      if (SYMBOLS.has(unit)) this.#symbols++;
    }
  }

  get areMany(): boolean {
    return this.#symbols > this.#characters * MANY;
  }
}
