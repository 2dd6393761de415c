import { expect, test } from "vitest";
import { durableStoreConformance } from "../src/index.js";
import { redTests } from "./doubles/collect.js";
import { type LastingStoreFaults, lastingStores } from "./doubles/lasting-store.js";

const run = (faults: LastingStoreFaults = {}): Promise<string[]> =>
  redTests((collect) => durableStoreConformance({ test: collect, ...lastingStores(faults) }));

test("every test is green for stores that last", async () => {
  expect(await run()).toEqual([]);
});

test.each<[fault: string, faults: LastingStoreFaults, red: string]>([
  [
    "the embedder's id is not compared",
    {
      sameSchema: (a, b) =>
        a.embedding?.dimensions === b.embedding?.dimensions && a.chunking === b.chunking && a.analyzer === b.analyzer,
    },
    "durable: another schema (embedder id) rejects with INDEX_MISMATCH and changes nothing",
  ],
  [
    "the dimensions are not compared",
    {
      sameSchema: (a, b) =>
        a.embedding?.id === b.embedding?.id && a.chunking === b.chunking && a.analyzer === b.analyzer,
    },
    "durable: another schema (dimensions) rejects with INDEX_MISMATCH and changes nothing",
  ],
  [
    "an absent embedder is not compared",
    {
      sameSchema: (a, b) =>
        (b.embedding === null ||
          (a.embedding?.id === b.embedding.id && a.embedding.dimensions === b.embedding.dimensions)) &&
        a.chunking === b.chunking &&
        a.analyzer === b.analyzer,
    },
    "durable: another schema (no embedder) rejects with INDEX_MISMATCH and changes nothing",
  ],
  [
    "chunking is not compared",
    { sameSchema: (a, b) => JSON.stringify(a.embedding) === JSON.stringify(b.embedding) && a.analyzer === b.analyzer },
    "durable: another schema (chunking) rejects with INDEX_MISMATCH and changes nothing",
  ],
  [
    "the analyzer is not compared",
    { sameSchema: (a, b) => JSON.stringify(a.embedding) === JSON.stringify(b.embedding) && a.chunking === b.chunking },
    "durable: another schema (analyzer) rejects with INDEX_MISMATCH and changes nothing",
  ],
  [
    "reading makes an index",
    { readCreates: true },
    "durable: reading where there is no index rejects with INDEX_MISSING and makes none",
  ],
  [
    "reading begins an index anew",
    { readRecreates: true },
    "durable: another schema (chunking) rejects with INDEX_MISMATCH and changes nothing",
  ],
  ["a store open for reading writes", { readWrites: true }, "durable: a store opened for reading takes no change"],
  [
    "a mismatch empties the index",
    { mismatchClears: true },
    "durable: another schema (chunking) rejects with INDEX_MISMATCH and changes nothing",
  ],
  [
    "recreate keeps the documents",
    { recreateKeeps: true },
    "durable: another schema (chunking) begins a new index with recreate",
  ],
  [
    "recreate drops an index of the same schema",
    { recreateAlways: true },
    "durable: recreate keeps an index of the same schema",
  ],
  [
    "closing forgets",
    { closeForgets: true },
    "durable: an index answers alike before closing, after it, and opened for reading",
  ],
  [
    "opening ignores the signal",
    { abortIgnored: true },
    "durable: an aborted opening rejects with AbortError and makes no index",
  ],
  [
    "errors name no command",
    { errorsWithoutDetails: true },
    "durable: reading where there is no index rejects with INDEX_MISSING and makes none",
  ],
  ["two locations are one", { oneLocation: true }, "durable: two locations are two indexes"],
  [
    "a reader does not see what is written after its opening",
    { readerIsStale: true },
    "durable: readers see whole documents while a writer writes, if several processes may open the index",
  ],
])("caught: %s", async (_, faults, red) => {
  expect(await run(faults)).toContain(red);
});
