import { isDocsearchError } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { Budget, checkChunkOptions, isLongText } from "../src/index.js";

const CHARACTERS = { maxSize: 1500, overlap: 0, measure: (text: string): number => text.length };
const text = "x".repeat(5000);

describe("what fits", () => {
  test("blank lines behind a piece do not count, blanks in its last line do", () => {
    const options = { ...CHARACTERS, maxSize: 4 };
    expect(new Budget("four\n \n\n", options).fits(0, 8)).toBe(true);
    expect(new Budget("four ", options).fits(0, 5)).toBe(false);
  });

  test("lines that are repeated count", () => {
    const wraps = [{ start: 0, contentStart: 4, contentEnd: 12, open: "```\n", close: "\n```" }];
    const budget = new Budget("```\none\ntwo\n```", { ...CHARACTERS, maxSize: 16 }, { wraps });
    expect(budget.before(8)).toBe("```\n");
    expect(budget.after(11)).toBe("\n```");
    expect(budget.fits(8, 11)).toBe(true);
    expect(new Budget("```\none\ntwo\n```", { ...CHARACTERS, maxSize: 10 }, { wraps }).before(8)).toBe("");
  });

  test("a passage has 600 characters, or two fifths of the largest chunk", () => {
    const budget = new Budget(text, CHARACTERS, { passages: true });
    expect([budget.fits(0, 600, "passage"), budget.fits(0, 601, "passage")]).toEqual([true, false]);
    expect([budget.fits(0, 1500), budget.fits(0, 1501)]).toEqual([true, false]);
    const large = new Budget(text, { ...CHARACTERS, maxSize: 4000 }, { passages: true });
    expect([large.fits(0, 1600, "passage"), large.fits(0, 1601, "passage")]).toEqual([true, false]);
    const small = new Budget(text, { ...CHARACTERS, maxSize: 300 }, { passages: true });
    expect([small.fits(0, 300, "passage"), small.fits(0, 301, "passage")]).toEqual([true, false]);
  });

  test("without passages there is one size", () => {
    const budget = new Budget(text, CHARACTERS);
    expect(budget.fits(0, 1500, "passage")).toBe(true);
    expect(budget.isRemnant(0, 1)).toBe(false);
  });

  test("a remnant is at most a quarter of a passage", () => {
    const budget = new Budget(text, CHARACTERS, { passages: true });
    expect([budget.isRemnant(0, 150), budget.isRemnant(0, 151)]).toEqual([true, false]);
  });

  test("more than two chunks' worth is long", () => {
    expect([isLongText("x".repeat(3000), CHARACTERS), isLongText("x".repeat(3001), CHARACTERS)]).toEqual([false, true]);
  });
});

describe("options", () => {
  test("that make no sense are refused, with the setting, its value and what was expected", () => {
    try {
      checkChunkOptions({ ...CHARACTERS, overlap: 1500 });
      expect.unreachable();
    } catch (error) {
      expect(isDocsearchError(error, "CONFIG_INVALID")).toBe(true);
      expect(error).toMatchObject({
        message: "Chunk option overlap is 1500; expected a number from 0 to less than maxSize (1500).",
        details: { setting: "overlap", value: "1500", expected: "a number from 0 to less than maxSize (1500)" },
      });
    }
    expect(() => checkChunkOptions({ ...CHARACTERS, maxSize: 0.5 })).toThrow("maxSize is 0.5");
    expect(() => checkChunkOptions({ ...CHARACTERS, maxSize: 1, overlap: 0 })).not.toThrow();
  });
});
