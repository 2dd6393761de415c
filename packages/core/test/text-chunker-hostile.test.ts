import { describe, expect, test } from "vitest";
import { TEXTS } from "../bench/hostile-texts.mjs";
import { CHARACTERS, chunk } from "./text-chunk.js";
import { expectCeiling, expectCoverage, expectSpans } from "./text-guarantees.js";

/** Number of chunks. */
const EXPECTED: Readonly<Record<string, number>> = {
  "10 MB of paragraphs": 17153,
  "10 MB in one paragraph": 17483,
  "10 MB of lines": 16892,
  "10 MB of log": 6748,
  "10 MB of indented code": 16026,
  "10 MB of list items": 6676,
  "10 MB of blank lines": 0,
  "1 MB line, with blanks": 1667,
  "1 MB line, without blanks": 1667,
  "1 MB line of emoji": 1667,
  "1 MB of combining marks": 1667,
  "50,000 underlined headings": 50000,
  "50,000 headings in capitals": 1087,
  "50,000 numbered headings": 2030,
  "50,000 releases": 50000,
  "50,000 pages": 334,
  "1 MB of rules": 667,
  "1 MB line of equals signs": 667,
  "lines of equals signs and blanks": 701,
  "1 MB of dots and digits": 1684,
  "lines of digits and dots": 1667,
  "1 MB of blanks in a line": 2,
  "1 MB of tabs": 0,
  "1 MB of quote marks": 667,
  "1 MB of form feeds": 0,
  "1 MB of carriage returns": 1667,
  "1 MB of abbreviations": 1674,
  "1 MB of full stops": 1667,
  "1 MB of mail fields": 669,
  "1 MB of folded subject": 772,
};

// Their times stand in bench/chunk-text.mjs. A quadratic one would not end within the time that a test has.
describe("texts that were made to hurt", () => {
  for (const [name, make] of Object.entries(TEXTS as Record<string, () => string>)) {
    test(name, () => {
      const text = make();
      const result = chunk(text);
      expect(result.chunks.length).toBe(EXPECTED[name]);
      expectSpans(text, result);
      expectCoverage(text, result, CHARACTERS);
      expectCeiling(result, CHARACTERS);
    });
  }
});
