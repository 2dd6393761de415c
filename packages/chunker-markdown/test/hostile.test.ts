import { describe, expect, test } from "vitest";
import { SHAPES } from "../bench/hostile-shapes.mjs";
import { CHARACTERS, chunk } from "./chunk.js";
import { expectCeiling, expectCoverage, expectOffsets } from "./invariants.js";

/** Number of chunks. */
const EXPECTED: Readonly<Record<string, number>> = {
  "10 MB of paragraphs": 6775,
  "10 MB in one paragraph": 6589,
  "10 MB of code": 6982,
  "10 MB of list items": 6683,
  "10 MB of table rows": 6800,
  "1 MB line, with blanks": 670,
  "1 MB line, without blanks": 666,
  "10,000 quote marks": 7,
  "50,000 headings": 50000,
  "20,000 emphasis openers": 54,
  "20,000 emphasis openers in a heading": 54,
  "1 MB heading of emphasis": 667,
  "1 MB heading of brackets": 668,
  "1 MB heading of tags": 681,
  "list 2,000 deep": 1520,
  "1 MB of brackets": 667,
  "1 MB of link openers": 667,
  "1 MB of closed brackets": 668,
  "1 MB of backtick runs": 867,
  "1 MB of comment openers": 669,
  "1 MB of tags": 666,
  "1 MB of math openers": 667,
  "1 MB of footnotes": 793,
  "1 MB of definitions": 791,
  "1 MB of directives, nested": 749,
  "1 MB of image openers": 657,
  "1 MB table row": 674,
  "1 MB of comments": 700,
  "front matter of blanks": 2,
  "1 MB of directives": 663,
  "1 MB of admonitions, nested": 571,
  "1 MB of addresses": 663,
  "1 MB of parentheses in an address": 667,
  "mdx: 1 MB of open braces": 667,
  "mdx: 1 MB of open tags": 669,
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
