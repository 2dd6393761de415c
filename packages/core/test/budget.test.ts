import fc from "fast-check";
import { expect, test } from "vitest";
import { byteLength, fitLines, fits, spend } from "../src/passages/budget.js";
import { share } from "../src/passages/share.js";

test("whole lines only, and never more than the budget", () => {
  const text = fc.array(fc.string({ unit: "grapheme", maxLength: 60 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 0, max: 400 }),
      fc.option(fc.integer({ min: 0, max: 400 })),
      (all, maxChars, bytes) => {
        const lines = all.map((each) => each.replace(/\n/g, ""));
        const budget = { maxChars, ...(bytes !== null && { maxBytes: bytes }) };
        const fitted = fitLines(lines, budget);
        const shown = fitted.lines.map((each) => `${each}\n`).join("");
        expect(fits(shown, budget)).toBe(true);
        if (!fitted.isLineCut) expect(fitted.lines).toEqual(lines.slice(0, fitted.lines.length));
        else expect(fitted.lines.length).toBeLessThanOrEqual(1);
      },
    ),
  );
});

test("a line that is too long is cut with a mark, and not inside a character", () => {
  expect(fitLines(["x".repeat(100)], { maxChars: 31 })).toEqual({
    lines: [`${"x".repeat(19)} [line cut]`],
    isLineCut: true,
  });
  const { lines } = fitLines(["😀".repeat(50)], { maxChars: 31 });
  expect(lines[0]?.isWellFormed()).toBe(true);
});

test("every limit of a budget counts, and is spent", () => {
  const budget = { maxChars: 10, maxBytes: 12, tokens: { most: 3, count: (text: string) => text.split(" ").length } };
  expect(byteLength("ü漢")).toBe(5);
  expect(["a b c", "a b c d", "abcdefghijk", "漢漢漢漢", "漢漢漢漢漢"].map((text) => fits(text, budget))).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
  expect(spend(budget, "漢 b")).toMatchObject({ maxChars: 7, maxBytes: 7, tokens: { most: 1 } });
});

test("shares: small wants are met, the others get equal parts", () => {
  expect(share([10, 100, 100], 110)).toEqual([10, 50, 50]);
  expect(share([10, 20], 100)).toEqual([10, 20]);
  expect(share([5, 5, 5], 2)).toEqual([0, 0, 0]);
  fc.assert(
    fc.property(fc.array(fc.nat(500), { maxLength: 20 }), fc.nat(3000), (wants, room) => {
      const shares = share(wants, room);
      expect(shares.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(room);
      for (const [index, part] of shares.entries()) expect(part).toBeLessThanOrEqual(wants[index] as number);
    }),
  );
});
