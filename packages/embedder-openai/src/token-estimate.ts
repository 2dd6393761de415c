/** Counts the tokens of a text, without those that a model adds to every text. */
export type CountTokens = (text: string) => number;

const RUN = /[A-Za-z0-9]+|[^\sA-Za-z0-9]/gu;
/** A longer run without a break is no word but data, which costs a token for every two characters. */
const LONGEST_WORD = 24;

/**
 * About how many tokens a model makes of a text. A word costs a token for every five letters, a number one for every
 * three digits; a mark costs half a token, any other character outside ASCII a whole one.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(RUN)) {
    if (run.length > LONGEST_WORD) tokens += run.length / 2;
    else if (/^[0-9]+$/.test(run)) tokens += Math.ceil(run.length / 3);
    else if (/^[A-Za-z0-9]/.test(run)) tokens += Math.ceil(run.length / 5);
    else tokens += run > "\x7f" ? 1 : 0.5;
  }
  return Math.ceil(tokens);
}

/** The longest beginning of `text` of at most `limit` tokens, without half of a surrogate pair. */
export function cutToTokens(text: string, limit: number, count: CountTokens): string {
  // No token is longer than some dozens of characters, and counting a megabyte takes time.
  const start = text.slice(0, limit * 64);
  if (start.length === text.length && count(text) <= limit) return text;
  let fits = 0;
  let exceeds = start.length + 1;
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    if (count(start.slice(0, middle)) <= limit) fits = middle;
    else exceeds = middle;
  }
  return headOf(text, fits);
}

/** The first `length` code units, one less where that would cut a surrogate pair. */
export function headOf(text: string, length: number): string {
  const isCut = /[\ud800-\udbff]/.test(text.charAt(length - 1)) && length < text.length;
  return text.slice(0, isCut ? length - 1 : length);
}
