import { describe, expect, test } from "vitest";
import { SHAPES } from "../bench/hostile-shapes.mjs";
import { CHARACTERS, chunk } from "./chunk.js";
import { expectCeiling, expectCoverage, expectOffsets } from "./invariants.js";

/** Number of chunks. */
const EXPECTED: Readonly<Record<string, number>> = {
  "10 MB of paragraphs": 17500,
  "10 MB in one paragraph": 17500,
  "10 MB of code": 6982,
  "10 MB of list items": 6683,
  "10 MB of table rows": 6800,
  "1 MB line, with blanks": 1674,
  "1 MB line, without blanks": 1665,
  "10,000 quote marks": 17,
  "50,000 headings": 50000,
  "20,000 emphasis openers": 134,
  "20,000 emphasis openers in a heading": 62,
  "1 MB heading of emphasis": 772,
  "1 MB heading of brackets": 834,
  "1 MB heading of tags": 788,
  "list 2,000 deep": 1561,
  "1 MB of brackets": 1667,
  "1 MB of link openers": 1667,
  "1 MB of closed brackets": 1668,
  "1 MB of backtick runs": 1885,
  "1 MB of comment openers": 669,
  "1 MB of tags": 1665,
  "1 MB of math openers": 1667,
  "1 MB of footnotes": 793,
  "1 MB of definitions": 791,
  "1 MB of directives, nested": 749,
  "1 MB of image openers": 1680,
  "1 MB table row": 674,
  "1 MB of comments": 1750,
  "front matter of blanks": 2,
  "1 MB of directives": 663,
  "1 MB of admonitions, nested": 500,
  "1 MB of addresses": 1667,
  "1 MB of parentheses in an address": 1667,
  "mdx: 1 MB of open braces": 1667,
  "mdx: 1 MB of open tags": 1667,
  "mdx: 1 MB of open exports": 667,
  "mdx: 1 MB of tags": 667,
};

// Their times stand in bench/chunk.mjs. A quadratic one would not end within the time that a test has.
describe("input that was made to hurt", () => {
  for (const [name, make] of Object.entries(SHAPES as Record<string, () => string>)) {
    test(name, () => {
      const text = make();
      const result = chunk(text, {}, name.startsWith("mdx") ? "page.mdx" : "page.md");
      expect(result.chunks.length).toBe(EXPECTED[name]);
      expectOffsets(text, result);
      expectCoverage(text, result, true);
      expectCeiling(result, CHARACTERS);
    });
  }

  test("deep quotes keep their text", () => {
    const { chunks } = chunk(`${">".repeat(10_000)} deep end\n`);
    expect(chunks.at(-1)!.text.endsWith("> deep end")).toBe(true);
  });

  test("50,000 headings are 50,000 sections", () => {
    const { outline } = chunk("## h\n\nx\n\n".repeat(50_000));
    expect(outline.length).toBe(50_000);
    expect(outline.at(-1)).toEqual({ heading: "h", level: 2, anchor: "h-49999", line: 199_997 });
  });
});
