import type { Budget } from "@docsearch/core/passages";
import { escapeLine, escapeText } from "./escape.js";
import { FENCE } from "./fence.js";
import { maskSecrets } from "./secrets.js";

/** Longest path, heading path or title in the line before quoted text, in characters. */
const LABEL_CHARACTERS = 160;
const SHORT_LABEL_CHARACTERS = 50;
/** Budgets below get short labels. */
const SMALL_BUDGET = 2000;

export interface QuotedLines {
  readonly lines: readonly string[];
  /** Strings that were masked because they look like secrets. */
  readonly masked: number;
}

/**
 * Lines of indexed text as they may be shown: secrets masked, hidden characters spelt out, and no line that could be
 * taken for the end of the quotation.
 */
export function quoteLines(text: string): QuotedLines {
  const { text: masked, count } = maskSecrets(text.replace(/\r\n?/g, "\n"));
  const lines = escapeText(masked)
    .split("\n")
    .map((line) => (line.trimStart().startsWith(FENCE) ? line.replace("~", "\\x7e") : line));
  return { lines, masked: count };
}

/** A heading, title or path on one line; shortened when it is long. */
export function quoteLabel(text: string, most: number = LABEL_CHARACTERS): string {
  const label = escapeLine(maskSecrets(text).text);
  if (label.length <= most) return label;
  const end = isHighSurrogate(label.charCodeAt(most - 2)) ? most - 2 : most - 1;
  return `${label.slice(0, end)}…`;
}

/** How long labels may be in an answer of that budget. */
export function labelCharacters({ maxChars }: Budget): number {
  return maxChars < SMALL_BUDGET ? SHORT_LABEL_CHARACTERS : LABEL_CHARACTERS;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Quoted lines between their fences, behind a line that says what they are. */
export function fenced(label: string, lines: readonly string[]): string {
  return [`${FENCE} ${label}`, ...lines, FENCE].join("\n");
}

/** Said at the end of an answer in which strings were masked; empty otherwise. */
export function maskNote(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "1 secret-looking string is masked." : `${count} secret-looking strings are masked.`;
}
