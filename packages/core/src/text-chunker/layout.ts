import type { TextLines } from "./text-lines.js";

/** Lines that are longer were not wrapped: each is a paragraph. */
const LONGEST_WRAPPED_LINE = 160;
const ITEM = /^(?:[-*+•‣◦–]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S/;
const SENTENCE_END = /[.!?…。！？][)"'”’»\]]*$/;
/** Marks that code, diagrams and tables are full of and running text is not. */
const SYMBOL = /[{}()[\]<>=;|\\/_*&^%$#@~`+]/g;
const SYMBOL_SHARE = 0.1;
/** Share of the lines from which the indentation of a text is told. */
const BODY_SHARE = 0.6;
const LEVEL_SHARE = 0.15;

/**
 * Columns by which the body of the text is indented, as in RFCs and manual pages: the smallest indentation that many
 * lines have, when most lines have it or more, it is no code, and what stands further left are mostly single lines.
 * 0 for most texts.
 */
export function bodyIndent(lines: TextLines): number {
  const counts = new Map<number, number>();
  let total = 0;
  for (let line = 0; line < lines.count; line++) {
    const indent = lines.indent(line);
    if (indent < 0) continue;
    total++;
    counts.set(indent, (counts.get(indent) ?? 0) + 1);
  }
  const indents = [...counts.keys()].sort((a, b) => a - b);
  const body = indents.find((indent) => indent >= 2 && counts.get(indent)! >= total * LEVEL_SHARE);
  if (body === undefined) return 0;
  const inside = indents.filter((indent) => indent >= body).reduce((sum, indent) => sum + counts.get(indent)!, 0);
  return inside >= total * BODY_SHARE && isBody(lines, body) ? body : 0;
}

function isBody(lines: TextLines, body: number): boolean {
  let outside = 0;
  let inRuns = 0;
  let symbols = 0;
  let characters = 0;
  for (let line = 0; line < lines.count; line++) {
    const indent = lines.indent(line);
    if (indent === body) {
      const content = lines.content(line);
      symbols += countSymbols(content);
      characters += content.length;
    } else if (indent >= 0 && indent < body) {
      outside++;
      const next = line + 1 < lines.count ? lines.indent(line + 1) : -1;
      if (next >= 0 && next < body) inRuns++;
    }
  }
  return inRuns * 2 <= outside && symbols <= characters * SYMBOL_SHARE;
}

/** Whether the line begins an item of a list. */
export function startsItem(content: string): boolean {
  return ITEM.test(content);
}

export function endsSentence(content: string): boolean {
  return SENTENCE_END.test(content);
}

/** Whether most of the text stands in lines that are longer than lines are wrapped at. */
export function isUnwrapped(lines: TextLines, start: number, end: number): boolean {
  let inLong = 0;
  let total = 0;
  for (let line = start; line < end; line++) {
    const width = lines.width(line);
    total += width;
    if (width > LONGEST_WRAPPED_LINE) inLong += width;
  }
  return inLong * 2 > total;
}

/**
 * Whether most line breaks were set on purpose: the next line's first word would have fitted on the line before it.
 * Lines that end as sentences do count as text that is broken by sentences.
 */
export function hasOwnLines(lines: TextLines, start: number, end: number): boolean {
  let widest = 0;
  for (let line = start; line < end; line++) widest = Math.max(widest, lines.width(line));
  let onPurpose = 0;
  let sentences = 0;
  for (let line = start; line + 1 < end; line++) {
    const next = lines.content(line + 1);
    const word = /^\S*/.exec(next)![0].length;
    if (lines.width(line) + 1 + word <= widest) onPurpose++;
    if (endsSentence(lines.content(line))) sentences++;
  }
  const breaks = end - start - 1;
  return onPurpose * 2 > breaks && sentences * 2 <= breaks;
}

/** Whether the lines are full of the marks of code, diagrams and tables. */
export function hasManySymbols(lines: TextLines, start: number, end: number): boolean {
  let symbols = 0;
  let characters = 0;
  for (let line = start; line < end; line++) {
    const content = lines.content(line);
    symbols += countSymbols(content);
    characters += content.replace(/\s+/g, "").length;
  }
  return symbols > characters * SYMBOL_SHARE;
}

/** Whether the line is written in capital letters, three at least. */
export function isCapitals(content: string): boolean {
  const letters = content.match(/\p{L}/gu) ?? [];
  const blanks = content.match(/\s/g)?.length ?? 0;
  return (
    letters.length >= 3 &&
    letters.length * 2 > content.length - blanks &&
    letters.every((letter) => letter.toLowerCase() !== letter)
  );
}

function countSymbols(content: string): number {
  return content.match(SYMBOL)?.length ?? 0;
}
