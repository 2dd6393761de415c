/** How long an answer may be. */
export interface Budget {
  readonly maxChars: number;
  /** Bytes of UTF-8; absent when the caller named a number of characters. */
  readonly maxBytes?: number;
}

/** Of an answer whose caller names no budget; clients cut longer ones in the middle. */
export const DEFAULT_BUDGET: Budget = { maxChars: 8000, maxBytes: 9500 };

export function budgetOf(maxChars: number | undefined): Budget {
  return maxChars === undefined ? DEFAULT_BUDGET : { maxChars };
}

const encoder = new TextEncoder();

export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** What is left of a budget once `text` is said. */
export function spend(budget: Budget, text: string): Budget {
  return {
    maxChars: budget.maxChars - text.length,
    ...(budget.maxBytes !== undefined && { maxBytes: budget.maxBytes - byteLength(text) }),
  };
}

export function fits(text: string, { maxChars, maxBytes }: Budget): boolean {
  return text.length <= maxChars && (maxBytes === undefined || byteLength(text) <= maxBytes);
}

export interface Fitted {
  readonly lines: readonly string[];
  /** The last line was cut inside: it alone is longer than the budget. */
  readonly isLineCut: boolean;
}

/** Mark behind a line that does not fit by itself. */
const LINE_CUT = " [line cut]";

/**
 * As many whole lines as fit, each with its line break. When not even the first one does, as much of it as fits, with a
 * mark; nothing when there is no room for the mark either.
 */
export function fitLines(lines: readonly string[], budget: Budget): Fitted {
  let left = budget;
  let count = 0;
  for (const line of lines) {
    const cost = `${line}\n`;
    if (!fits(cost, left)) break;
    left = spend(left, cost);
    count++;
  }
  const [first] = lines;
  if (count > 0 || first === undefined) return { lines: lines.slice(0, count), isLineCut: false };
  const room = spend(budget, `${LINE_CUT}\n`);
  let length = Math.min(first.length, room.maxChars);
  while (length > 0 && !fits(first.slice(0, length), room)) length = Math.floor(length * 0.9);
  if (length <= 0) return { lines: [], isLineCut: true };
  const end = isLowSurrogate(first.charCodeAt(length)) ? length - 1 : length;
  return { lines: [first.slice(0, end) + LINE_CUT], isLineCut: true };
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
