import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Segmenters } from "../src/index.js";

const segmenters = new Segmenters();

function sentences(text: string): string[] {
  const starts = segmenters.sentenceStarts(text);
  return starts.map((start, index) => text.slice(start, starts[index + 1] ?? text.length));
}

describe("sentences", () => {
  test("abbreviations, initials and line breaks end none", () => {
    expect(sentences("Dr. Who met J. Doe, e.g. at sea.\nSee Fig. 3 of the\nreport. It is long.")).toEqual([
      "Dr. Who met J. Doe, e.g. at sea.\n",
      "See Fig. 3 of the\nreport. ",
      "It is long.",
    ]);
  });

  test("of scripts without blanks", () => {
    expect(sentences("港の灯台は光ります。船は朝に出ます。")).toEqual(["港の灯台は光ります。", "船は朝に出ます。"]);
  });

  test("of an empty text there are none", () => {
    expect(segmenters.sentenceStarts("")).toEqual([]);
  });

  test("a long text has the sentences of its parts", () => {
    const part = "The tide comes in, e.g. at noon. It goes out again. Nobody is there. ";
    const starts = segmenters.sentenceStarts(part);
    expect(starts).toEqual([0, 33, 52]);
    const wanted = Array.from({ length: 2000 }, (_, n) => starts.map((start) => n * part.length + start)).flat();
    expect(segmenters.sentenceStarts(part.repeat(2000))).toEqual(wanted);
  });

  test("a sentence longer than the window is one", () => {
    expect(segmenters.sentenceStarts(`${"word ".repeat(3000)}end. Next.`)).toEqual([0, 15005]);
    expect(segmenters.sentenceStarts(`One. The ${"word ".repeat(3000)}end. Next.`)).toEqual([0, 5, 15014]);
    expect(segmenters.sentenceStarts("x".repeat(10_000))).toEqual([0]);
  });

  test("starts ascend, whatever the text", () => {
    const piece = fc.constantFrom("Dr. ", "e.g. ", "Tide", ". ", "! ", "\n", "a", "。", "👩‍👩‍👧", "x".repeat(3000));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const starts = segmenters.sentenceStarts(pieces.join(""));
        expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
        if (pieces.length > 0) expect(starts[0]).toBe(0);
      }),
    );
  });
});

describe("words", () => {
  test("begin behind blanks", () => {
    expect(segmenters.wordStarts("one  two\nthree ")).toEqual([0, 5, 9]);
  });

  test("a combining mark behind a blank begins none", () => {
    expect(segmenters.wordStarts("a \u0301b")).toEqual([0]);
    expect(segmenters.wordStarts("a \u0e33b c")).toEqual([0, 5]);
  });
});

describe("cuts", () => {
  test("between words, else graphemes, else code points", () => {
    expect(segmenters.cut("one two", 0, 5)).toBe(4);
    expect(segmenters.cut("zzzzzz", 0, 4)).toBe(4);
    expect(segmenters.cut("👩‍👩‍👧👩‍👩‍👧", 0, 10)).toBe(8);
    expect(segmenters.cut("👩‍👩‍👧", 0, 4)).toBe(3);
    expect(segmenters.cut("🚢🚢", 0, 1)).toBe(2);
    expect(segmenters.cut("ab \u0600\ufffdc", 0, 4)).toBe(3);
    expect(segmenters.cut("\u0600\ufffdc", 0, 1)).toBe(1);
  });

  test("at the end when the limit is there", () => {
    expect(segmenters.cut("one", 0, 3)).toBe(3);
  });
});
