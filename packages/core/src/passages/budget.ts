/** How much text fits. A text has to meet every limit that is there. */
export interface Budget {
  /** UTF-16 units; `Infinity` where only the others count. */
  readonly maxChars: number;
  /** Bytes of UTF-8. */
  readonly maxBytes?: number;
  /** Tokens, as `count` counts them. */
  readonly tokens?: { readonly most: number; readonly count: (text: string) => number };
}

const encoder = new TextEncoder();

export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** What is left of a budget once `text` is said. */
export function spend({ maxChars, maxBytes, tokens }: Budget, text: string): Budget {
  return {
    maxChars: maxChars - text.length,
    ...(maxBytes !== undefined && { maxBytes: maxBytes - byteLength(text) }),
    ...(tokens !== undefined && { tokens: { ...tokens, most: tokens.most - tokens.count(text) } }),
  };
}

export function fits(text: string, { maxChars, maxBytes, tokens }: Budget): boolean {
  if (text.length > maxChars) return false;
  if (maxBytes !== undefined && byteLength(text) > maxBytes) return false;
  return tokens === undefined || tokens.count(text) <= tokens.most;
}

interface FittedLines {
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
export function fitLines(lines: readonly string[], budget: Budget): FittedLines {
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
