import { LEXICAL_FIELDS, type LexicalFields } from "@docsearch/spec";
import { codeUnitKey, documentLengths, EntryReader, lengthsOf, textOfKey } from "@docsearch/store-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeDocument } from "../src/posting-codec.js";

function numbersOf(bytes: Uint8Array): number[] {
  const reader = new EntryReader(bytes);
  const numbers: number[] = [];
  while (!reader.done) numbers.push(reader.next());
  return numbers;
}

const once = (term: string, length: number): LexicalFields[keyof LexicalFields] => ({
  terms: new Map([[term, 1]]),
  length,
});

test("an entry has document, count, lengths, and of each chunk slot, fields, occurrences and lengths", () => {
  const entries = encodeDocument(300, [
    { slot: 7, fields: { title: once("a", 2)!, body: { terms: new Map([["a", 2.5]]), length: 100 } } },
    { slot: 1_000_000, fields: { title: once("b", 2)!, ancestors: once("a", 3)!, body: once("b", 50)! } },
  ]);
  expect([...entries.keys()]).toEqual(["a", "b"]);
  expect(entries.get("a")?.chunks).toBe(2);
  // Lengths of title, heading, path, body and code of the document: the title counts once.
  const lengths = [4, 0, 0, 300, 0];
  expect(numbersOf(entries.get("a")!.bytes)).toEqual([300, 2, ...lengths, 7, 17, 2, 4, 5, 200, 1_000_000, 2, 2, 6]);
  expect(numbersOf(entries.get("b")!.bytes)).toEqual([300, 1, ...lengths, 1_000_000, 17, 2, 4, 2, 100]);
});

test("lengths of a document: title and path once, ancestors not, the others added up", () => {
  const chunk = (length: number): number[] =>
    lengthsOf(Object.fromEntries(LEXICAL_FIELDS.map((name) => [name, once("x", length)])));
  expect(chunk(1.5)).toEqual([3, 3, 3, 3, 3, 3]);
  expect(documentLengths([chunk(1.5), chunk(0.5)])).toEqual([3, 0, 4, 3, 4, 4]);
  expect(documentLengths([])).toEqual([0, 0, 0, 0, 0, 0]);
});

test("numbers of any size come back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 2 ** 40 }), (slot, halves) => {
      const fields = { body: { terms: new Map([["a", halves / 2]]), length: halves / 2 } };
      const { bytes } = encodeDocument(slot, [{ slot, fields }]).get("a")!;
      expect(numbersOf(bytes)).toEqual([slot, 1, 0, 0, 0, halves, 0, slot, 16, halves, halves]);
    }),
  );
});

test("keys give the text back, and compare as its code units do", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      expect(textOfKey(codeUnitKey(a))).toBe(a);
      const order = a < b ? -1 : a > b ? 1 : 0;
      expect(Math.sign(Buffer.compare(codeUnitKey(a), codeUnitKey(b)))).toBe(order);
    }),
  );
});
