import type { TextLines } from "./text-lines.js";

/** Lines that are longer were not wrapped: each is a paragraph. */
const LONGEST_WRAPPED_LINE = 160;
const ITEM = /^(?:[-*+•‣◦–]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S/;
const SENTENCE_END = /[.!?…。！？][)"'”’»\]]*$/;

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

/** Whether the line is written in capital letters, three at least. */
export function isCapitals(content: string): boolean {
  if (content !== content.toUpperCase()) return false;
  const letters = content.match(/\p{L}/gu) ?? [];
  const blanks = content.match(/\s/g)?.length ?? 0;
  return (
    letters.length >= 3 &&
    letters.length * 2 > content.length - blanks &&
    letters.every((letter) => letter.toLowerCase() !== letter)
  );
}
