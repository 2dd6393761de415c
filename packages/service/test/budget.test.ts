import { expect, test } from "vitest";
import { budgetOf, DEFAULT_BUDGET } from "../src/budget.js";

test("a caller's number of characters, else the default", () => {
  expect(DEFAULT_BUDGET).toEqual({ maxChars: 8000, maxBytes: 9500 });
  expect(budgetOf(undefined)).toBe(DEFAULT_BUDGET);
  expect(budgetOf(700)).toEqual({ maxChars: 700 });
});
