import { describe, expect, test } from "vitest";
import { clip, type Range, RangeCursor, trimBlankLines, trimRange } from "../src/index.js";

const whole = (text: string): Range => ({ start: 0, end: text.length });

describe("trimming", () => {
  test("takes blank lines from the start, and blanks or blank lines from the end", () => {
    const text = " \n\n  one  \n two \n \n";
    expect(text.slice(...Object.values(trimRange(text, whole(text))!))).toBe("  one  \n two");
    expect(text.slice(...Object.values(trimBlankLines(text, whole(text))!))).toBe("  one  \n two ");
  });

  test("of blanks leaves nothing", () => {
    expect(trimRange(" \n\t", { start: 0, end: 3 })).toBeUndefined();
    expect(trimBlankLines(" \n\t", { start: 0, end: 3 })).toBeUndefined();
  });
});

describe("clip", () => {
  test("is the part inside the window", () => {
    expect(clip({ start: 2, end: 9 }, { start: 4, end: 20 })).toEqual({ start: 4, end: 9 });
  });
});

describe("RangeCursor", () => {
  test("gives the ranges that overlap windows in order", () => {
    const cursor = new RangeCursor([
      { start: 0, end: 2 },
      { start: 3, end: 8 },
      { start: 9, end: 10 },
    ]);
    expect(cursor.overlapping({ start: 1, end: 4 })).toHaveLength(2);
    expect(cursor.overlapping({ start: 4, end: 5 })).toEqual([{ start: 3, end: 8 }]);
    expect(cursor.overlapping({ start: 8, end: 9 })).toEqual([]);
    expect(cursor.overlapping({ start: 9, end: 12 })).toEqual([{ start: 9, end: 10 }]);
  });
});
