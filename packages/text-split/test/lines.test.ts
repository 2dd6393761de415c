import { describe, expect, test } from "vitest";
import { Lines } from "../src/index.js";

describe("Lines", () => {
  test("end with LF, CRLF and CR", () => {
    const lines = new Lines("one\ntwo\r\nthree\rfour");
    expect([0, 1, 2, 3, 4].map((line) => lines.start(line))).toEqual([0, 4, 9, 15, 19]);
    expect(lines.count).toBe(4);
    expect([0, 3, 4, 8, 9, 18].map((offset) => lines.at(offset))).toEqual([0, 0, 1, 1, 2, 3]);
  });

  test("begin behind a byte-order mark", () => {
    expect(new Lines("\ufeffone\n").start(0)).toBe(1);
  });

  test("an empty text has one line, and a break at the end begins another", () => {
    expect(new Lines("").count).toBe(1);
    expect(new Lines("one\n").count).toBe(2);
  });

  test("a span has the lines of its first and its last character, from 1", () => {
    expect(new Lines("one\ntwo\nthree").span({ start: 2, end: 8 })).toEqual({
      startOffset: 2,
      endOffset: 8,
      startLine: 1,
      endLine: 2,
    });
  });
});
