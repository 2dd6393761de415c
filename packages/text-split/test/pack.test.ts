import type { ChunkOptions } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { Budget, type Frame, type Leaves, Lines, overlapStart, pack, Segmenters, TextFrames } from "../src/index.js";

interface Layout {
  readonly maxSize: number;
  readonly overlap?: number;
  /** Units by first character: `#` a heading, `@` code. */
  readonly bodyStart?: number;
  readonly passages?: boolean;
}

/** Cuts a text whose units are its lines. */
function cut(text: string, { maxSize, overlap = 0, bodyStart = 0, passages = false }: Layout): string[] {
  const options: ChunkOptions = { maxSize, overlap, measure: (part) => part.length };
  const lines = new Lines(text);
  const budget = new Budget(text, options, { passages });
  const inner = new TextFrames(text, lines, budget, new Segmenters());
  const bounds = Array.from({ length: lines.count }, (_, line) => lines.start(line));
  if (bounds.at(-1) !== text.length) bounds.push(text.length);
  const isCode = (unit: number): boolean => text[bounds[unit]!] === "@";
  const frame: Frame = {
    bounds,
    size: "passage",
    sizeOf: (unit) => (isCode(unit) ? "chunk" : "passage"),
    isAtomic: isCode,
    leadsIn: (unit) => text.slice(bounds[unit], bounds[unit + 1]).endsWith(":\n"),
    split: (unit) => inner.ofSentences(bounds[unit]!, bounds[unit + 1]!),
  };
  const leaves: Leaves = {
    count: bounds.length - 1,
    startOf: (leaf) => bounds[leaf]!,
    bordersIn: (leaf, piece) => (bounds[leaf]! >= piece.start ? [bounds[leaf]!] : []),
  };
  const pieces = pack(frame, bodyStart, budget, (piece) => overlapStart(piece, text, leaves, budget));
  return pieces.map(({ start, end }) => text.slice(start, end));
}

describe("pack", () => {
  test("joins units as long as they fit", () => {
    expect(cut("one\ntwo\nthree\nfour\n", { maxSize: 9 })).toEqual(["one\ntwo\n", "three\n", "four\n"]);
  });

  test("a unit that fits alone begins a piece, one that does not is cut", () => {
    expect(cut("one\ntwo three four.\nfive\n", { maxSize: 15 })).toEqual(["one\n", "two three four.\n", "five\n"]);
    expect(cut("one\ntwo three. Four five six.\n", { maxSize: 16 })).toEqual(["one\ntwo three. ", "Four five six.\n"]);
  });

  test("a heading does not stand alone, unless code follows that would have to be cut", () => {
    expect(cut("# a\nOne two. Three.\n", { maxSize: 15, bodyStart: 4 })).toEqual(["# a\nOne two. ", "Three.\n"]);
    expect(cut("# a\n@one two three\n", { maxSize: 16, bodyStart: 4 })).toEqual(["# a\n", "@one two three\n"]);
  });

  test("a line that leads in goes with the next", () => {
    expect(cut("one\ndo:\ntwo three\n", { maxSize: 14 })).toEqual(["one\n", "do:\ntwo three\n"]);
  });

  test("repeats the end of a piece when there is an overlap, and leaves it out where there is no room", () => {
    expect(cut("one\ntwo\nthree\n", { maxSize: 10, overlap: 4 })).toEqual(["one\ntwo\n", "two\nthree\n"]);
    expect(cut("one\ntwo\nthree five\n", { maxSize: 10, overlap: 4 })).toEqual(["one\ntwo\n", "three five\n"]);
  });

  test("units of the larger size join a passage", () => {
    const line = (mark: string, length: number): string => `${mark.repeat(length - 1)}\n`;
    const sizes = (...units: string[]): number[] =>
      cut(units.join(""), { maxSize: 1500, passages: true }).map((piece) => piece.length);
    expect(sizes(line("a", 400), line("a", 400), line("a", 100))).toEqual([400, 500]);
    expect(sizes(line("a", 400), line("@", 1000), line("a", 400))).toEqual([1400, 400]);
    expect(sizes(line("a", 400), line("@", 1200), line("a", 400))).toEqual([400, 1200, 400]);
  });

  test("a remnant joins the piece before it", () => {
    const line = (length: number): string => `${"a".repeat(length - 1)}\n`;
    const sizes = (...units: number[]): number[] =>
      cut(units.map(line).join(""), { maxSize: 1500, passages: true }).map((piece) => piece.length);
    expect(sizes(590, 100, 590)).toEqual([690, 590]);
    expect(sizes(590, 200, 590)).toEqual([590, 200, 590]);
  });

  test("nothing is lost and the limit holds, down to single characters", () => {
    const text = "Dr. Ames, e.g. 🚢🚢 and 港の灯台. Next\nzzzzzzzzzzzzzzzz\n";
    for (let maxSize = 2; maxSize < 30; maxSize++) {
      const pieces = cut(text, { maxSize });
      expect(pieces.join("")).toBe(text);
      for (const piece of pieces) expect(piece.trimEnd().length).toBeLessThanOrEqual(maxSize);
    }
  });
});
