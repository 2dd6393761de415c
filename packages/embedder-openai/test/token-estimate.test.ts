import fc from "fast-check";
import { expect, it } from "vitest";
import { cutToTokens, estimateTokens } from "../src/token-estimate.js";

it.each([
  ["", 0],
  ["tide", 1],
  ["Boats keep to the right inside the harbour.", 11],
  ["12345678", 3],
  ["潮汐表", 3],
  ["a.b(c)", 5],
  ["Zm9vYmFy".repeat(10), 40],
  ["x".repeat(100), 50],
])("%j is about %d tokens", (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

it("a text that fits is left alone", () => {
  expect(cutToTokens("abc", 3, (text) => text.length)).toBe("abc");
});

it("the longest beginning that fits is kept, in whole characters", () => {
  const count = (text: string): number => text.length;
  expect(cutToTokens("abcdef", 4, count)).toBe("abcd");
  expect(cutToTokens("ab😀cd", 3, count)).toBe("ab");
  expect(cutToTokens("ab😀cd", 4, count)).toBe("ab😀");
});

it("what is cut is a beginning within the limit, well-formed when the text was", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.integer({ min: 1, max: 50 }), (text, limit) => {
      const cut = cutToTokens(text, limit, estimateTokens);
      expect(text.startsWith(cut)).toBe(true);
      expect(estimateTokens(cut)).toBeLessThanOrEqual(limit);
      expect(cut.isWellFormed()).toBe(text.isWellFormed());
      if (estimateTokens(text) <= limit) expect(cut).toBe(text);
    }),
  );
});
