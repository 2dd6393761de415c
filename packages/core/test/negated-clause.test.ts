import { expect, test } from "vitest";
import { withoutNegatedClauses } from "../src/search/negated-clause.js";

test.each([
  ["bm25 population logic, not the populate demo", "bm25 population logic"],
  ["where rows are written, but not the cache", "where rows are written"],
  ["parse dates, rather than times, in forms", "parse dates, in forms"],
  ["the loader, instead of node.js itself", "the loader"],
  ["all routes, excluding tests; in order", "all routes; in order"],
  ["all routes, except for tests. Then sort", "all routes. Then sort"],
])("%j becomes %j", (query, expected) => {
  expect(withoutNegatedClauses(query)).toBe(expected);
});

test.each([
  ["why does it not start"],
  ["use pnpm instead of npm"],
  ["except clause in Python"],
  [", not this"],
  ['the message "expected a, not b"'],
  ["`a, not b` fails"],
  [`${"word ".repeat(100)}, not this`],
])("%j stays as it is", (query) => {
  expect(withoutNegatedClauses(query)).toBe(query);
});
