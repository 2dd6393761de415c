import { expect, it } from "vitest";
import { parseRetryAfter, retryDelay } from "../src/retry-delay.js";

it.each([
  [0, 0, 250],
  [0, 1, 500],
  [1, 1, 1000],
  [4, 1, 8000],
  [20, 1, 8000],
  [20, 0, 4000],
])("try %d with random %d waits %d ms", (attempt, random, expected) => {
  expect(retryDelay(attempt, undefined, () => random)).toBe(expected);
});

it.each([
  [0, 0],
  [1500, 1500],
  [30_000, 30_000],
  [120_000, 30_000],
])("a server that asks for %d ms is given %d", (asked, waited) => {
  expect(retryDelay(0, asked, () => 0)).toBe(waited);
  expect(retryDelay(5, asked, () => 1)).toBe(waited + 250);
});

it.each([
  ["2", 2000],
  ["0.5", 500],
  ["-3", 0],
  ["Mon, 30 Nov 2026 10:00:10 GMT", 10_000],
  ["Mon, 30 Nov 2026 09:00:00 GMT", 0],
  ["soon", undefined],
  ["", undefined],
  [null, undefined],
])("Retry-After: %s is %s ms", (header, expected) => {
  expect(parseRetryAfter(header, Date.parse("2026-11-30T10:00:00Z"))).toBe(expected);
});
