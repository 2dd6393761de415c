import { type Budget, byteLength, fitLines, fits, spend } from "./budget.js";
import { share } from "./share.js";

/** A text that is ready to be cut. */
export interface PassageText {
  readonly lines: readonly string[];
  /** Index in `lines` where the part that fits the query best begins. */
  readonly focus: number;
  /** What stands around the passage when it is shown, and costs room too. */
  readonly frame?: string;
}

/** The whole lines of a passage that are shown. */
interface FittedPassage {
  readonly lines: readonly string[];
  /** Index of the first of them. */
  readonly from: number;
  /** More lines belong to the text than are shown, or a line that alone is too long was cut. */
  readonly isCut: boolean;
}

/** A passage is not worth showing with less, in characters or what else is counted. */
const LEAST_PASSAGE = 160;
/** The same in tokens. */
const LEAST_TOKENS = 40;

/**
 * As many of the passages, from the first on, as fit with a useful part each, cut at whole lines around the part that
 * fits best. Short ones leave their room to the others; the first is always among them.
 */
export function fitPassages(passages: readonly PassageText[], budget: Budget): FittedPassage[] {
  const { size, room, least } = measureOf(budget);
  const costs = passages.map(({ frame = "" }) => size(frame));
  const fixed = (count: number): number => costs.slice(0, count).reduce((sum, cost) => sum + cost, 0);
  let count = passages.length;
  while (count > 1 && (room - fixed(count)) / count < least) count--;
  const chosen = passages.slice(0, count);
  const wants = chosen.map(({ lines }) => lines.reduce((sum, line) => sum + size(`${line}\n`), 0));
  const shares = share(wants, Math.max(0, room - fixed(count)));
  return chosen.map((passage, index) => cutPassage(passage, budgetOf(budget, shares[index] as number)));
}

interface Measure {
  readonly size: (text: string) => number;
  readonly room: number;
  readonly least: number;
}

/** The one limit that is shared out: the strictest kind that the budget has. */
function measureOf({ maxChars, maxBytes, tokens }: Budget): Measure {
  if (tokens !== undefined) return { size: tokens.count, room: tokens.most, least: LEAST_TOKENS };
  if (maxBytes !== undefined) {
    return { size: byteLength, room: Math.min(maxChars, maxBytes), least: LEAST_PASSAGE };
  }
  return { size: (text) => text.length, room: maxChars, least: LEAST_PASSAGE };
}

/** The part of a budget that one passage gets. */
function budgetOf({ maxChars, maxBytes, tokens }: Budget, room: number): Budget {
  if (tokens !== undefined) return { maxChars, tokens: { ...tokens, most: room } };
  return maxBytes === undefined ? { maxChars: room } : { maxChars: room, maxBytes: room };
}

function cutPassage({ lines, focus }: PassageText, own: Budget): FittedPassage {
  if (fits(joined(lines), own)) return { lines, from: 0, isCut: false };
  const { lines: behind } = fitLines(lines.slice(focus), own);
  const left = spend(own, joined(behind));
  const before = focus === 0 ? [] : wholeLines(lines.slice(0, focus).reverse(), left).toReversed();
  const shown = withoutBlankEnd([...before, ...behind]);
  // Tokens of lines together may be more than those of each line added up.
  while (shown.length > 0 && !fits(joined(shown), own)) shown.pop();
  return { lines: shown, from: focus - before.length, isCut: joined(shown) !== joined(lines) };
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function withoutBlankEnd(lines: readonly string[]): string[] {
  const end = lines.findLastIndex((line) => line.trim() !== "");
  return end < 0 ? [...lines] : lines.slice(0, end + 1);
}

function wholeLines(lines: readonly string[], budget: Budget): readonly string[] {
  const fitted = fitLines(lines, budget);
  return fitted.isLineCut ? [] : fitted.lines;
}
