import type { Analyzer } from "./analyze.js";

/** A place in a text that has a term of the query. */
export interface TermMatch {
  readonly term: string;
  /** UTF-16 offset of the word, or of the part of an identifier, that has the term. */
  readonly start: number;
  readonly end: number;
}

/** Finds the words of `text` that have one of `terms` (see `highlightTerms`), in the order of the text. */
export function findMatches(analyzer: Analyzer, text: string, terms: ReadonlySet<string>): TermMatch[] {
  return analyzer
    .analyze(text)
    .filter(({ term }) => terms.has(term))
    .map(({ term, start, end }) => ({ term, start, end }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Ranges to highlight: the matches, those that overlap or touch made one. Half-open, UTF-16, ascending. */
export function highlightRanges(matches: readonly TermMatch[]): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  for (const { start, end } of matches) {
    const last = ranges[ranges.length - 1];
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}

/**
 * The part of a text to show for its matches: the window with the most distinct terms, then with the most matches,
 * then the first one; the beginning of the text when there is no match. It grows to whole lines as far as these
 * fit, else to whole words.
 *
 * @param matches of `findMatches` in the same text
 * @param maxLength of the window, in UTF-16 units; at least 2
 * @returns half-open range; never cuts a surrogate pair
 */
export function bestWindow(
  text: string,
  matches: readonly TermMatch[],
  maxLength: number,
): { readonly start: number; readonly end: number } {
  if (text.length <= maxLength) return { start: 0, end: text.length };
  const core = densestMatches(matches, maxLength);
  const start = startOfWindow(text, core.start, core.end, maxLength);
  return { start, end: endOfWindow(text, start, core.end, maxLength) };
}

/** Range from the first to the last match of the best window. */
function densestMatches(matches: readonly TermMatch[], maxLength: number): { start: number; end: number } {
  let best = { start: 0, end: 0, terms: 0, matches: 0 };
  const counts = new Map<string, number>();
  let first = 0;
  for (let last = 0; last < matches.length; last++) {
    const { term, end } = matches[last]!;
    counts.set(term, (counts.get(term) ?? 0) + 1);
    // A single match may be longer than the window; its beginning is shown.
    while (first < last && end - matches[first]!.start > maxLength) {
      const left = matches[first]!.term;
      const count = counts.get(left)! - 1;
      if (count === 0) counts.delete(left);
      else counts.set(left, count);
      first++;
    }
    const size = last - first + 1;
    if (counts.size > best.terms || (counts.size === best.terms && size > best.matches)) {
      best = { start: matches[first]!.start, end, terms: counts.size, matches: size };
    }
  }
  return best;
}

/**
 * Moves back to the beginning of the line and of more lines while these take no more than half of the room, or what
 * the end of the text leaves of it; where the line does not fit, to the beginning of a word.
 */
function startOfWindow(text: string, start: number, end: number, maxLength: number): number {
  const room = maxLength - (end - start);
  if (start === 0 || room <= 0) return start;
  const before = Math.max(room / 2, room - (text.length - end));
  let lineStart = text.lastIndexOf("\n", start - 1) + 1;
  if (start - lineStart > room) return wordStart(text, start - Math.floor(before), start);
  while (lineStart > 0) {
    const previous = lineStart === 1 ? 0 : text.lastIndexOf("\n", lineStart - 2) + 1;
    if (start - previous > before) break;
    lineStart = previous;
  }
  return lineStart;
}

/** Moves on to the end of the last line that fits if that fills half of the window, else of the last word. */
function endOfWindow(text: string, start: number, end: number, maxLength: number): number {
  const limit = start + maxLength;
  if (limit >= text.length) return text.length;
  const lineEnd = text.lastIndexOf("\n", limit);
  if (lineEnd >= end && lineEnd - start >= maxLength / 2) return lineEnd;
  const wordEnd = lastBlank(text, limit, Math.max(start + 1, end));
  return wordEnd ?? (isInsidePair(text, limit) ? limit - 1 : limit);
}

/** Offset of the first word that begins between `from` and `start`; without blanks there, a little after `from`. */
function wordStart(text: string, from: number, start: number): number {
  for (let at = from; at <= start; at++) if (isBlank(text[at - 1])) return at;
  return isInsidePair(text, from) ? from + 1 : from;
}

function lastBlank(text: string, from: number, earliest: number): number | undefined {
  for (let at = from; at >= earliest; at--) if (isBlank(text[at])) return at;
  return undefined;
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}

function isInsidePair(text: string, at: number): boolean {
  return at > 0 && text.codePointAt(at - 1)! > 0xffff;
}
