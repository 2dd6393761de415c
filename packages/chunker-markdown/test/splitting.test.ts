import { describe, expect, test } from "vitest";
import { chunk, shown } from "./chunk.js";

const texts = (text: string, maxSize: number, overlap = 0) =>
  chunk(text, { maxSize, overlap }).chunks.map((draft) => draft.text);
const shownTexts = (text: string, maxSize: number) => chunk(text, { maxSize }).chunks.map(shown);

describe("block borders", () => {
  test("whole paragraphs, lists and tables where they fit", () => {
    const text = "# A\n\nfirst paragraph\n\n- one\n- two\n- three\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nlast one\n";
    expect(texts(text, 42)).toEqual([
      "# A\n\nfirst paragraph",
      "- one\n- two\n- three",
      "| a | b |\n| - | - |\n| 1 | 2 |\n\nlast one",
    ]);
  });

  test("a paragraph that announces a block goes with it", () => {
    expect(texts("# A\n\nSome words here.\n\nRun this:\n\n```\nrun it now\n```\n", 40)).toEqual([
      "# A\n\nSome words here.",
      "Run this:\n\n```\nrun it now\n```",
    ]);
  });

  test("what tags or directives enclose stays together", () => {
    const text =
      "words of a paragraph\n\n:::note\n\none\n\ntwo\n\n:::\n\n<details>\n<summary>S</summary>\n\nthree\n\n</details>\n";
    expect(texts(text, 40)).toEqual([
      "words of a paragraph",
      ":::note\n\none\n\ntwo\n\n:::",
      "<details>\n<summary>S</summary>\n\nthree",
      "</details>",
    ]);
    expect(texts(text, 50)[1]).toBe("<details>\n<summary>S</summary>\n\nthree\n\n</details>");
  });

  test("a heading does not stand alone if its first block can be cut", () => {
    expect(texts("# Heading\n\nOne sentence. Another one.\n\nMore.\n", 35)).toEqual([
      "# Heading\n\nOne sentence.",
      "Another one.\n\nMore.",
    ]);
  });

  test("code that fits stays whole, even if its heading stands alone then", () => {
    expect(texts("# Heading\n\n```\ncode of a line\n```\n", 32)).toEqual(["# Heading", "```\ncode of a line\n```"]);
  });
});

describe("lists", () => {
  test("between items, then inside them", () => {
    expect(texts("- one\n- two\n- three\n", 12)).toEqual(["- one\n- two", "- three"]);
    expect(texts("- first part\n\n  second part\n- b\n", 20)).toEqual(["- first part", "  second part\n- b"]);
  });

  test("nested lists", () => {
    expect(texts("- a\n  - b one\n  - b two\n    - c\n", 14)).toEqual(["- a\n  - b one", "  - b two", "    - c"]);
  });
});

describe("code", () => {
  const code = "```js title=x\none()\ntwo()\n\nthree()\nfour()\n```\n";

  test("at blank lines, with the fences repeated as shown", () => {
    expect(texts(code, 40)).toEqual(["```js title=x\none()\ntwo()", "three()\nfour()\n```"]);
    expect(shownTexts(code, 40)).toEqual(["```js title=x\none()\ntwo()\n```", "```js title=x\nthree()\nfour()\n```"]);
  });

  test("at line ends, when a group of lines is too long", () => {
    const lines = "```\none one one\ntwo two two\nthree three\nfour\n```\n";
    expect(shownTexts(lines, 32)).toEqual(["```\none one one\ntwo two two\n```", "```\nthree three\nfour\n```"]);
  });

  test("fences stay with the lines next to them", () => {
    expect(texts("```\n\na\n\n\n```\n\n```\nlong line here\n```\n", 18)).toEqual([
      "```\n\na\n\n\n```",
      "```\nlong line",
      "here\n```",
    ]);
  });

  test("the margin of a list or quote is repeated, its mark is not", () => {
    const text = "1. ```sh\n   one one one\n\n   two two two\n   ```\n\n> ~~~\n> three three\n> four four\n> ~~~\n";
    expect(shownTexts(text, 34)).toEqual([
      "1. ```sh\n   one one one\n   ```",
      "   ```sh\n   two two two\n   ```",
      "> ~~~\n> three three\n> ~~~",
      "> ~~~\n> four four\n> ~~~",
    ]);
  });

  test("a fence that nothing closes is closed", () => {
    expect(shownTexts("```\none one one\ntwo two two\n", 20)).toEqual([
      "```\none one one\n```",
      "```\ntwo two two\n```",
    ]);
  });

  test("indented code", () => {
    expect(texts("    one one\n    two two\n\n    three\n", 24)).toEqual(["    one one\n    two two", "    three"]);
  });

  test("language and zones", () => {
    const text = `# A\n\nSome words.\n\n${code}`;
    const { chunks } = chunk(text, { maxSize: 40 });
    expect(chunks.map(({ language }) => language)).toEqual([undefined, "js", "js"]);
    expect(chunks.map(({ zones }) => zones?.map((zone) => text.slice(zone.startOffset, zone.endOffset)))).toEqual([
      undefined,
      ["one()\ntwo()"],
      ["three()\nfour()\n"],
    ]);
  });

  test("languages by info string", () => {
    for (const [info, language] of [
      ["TypeScript", "typescript"],
      ["js{1,3}", "js"],
      ["{.python .x}", "python"],
      ["c++ a=b", "c++"],
      ["", undefined],
    ] as const) {
      expect(chunk(`~~~${info}\nx\n~~~\n`).chunks[0]!.language, info).toBe(language);
    }
  });
});

describe("tables", () => {
  const table = `| a | b |\n| - | - |\n${Array.from({ length: 4 }, (_, row) => `| ${row} | x |\n`).join("")}`;

  test("between rows, with the header repeated as shown", () => {
    expect(texts(table, 40)).toEqual(["| a | b |\n| - | - |\n| 0 | x |\n| 1 | x |", "| 2 | x |\n| 3 | x |"]);
    expect(shownTexts(table, 40)[1]).toBe("| a | b |\n| - | - |\n| 2 | x |\n| 3 | x |");
  });

  test("a row that is too long is cut between cells", () => {
    const text = "| a | b |\n| - | - |\n| 1 | 2 |\n| long cell one | long cell two |\n";
    expect(shownTexts(text, 40)).toEqual([
      "| a | b |\n| - | - |\n| 1 | 2 |",
      "| a | b |\n| - | - |\n| long cell one |",
      "| a | b |\n| - | - |\n long cell two |",
    ]);
  });

  test("a header that fills half of a chunk is not repeated", () => {
    expect(shownTexts(table, 30)).toEqual(["| a | b |\n| - | - |\n| 0 | x |", "| 1 | x |\n| 2 | x |\n| 3 | x |"]);
  });
});

describe("text", () => {
  test("at sentences, which abbreviations and line breaks do not end", () => {
    const text = "Dr. Who met J. Doe, e.g. at sea.\nSee Fig. 3 of the\nreport. It is long.";
    expect(texts(text, 40)).toEqual(["Dr. Who met J. Doe, e.g. at sea.", "See Fig. 3 of the\nreport. It is long."]);
  });

  test("at words, then anywhere", () => {
    expect(texts("pier quay wharf berth slip", 10)).toEqual(["pier quay", "wharf", "berth slip"]);
    expect(texts("zzzzzzzzzzzzzzzzzzzzzzzzzzzz", 7)).toEqual(["zzzzzzz", "zzzzzzz", "zzzzzzz", "zzzzzzz"]);
  });

  test("at words of scripts without blanks", () => {
    expect(texts("港の灯台は夜に光ります。船は朝に出ます。", 12)).toEqual([
      "港の灯台は夜に光ります。",
      "船は朝に出ます。",
    ]);
    expect(texts("港の灯台は夜に光ります", 8).join("")).toBe("港の灯台は夜に光ります");
  });

  test("graphemes stay whole when they fit, code points always", () => {
    expect(texts("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 17)).toEqual(["👩‍👩‍👧👩‍👩‍👧", "👩‍👩‍👧"]);
    expect(texts("🇩🇪🇫🇷🇮🇹", 6)).toEqual(["🇩🇪", "🇫🇷", "🇮🇹"]);
    expect(texts("👩‍👩‍👧", 3)).toEqual(["👩‍", "👩‍", "👧"]);
    expect(texts("🚢🚢", 1)).toEqual(["🚢", "🚢"]);
  });

  test("a heading longer than the limit", () => {
    const { chunks } = chunk(`# ${"pump and valve ".repeat(10).trimEnd()}\n\nshort body\n`, { maxSize: 120 });
    expect(chunks.map(({ text, startsSection }) => [text, startsSection])).toEqual([
      ["# pump and valve pump and valve pump and valve pump and", undefined],
      ["valve pump and valve pump and valve pump and valve pump and", false],
      ["valve pump and valve pump and valve\n\nshort body", false],
    ]);
  });
});

describe("passages", () => {
  const sentence = "The ship left the harbour in the morning tide, as ever."; // 55 characters
  const paragraph = Array.from({ length: 5 }, () => sentence).join(" ");
  const prose = (count: number): string => Array.from({ length: count }, () => `${paragraph}\n\n`).join("");
  const lengths = (text: string): number[] => texts(text, 1500).map((part) => part.length);

  test("a section of up to two chunks is cut into full ones, a longer one into passages", () => {
    expect(paragraph.length).toBe(279);
    expect(lengths(`# A\n\n${prose(10)}`)).toEqual([1408, 1403]);
    expect(lengths(`# A\n\n${prose(11)}`)).toEqual([565, 560, 560, 560, 560, 279]);
  });

  test("each section for itself", () => {
    expect(lengths(`# A\n\n${prose(5)}# B\n\n${prose(11)}`).slice(0, 2)).toEqual([1408, 565]);
  });

  test("lists, tables and code keep the larger size", () => {
    const list = Array.from({ length: 30 }, (_, item) => `- the item number ${item} of the list\n`).join("");
    const parts = texts(`# A\n\n${prose(9)}${list}\n${prose(2)}`, 1500);
    const holder = parts.find((part) => part.includes("number 0 "))!;
    expect(holder).toContain("number 29 ");
    expect(holder.length).toBeGreaterThan(600);
  });
});

describe("overlap", () => {
  test("whole sentences", () => {
    expect(texts("One is. Two is. Three is. Four is. Five is.", 26, 10)).toEqual([
      "One is. Two is. Three is.",
      "Three is. Four is.",
      "Four is. Five is.",
    ]);
  });

  test("whole lines of lists and code, with fences in the shown form", () => {
    expect(texts("- one\n- two\n- three\n", 14, 6)).toEqual(["- one\n- two", "- two\n- three"]);
    const { chunks } = chunk("```\none one\ntwo two\nthree\n```\n", { maxSize: 24, overlap: 8 });
    expect(chunks.map(shown)).toEqual(["```\none one\ntwo two\n```", "```\ntwo two\nthree\n```"]);
  });

  test("none over the border of a section, and none where it leaves no room", () => {
    expect(texts("# A\n\none\n\n# B\n\ntwo\n", 100, 50)).toEqual(["# A\n\none", "# B\n\ntwo"]);
    expect(texts("One is it. Two is twelve long. Three.", 20, 12)).toEqual([
      "One is it.",
      "Two is twelve long.",
      "Three.",
    ]);
  });
});

describe("other units", () => {
  test("a limit in words", () => {
    const measure = (text: string): number => text.split(/\s+/).filter(Boolean).length;
    const { chunks } = chunk("One two three. Four five. Six seven eight nine.", { maxSize: 5, measure });
    expect(chunks.map(({ text }) => text)).toEqual(["One two three. Four five.", "Six seven eight nine."]);
  });
});
