import type { Budget } from "@docsearch/core/passages";

/** Of an answer whose caller names no budget; clients cut longer ones in the middle. */
export const DEFAULT_BUDGET: Budget = { maxChars: 8000, maxBytes: 9500 };

export function budgetOf(maxChars: number | undefined): Budget {
  return maxChars === undefined ? DEFAULT_BUDGET : { maxChars };
}
