import { LEXICAL_FIELDS } from "@docsearch/spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DecodedPostings, PostingListWriter } from "../src/lexical/postings-codec.js";

function writerFrom(firstSlot: number): PostingListWriter {
  const writer = new PostingListWriter();
  writer.begin(firstSlot);
  return writer;
}

const [title, , , , body, code] = LEXICAL_FIELDS.map((_, index) => index) as [
  number,
  number,
  number,
  number,
  number,
  number,
];

interface Entry {
  readonly slot: number;
  /** Occurrences in half units by field. */
  readonly occurrences: ReadonlyMap<number, number>;
}

function entriesOf(decoded: DecodedPostings): Entry[] {
  const entries: Entry[] = [];
  let at = 0;
  for (let entry = 0; entry < decoded.length; entry++) {
    const mask = decoded.masks[entry]!;
    const occurrences = new Map<number, number>(mask === 0 ? [[body, 2]] : []);
    for (let index = 0; index < LEXICAL_FIELDS.length; index++) {
      if ((mask >> index) & 1) occurrences.set(index, decoded.occurrences[at++]!);
    }
    entries.push({ slot: decoded.slots[entry]!, occurrences });
  }
  return entries;
}

test("one occurrence in the body is the distance alone", () => {
  const writer = writerFrom(10);
  writer.add(10, body, 2);
  writer.add(13, body, 2);
  writer.add(13 + 64, body, 2);
  expect([...writer.finish()]).toEqual([1, 7, 0x81, 1]);
  expect(writer.entries).toBe(3);
});

test("everything else names its fields and their occurrences in half units", () => {
  const writer = writerFrom(1);
  expect(writer.add(1, body, 1)).toBe(true);
  expect(writer.add(3, code, 300)).toBe(true);
  expect(writer.add(3, title, 2)).toBe(false);
  expect([...writer.finish()]).toEqual([0, 0b010000, 1, 4, 0b100001, 2, 0xac, 2]);
});

test("lists of several segments follow one another, and can be brought into the order of slots", () => {
  const first = writerFrom(5);
  first.add(5, body, 2);
  first.add(9, title, 4);
  first.add(9, body, 6);
  const second = writerFrom(6);
  second.add(7, code, 1);
  second.add(20, body, 2);
  const decoded = new DecodedPostings();
  decoded.append(first.finish(), 5, 2);
  decoded.append(second.finish(), 6, 2);
  expect(entriesOf(decoded).map(({ slot }) => slot)).toEqual([5, 9, 7, 20]);
  decoded.sortBySlot();
  expect(entriesOf(decoded)).toEqual([
    { slot: 5, occurrences: new Map([[body, 2]]) },
    { slot: 7, occurrences: new Map([[code, 1]]) },
    {
      slot: 9,
      occurrences: new Map([
        [title, 4],
        [body, 6],
      ]),
    },
    { slot: 20, occurrences: new Map([[body, 2]]) },
  ]);
});

test("what was encoded comes back, and an entry that is copied is encoded alike", () => {
  const occurrences = fc.dictionary(fc.nat(5).map(String), fc.integer({ min: 1, max: 2 ** 31 }), { minKeys: 1 });
  const entry = fc.record({ distance: fc.integer({ min: 1, max: 2 ** 20 }), occurrences });
  fc.assert(
    fc.property(fc.nat(2 ** 20), fc.array(entry, { minLength: 1, maxLength: 40 }), (firstSlot, list) => {
      const writer = writerFrom(firstSlot);
      let slot = firstSlot;
      const entries: Entry[] = list.map(({ distance, occurrences: byField }) => {
        slot += distance;
        const fields = Object.entries(byField).map(([index, count]) => [Number(index), count] as const);
        for (const [index, count] of [...fields].reverse()) writer.add(slot, index, count);
        return { slot, occurrences: new Map(fields) };
      });
      const bytes = writer.finish();
      const decoded = new DecodedPostings();
      decoded.append(bytes, firstSlot, list.length);
      expect(entriesOf(decoded)).toEqual(entries);

      const copy = writerFrom(firstSlot);
      let at = 0;
      for (let index = 0; index < decoded.length; index++) {
        copy.append(decoded.slots[index]!, decoded.masks[index]!, decoded.occurrences, at);
        if (decoded.masks[index] !== 0) at += entries[index]!.occurrences.size;
      }
      expect([...copy.finish()]).toEqual([...bytes]);
      expect(copy.lastSlot).toBe(slot);
    }),
  );
});
