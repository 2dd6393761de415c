import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeLine, escapeText, isPlain, unescapeLine } from "../src/escape.js";

test("controls, escape sequences, bidi and zero-width characters are spelt out", () => {
  expect(escapeText("a\u001b[31mred\u0007")).toBe("a\\x1b[31mred\\x07");
  expect(escapeText("\u202egnp.exe\u2066x\u2069")).toBe("\\u202egnp.exe\\u2066x\\u2069");
  expect(escapeText("in\u200bvisi\u2060ble\ufeff\u00ad")).toBe("in\\u200bvisi\\u2060ble\\ufeff\\xad");
  expect(escapeText("tag \u{e0041}\u{e0042}, selector \u{e0101}")).toBe(
    "tag \\u{e0041}\\u{e0042}, selector \\u{e0101}",
  );
  expect(escapeText("half \ud800 pair")).toBe("half \\ud800 pair");
});

test("what people write stays as it is", () => {
  const text = "Grüße, 漢字 かな, עברית, 😀\n\tindented\n";
  expect(escapeText(text)).toBe(text);
});

test("a line has no break and no tab", () => {
  expect(escapeLine("a\nb\tc")).toBe("a\\x0ab\\x09c");
  expect(isPlain("docs/guide")).toBe(true);
  expect(isPlain("docs\n/guide")).toBe(false);
});

test("what was spelt out is what it was, and nothing else becomes another", () => {
  expect(unescapeLine("a\\x0ab\\u202ec\\u{e0041}d")).toBe("a\nb\u202ec\u{e0041}d");
  expect(unescapeLine("\\x41 \\u0041 \\u{110000} \\x4")).toBe("\\x41 \\u0041 \\u{110000} \\x4");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      fc.pre(!text.includes("\\"));
      expect(unescapeLine(escapeLine(text))).toBe(text);
    }),
  );
});
