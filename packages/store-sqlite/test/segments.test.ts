import { textOfKey } from "@docsearch/store-kit";
import { expect, test } from "vitest";

import { type Connection, loadDriver } from "../src/driver.js";
import { DecodedPostings } from "../src/lexical/postings-codec.js";
import { SegmentWriter } from "../src/lexical/segment-writer.js";
import { dueForMerge, isMostlyDead, listSegments, mergeSegments, type Segment } from "../src/lexical/segments.js";
import { termsOf } from "../src/lexical/term-cursor.js";
import { createTables } from "../src/schema.js";
import type { SlotMap } from "../src/slots.js";
import { openStore, page, SCHEMA, temporaryPaths, term, textIds } from "./support.js";

const newPath = temporaryPaths();

async function database(): Promise<Connection> {
  const connection = (await loadDriver()).open(newPath(), { access: "write" });
  createTables(connection, SCHEMA, { lexical: "postings", vector: "blocks" });
  return connection;
}

/** Adds a segment: slot to the words of its body. */
function addSegment(connection: Connection, chunks: Readonly<Record<number, string>>): void {
  const writer = new SegmentWriter(connection);
  for (const [slot, words] of Object.entries(chunks)) {
    for (const word of words.split(" ")) writer.add(word, Number(slot), 4, 2);
  }
  writer.finish();
}

/** Slots by term. */
function contents(connection: Connection, segments = listSegments(connection)): Record<string, number[]> {
  const decoded = new DecodedPostings();
  return Object.fromEntries(
    [...termsOf(connection, segments)].map(({ term: key, lists }) => {
      decoded.clear();
      for (const { bytes, firstSlot, chunks } of lists) decoded.append(bytes, firstSlot, chunks);
      return [textOfKey(key), [...decoded.slots.subarray(0, decoded.length)]];
    }),
  );
}

function allLive(first: number, count: number): SlotMap {
  return { first, targets: Int32Array.from({ length: count }, (_, i) => first + i) };
}

function segment(id: number, postings: number): Segment {
  return { id, first_slot: id, last_slot: id, postings };
}

test("a segment holds the slots of each term", async () => {
  const connection = await database();
  addSegment(connection, { 3: "a b", 4: "b", 9: "a \uff21 \u{1f600}" });
  expect(listSegments(connection)).toEqual([{ id: 1, first_slot: 3, last_slot: 9, postings: 6 }]);
  // In code unit order.
  expect(Object.entries(contents(connection))).toEqual([
    ["a", [3, 9]],
    ["b", [3, 4]],
    ["\u{1f600}", [9]],
    ["\uff21", [9]],
  ]);
  connection.close();
});

test("terms of several segments are read in order, over more than one page of rows", async () => {
  const connection = await database();
  const words = Array.from({ length: 600 }, (_, i) => `t${String(i).padStart(3, "0")}`);
  addSegment(connection, { 1: words.join(" ") });
  addSegment(connection, { 2: words.filter((_, i) => i % 2 === 0).join(" "), 3: "zz" });
  const terms = [...termsOf(connection, listSegments(connection))].map(({ term: key }) => textOfKey(key));
  expect(terms).toEqual([...words, "zz"]);
  const some = [...termsOf(connection, listSegments(connection), Buffer.from("t01"), Buffer.from("t02"))];
  expect(some.map(({ term: key }) => textOfKey(key))).toEqual(words.slice(10, 20));
  expect(some.map(({ lists }) => lists.length)).toEqual([2, 1, 2, 1, 2, 1, 2, 1, 2, 1]);
  connection.close();
});

test("merging leaves out chunks that are gone and terms that no chunk holds any more", async () => {
  const connection = await database();
  addSegment(connection, { 1: "a b", 2: "a c" });
  addSegment(connection, { 3: "c d", 4: "a" });
  mergeSegments(connection, listSegments(connection), { first: 1, targets: Int32Array.of(1, 0, 3, 4) });
  expect(contents(connection)).toEqual({ a: [1, 4], b: [1], c: [3], d: [3] });
  expect(listSegments(connection)).toEqual([{ id: 3, first_slot: 1, last_slot: 4, postings: 5 }]);
  connection.close();
});

test("merging brings interleaved segments into the order of slots", async () => {
  const connection = await database();
  addSegment(connection, { 1: "a", 2: "a b" });
  addSegment(connection, { 3: "a", 4: "b a" });
  addSegment(connection, { 5: "a b" });
  const [first, second, third] = listSegments(connection) as [Segment, Segment, Segment];
  mergeSegments(connection, [first, third], allLive(1, 5));
  mergeSegments(connection, [second, ...listSegments(connection).filter(({ id }) => id > 3)], allLive(1, 5));
  expect(contents(connection)).toEqual({ a: [1, 2, 3, 4, 5], b: [2, 4, 5] });
  connection.close();
});

test("merging moves chunks to new slots", async () => {
  const connection = await database();
  addSegment(connection, { 1: "a", 300: "a b" });
  mergeSegments(connection, listSegments(connection), {
    first: 1,
    targets: Int32Array.from({ length: 300 }, (_, i) => (i === 0 ? 512 : i === 299 ? 513 : 0)),
  });
  expect(contents(connection)).toEqual({ a: [512, 513], b: [513] });
  expect(listSegments(connection)).toEqual([{ id: 2, first_slot: 512, last_slot: 513, postings: 3 }]);
  connection.close();
});

test("merging segments without any chunk left leaves no segment", async () => {
  const connection = await database();
  addSegment(connection, { 1: "a" });
  mergeSegments(connection, listSegments(connection), { first: 1, targets: Int32Array.of(0) });
  expect(listSegments(connection)).toEqual([]);
  expect(connection.prepare<{ n: number }>("SELECT count(*) AS n FROM posting").get()).toEqual({ n: 0 });
  connection.close();
});

test("eight segments of one size are due, seven are not, whatever lies between them", () => {
  const small = Array.from({ length: 7 }, (_, i) => segment(i * 2, 4095));
  const large = Array.from({ length: 7 }, (_, i) => segment(i * 2 + 1, 4096));
  expect(dueForMerge([...small, ...large])).toEqual([]);
  expect(dueForMerge([...small, ...large, segment(99, 1)]).map(({ id }) => id)).toEqual([0, 2, 4, 6, 8, 10, 12, 99]);
  expect(dueForMerge([...small, ...large, segment(99, 32767)]).map(({ id }) => id)).toEqual([
    1, 3, 5, 7, 9, 11, 13, 99,
  ]);
  expect(dueForMerge([...small, ...large, segment(99, 32768)])).toEqual([]);
});

test("segments are mostly dead when more than half of their postings are", () => {
  expect(isMostlyDead([segment(1, 10), segment(2, 10)], 10)).toBe(false);
  expect(isMostlyDead([segment(1, 10), segment(2, 11)], 10)).toBe(true);
  expect(isMostlyDead([], 0)).toBe(false);
});

test("a store never has many segments, and every chunk is found after each merge", async () => {
  const path = newPath();
  const store = await openStore(path);
  let most = 0;
  const reader = (await loadDriver()).open(path, { access: "read" });
  for (let n = 0; n < 40; n++) {
    await store.write([page(`d${String(n).padStart(2, "0")}`, [{ words: `all n${n}` }])]);
    most = Math.max(most, listSegments(reader).length);
    expect(await textIds(store, term("all"))).toHaveLength(n + 1);
    expect(await textIds(store, term(`n${n}`))).toHaveLength(1);
  }
  expect(most).toBe(7);
  expect(await store.check()).toEqual({ faults: [] });
  reader.close();
  await store.close();
});
