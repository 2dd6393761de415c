import { isDocsearchError } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { textChunker } from "../src/text-chunker/text-chunker.js";
import { chunk, outline, texts } from "./text-chunk.js";

const prose = (sentences: number, from = 0): string =>
  Array.from({ length: sentences }, (_, n) => `The ship number ${from + n} left the harbour in the morning.`).join(" ");

describe("the factory", () => {
  test("is inert and names its behaviour", async () => {
    const factory = textChunker();
    expect(factory.name).toBe("text");
    expect(factory.id).toBe("text@1");
    const chunker = await factory.load();
    expect(chunker.id).toBe("text@1");
    expect(chunker.supports({ mediaType: "application/x-unheard-of" })).toBe(true);
  });

  test("sizes that make no sense are refused before any work", () => {
    for (const [options, setting] of [
      [{ maxSize: 0 }, "maxSize"],
      [{ maxSize: Number.NaN }, "maxSize"],
      [{ maxSize: 100, overlap: 100 }, "overlap"],
      [{ maxSize: 100, overlap: -1 }, "overlap"],
    ] as const) {
      try {
        chunk("x", options);
        expect.unreachable();
      } catch (error) {
        expect(isDocsearchError(error, "CONFIG_INVALID") && error.details.setting).toBe(setting);
      }
    }
  });
});

describe("what fits", () => {
  test("a short text is one chunk", () => {
    const { chunks, title, diagnostics } = chunk("one\n\ntwo\n");
    expect(chunks).toEqual([
      {
        text: "one\n\ntwo",
        span: { startOffset: 0, endOffset: 8, startLine: 1, endLine: 3 },
        headingPath: [],
        metadata: {},
      },
    ]);
    expect(title).toBeUndefined();
    expect(diagnostics).toEqual([]);
  });

  test("blank lines around a text are in no chunk, blanks in its lines are kept", () => {
    expect(texts(" \n\n  one  \n\n")).toEqual(["  one  "]);
    expect(texts("\ufeffone\n")).toEqual(["one"]);
    expect(texts("")).toEqual([]);
    expect(texts(" \n\t\n")).toEqual([]);
  });

  test("lines end with LF, CRLF and CR", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const { chunks } = chunk(["one one one", "", "two two two", "two"].join(end), { maxSize: 20 });
      expect(chunks.map(({ text, span }) => [text, span.startLine, span.endLine])).toEqual([
        ["one one one", 1, 1],
        [`two two two${end}two`, 3, 4],
      ]);
    }
  });
});

describe("what does not fit is cut", () => {
  test("between paragraphs, which stay whole if they fit", () => {
    expect(texts("one one one\n\ntwo\n\nthree three three\n", 20)).toEqual(["one one one\n\ntwo", "three three three"]);
  });

  test("a paragraph that announces the next one goes with it", () => {
    expect(texts("The first one is it.\n\nDo this:\n\nthen that and more\n", 34)).toEqual([
      "The first one is it.",
      "Do this:\n\nthen that and more",
    ]);
  });

  test("between sentences, which abbreviations and line breaks do not end", () => {
    expect(texts("Dr. Who met J. Doe, e.g. at sea.\nSee Fig. 3 of the\nreport. It is long.", 40)).toEqual([
      "Dr. Who met J. Doe, e.g. at sea.",
      "See Fig. 3 of the\nreport. It is long.",
    ]);
  });

  test("a long sentence at its lines, a long line at its words", () => {
    expect(texts("one two three four\nfive six seven eight\nnine ten eleven", 40)).toEqual([
      "one two three four\nfive six seven eight",
      "nine ten eleven",
    ]);
    expect(texts("pier quay wharf berth slip", 11)).toEqual(["pier quay ", "wharf ", "berth slip"]);
  });

  test("a long word between graphemes", () => {
    expect(texts("zzzzzzzzzzzzzzzzzzzz", 7)).toEqual(["zzzzzzz", "zzzzzzz", "zzzzzz"]);
    expect(texts("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 17)).toEqual(["👩‍👩‍👧👩‍👩‍👧", "👩‍👩‍👧"]);
    expect(texts("🚢🚢", 1)).toEqual(["🚢", "🚢"]);
  });

  test("a list between its items, lines that stand for themselves between them", () => {
    const list = "To take along:\n- lamps and oil\n- a chart of the\n  harbour\n- water\n";
    expect(texts(list, 50)).toEqual(["To take along:\n- lamps and oil", "- a chart of the\n  harbour\n- water"]);
    const rows = "north pier   4 m\neast pier   7 m, lit\nouter mole   12 m\nquay   2 m";
    expect(texts(rows, 45)).toEqual(["north pier   4 m\neast pier   7 m, lit", "outer mole   12 m\nquay   2 m"]);
  });

  test("indented code stays whole if it fits, and is cut at blank lines and line ends", () => {
    const code = "    open(gate);\n    wait(10);\n\n    close(gate);\n";
    expect(texts(`Some words before the code.\n\n${code}`, 60)).toEqual([
      "Some words before the code.",
      code.trimEnd(),
    ]);
    expect(texts(`Words.\n\n${code}`, 36)).toEqual(["Words.", "    open(gate);\n    wait(10);", "    close(gate);"]);
    expect(texts(`Words.\n\n${code}`, 20)).toEqual(["Words.", "    open(gate);", "    wait(10);", "    close(gate);"]);
  });

  test("indented code is marked as such, indented prose is not", () => {
    const text =
      "Words.\n\n    if (gate) { open(gate); }\n\n    close(gate);\n\n    A quotation, which is\n    indented as well.\n";
    const { chunks } = chunk(text);
    expect(chunks[0]!.zones?.map(({ startOffset, endOffset }) => text.slice(startOffset, endOffset))).toEqual([
      "    if (gate) { open(gate); }\n\n    close(gate);\n",
    ]);
  });

  test("pages stay whole if they fit", () => {
    expect(texts("one\n\nof page one\n\f\ntwo\n\nof page two\n", 20)).toEqual([
      "one\n\nof page one",
      "two\n\nof page two",
    ]);
    expect(texts("one\n\f\ntwo\n\fthree\n", 9)).toEqual(["one\n\f\ntwo", "three"]);
  });

  test("in another unit", () => {
    const measure = (text: string): number => text.split(/\s+/).filter(Boolean).length;
    const { chunks } = chunk("One two three. Four five. Six seven eight nine.", { maxSize: 5, measure });
    expect(chunks.map(({ text }) => text)).toEqual(["One two three. Four five. ", "Six seven eight nine."]);
  });
});

describe("passages", () => {
  const lengths = (text: string, maxSize = 1500): number[] => texts(text, maxSize).map((part) => part.length);

  test("text of up to two chunks' worth is cut into full chunks, longer text into passages of 600", () => {
    const paragraph = prose(5);
    expect(paragraph.length).toBe(254);
    const times = (count: number): string => Array.from({ length: count }, () => paragraph).join("\n\n");
    expect(lengths(times(5))).toEqual([1278]);
    expect(lengths(times(11))).toEqual([1278, 1278, 254]);
    expect(lengths(times(12))).toEqual([510, 510, 510, 510, 510, 510]);
  });

  test("with large chunks a passage has two fifths of one", () => {
    expect(lengths(prose(200), 4000)).toEqual([1550, 1560, 1560, 1580, 1590, 1590, 1059]);
  });

  test("with chunks below 600 there is no difference", () => {
    expect(lengths(prose(40), 500)).toEqual([459, 467, 468, 468, 207]);
  });

  test("what would be left of a passage stays with it", () => {
    // The first paragraph is a little more than a passage: its last sentence does not stand alone.
    expect(lengths(`${prose(12)}\n\n${prose(11)}\n\n${prose(60)}`).slice(0, 2)).toEqual([613, 561]);
    expect(lengths(`${prose(15)}\n\n${prose(11)}\n\n${prose(60)}`).slice(0, 3)).toEqual([562, 207, 561]);
  });

  test("code, lists and tables have the larger size", () => {
    const code = Array.from({ length: 40 }, (_, n) => `    gate[${n}] = open(${n});`).join("\n");
    const text = `${prose(60)}\n\n${code}\n\n${prose(20)}`;
    expect(texts(text).find((part) => part.includes("gate[0]"))).toContain("gate[39]");
  });
});

describe("overlap", () => {
  test("repeats whole sentences", () => {
    expect(texts("One is. Two is. Three is. Four is. Five is.", 26, 10)).toEqual([
      "One is. Two is. Three is. ",
      "Three is. Four is. ",
      "Four is. Five is.",
    ]);
  });

  test("repeats whole lines of lists and rows", () => {
    expect(texts("- one\n- two\n- three\n", 14, 6)).toEqual(["- one\n- two", "- two\n- three"]);
  });

  test("never over the border of a section", () => {
    expect(texts("Alpha\n=====\n\none\n\nBeta\n====\n\ntwo\n", 100, 50)).toEqual([
      "Alpha\n=====\n\none",
      "Beta\n====\n\ntwo",
    ]);
  });
});

describe("code and data", () => {
  test("are cut at blank lines and line ends, and have no headings", () => {
    const text = "/* GATES */\n\nint open(void) {\n\treturn 1;\n}\n\n/* LAMPS */\n\nint lit(void) {\n\treturn 0;\n}\n";
    expect(texts(text, 60, 0, "text/x-c")).toEqual([
      "/* GATES */\n\nint open(void) {\n\treturn 1;\n}\n\n/* LAMPS */",
      "int lit(void) {\n\treturn 0;\n}",
    ]);
    expect(outline("OPEN\n\nthe gate\n\nCLOSE\n\nit again\n", { mediaType: "text/x-python" })).toEqual([]);
  });

  test("a minified line is cut at words", () => {
    const line = `{"gates":[${Array.from({ length: 20 }, (_, n) => `{"id": ${n}}`).join(", ")}]}`;
    const parts = texts(line, 60, 0, "application/json");
    expect(parts.join("")).toBe(line);
    expect(parts.every((part) => part.length <= 60)).toBe(true);
  });
});
