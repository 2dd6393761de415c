import fc from "fast-check";
import { expect, test } from "vitest";
import { codeUnitKey, endOfPrefix, textOfKey } from "../src/code-units.js";

/** Any code units, lone surrogates included. */
const anyText = fc.array(fc.nat(0xffff), { maxLength: 8 }).map((units) => String.fromCharCode(...units));

test("the key of ordinary text is its UTF-8", () => {
  expect([...codeUnitKey("né€")]).toEqual([0x6e, 0xc3, 0xa9, 0xe2, 0x82, 0xac]);
});

test("a surrogate pair is encoded as two units, so that it sorts before U+E000", () => {
  expect([...codeUnitKey("\u{1f600}")]).toEqual([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
  expect(Buffer.compare(codeUnitKey("\u{1f600}"), codeUnitKey("\uff21"))).toBe(-1);
});

test("keys give the text back", () => {
  fc.assert(fc.property(anyText, (text) => textOfKey(codeUnitKey(text)) === text));
});

test("keys compare as the code units of their texts do", () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      expect(Buffer.compare(codeUnitKey(a), codeUnitKey(b))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

test("the keys of a prefix are those from its own key up to its end", () => {
  fc.assert(
    fc.property(anyText, anyText, (prefix, text) => {
      const from = codeUnitKey(prefix);
      const key = codeUnitKey(text);
      const inRange = Buffer.compare(key, from) >= 0 && Buffer.compare(key, endOfPrefix(from)) < 0;
      expect(inRange).toBe(text.startsWith(prefix));
    }),
  );
});
