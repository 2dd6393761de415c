import type { Zone } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { composeEmbedText } from "../src/indexing/embed-text.js";

const chunk = (text: string, code: readonly string[] = []) => ({
  text,
  headingPath: [],
  span: { startOffset: 10, endOffset: 10 + text.length, startLine: 1, endLine: 1 },
  zones: code.map((part): Zone => {
    const startOffset = 10 + text.indexOf(part);
    return { kind: "code", startOffset, endOffset: startOffset + part.length };
  }),
});
const PROSE = "Enough words of prose to count as an explanation.";

describe("title and headings", () => {
  const section = (text: string, headingPath: readonly string[], startsSection?: boolean) => ({
    ...chunk(text),
    headingPath,
    ...(startsSection !== undefined && { startsSection }),
  });

  test("stand in front of the text, a line each", () => {
    expect(composeEmbedText("Handbook", section("Oil the hinges.", ["Doors", "Care"], false))).toBe(
      "Handbook\nDoors > Care\nOil the hinges.",
    );
  });

  test.each([
    ["## Care\n\nOil the hinges.", ["Doors", "Care"], "Handbook\nDoors\n## Care\n\nOil the hinges."],
    ["# Doors\n\n## Care\n\nOil.", ["Doors", "Care"], "Handbook\n# Doors\n\n## Care\n\nOil."],
    ["`Care` of *doors* {#care}\n---\nOil.", ["Care of doors"], "Handbook\n`Care` of *doors* {#care}\n---\nOil."],
    ["# Handbook\n\nWhat is in it.", ["Handbook"], "# Handbook\n\nWhat is in it."],
  ])("and not twice where the text begins with them: %j", (text, headingPath, expected) => {
    expect(composeEmbedText("Handbook", section(text, headingPath))).toBe(expected);
  });

  test("a heading that the text does not begin with stays, and so does one of signs alone", () => {
    expect(composeEmbedText(undefined, section("Oil the hinges. Care for doors.", ["Care"]))).toBe(
      "Care\nOil the hinges. Care for doors.",
    );
    expect(composeEmbedText(undefined, section("# ???\n\nWhy?", ["???"]))).toBe("???\n# ???\n\nWhy?");
  });
});

describe("what is left out of the embedded text", () => {
  test("targets of links and images, bare addresses, tags", () => {
    const text =
      'See [the guide](/docs/guide "Guide") and ![a cat](https://x.test/af39.png) at https://x.test/1 <Note kind="a">now</Note>';
    expect(composeEmbedText(undefined, chunk(text))).toBe("See [the guide] and ![a cat] at    now ");
  });

  test("type arguments and comparisons stay", () => {
    const text = "Takes Array<string> and `Map<string, number>`; a < b and c > d";
    expect(composeEmbedText(undefined, chunk(text))).toBe(text);
  });

  test("code among prose is cut to its first 200 characters, over all blocks, and loses its fence lines", () => {
    const first = "a".repeat(150);
    const second = "b".repeat(150);
    const text = `${PROSE}\n\`\`\`ts title="x"\n${first}\n\`\`\`\nmore\n\`\`\`\n${second}\n\`\`\`\n`;
    expect(composeEmbedText(undefined, chunk(text, [first, second]))).toBe(
      `${PROSE}\n\n${first}\n\nmore\n\n${"b".repeat(50)}\n\n`,
    );
  });

  test("a chunk that is code, with hardly a word beside it, is embedded whole", () => {
    const code = "x".repeat(500);
    const text = `Example:\n\`\`\`\n${code}\n\`\`\`\n`;
    expect(composeEmbedText(undefined, chunk(text, [code]))).toBe(text);
  });

  test("a text that a chunker made readable on its own is taken instead", () => {
    const standaloneText = "| a | b |\n| --- | --- |\n| 1 | [two](/2) |";
    expect(composeEmbedText("Table", { ...chunk("| 1 | [two](/2) |"), standaloneText })).toBe(
      "Table\n| a | b |\n| --- | --- |\n| 1 | [two] |",
    );
  });

  test("hostile text takes linear time", () => {
    for (const piece of ["[", "](", "](x ", "<a ", "https://"]) {
      const text = piece.repeat(200_000);
      expect(composeEmbedText(undefined, chunk(text)).length).toBeGreaterThan(0);
    }
  });
});
