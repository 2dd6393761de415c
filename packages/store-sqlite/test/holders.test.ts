import { expect, test } from "vitest";
import { Holders, HoldersCache, type TermHolders } from "../src/lexical/holders.js";

function holders(length: number): TermHolders {
  const chunks = new Holders();
  chunks.begin(length);
  for (let i = 0; i < length; i++) {
    chunks.indexes[i] = i;
    chunks.values[i] = i / 2;
  }
  chunks.length = length;
  return { chunks, documents: new Holders() };
}

test("scores are added to those that hold the term, and they are marked", () => {
  const { chunks } = holders(3);
  const scores = Float64Array.of(1, 1, 1, 1);
  const marks = new Uint8Array(4);
  const factor = chunks.addScores(scores, 4, 2);
  chunks.mark(marks);
  expect(factor).toBeCloseTo(2 * Math.log(1 + 1.5 / 3.5), 12);
  expect([...scores]).toEqual([1, 1 + factor / 2, 1 + factor, 1]);
  expect([...marks]).toEqual([1, 1, 1, 0]);
});

test("the cache keeps copies of frequent terms alone", () => {
  const cache = new HoldersCache();
  cache.clear(1_000_000);
  cache.add("rare", holders(1023));
  const frequent = holders(1024);
  cache.add("frequent", frequent);
  frequent.chunks.begin(0);
  frequent.chunks.values.fill(0);
  expect(cache.get("rare")).toBeUndefined();
  expect(cache.get("frequent")?.chunks.length).toBe(1024);
  expect(cache.get("frequent")?.chunks.values[1023]).toBe(511.5);
  cache.clear(1_000_000);
  expect(cache.get("frequent")).toBeUndefined();
});

test("beyond its capacity the cache forgets what was used the longest time ago", () => {
  const cache = new HoldersCache();
  // 12 bytes an entry: three are too much.
  cache.clear(60_000);
  const each = holders(2000);
  cache.add("a", each);
  cache.add("b", each);
  expect(cache.get("a")).toBeDefined();
  cache.add("c", each);
  expect(["a", "b", "c"].filter((term) => cache.get(term) !== undefined)).toEqual(["a", "c"]);
  cache.add("d", holders(6000));
  expect(["a", "c", "d"].filter((term) => cache.get(term) !== undefined)).toEqual([]);
});
