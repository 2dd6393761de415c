import { expect, test } from "vitest";
import { lancedbStore } from "../src/index.js";
import { maintain } from "../src/maintenance.js";
import { segmentsToMerge } from "../src/merge-segments.js";
import { inside } from "./inside.js";
import { page, SCHEMA, temporaryFolders, term, textIds, vectorIds, WRITE } from "./support.js";

const newFolder = temporaryFolders();

test("150 writes one after the other are tidied up beside them, and what is found stays the same", async () => {
  const url = newFolder();
  const store = await lancedbStore({ url }).open(SCHEMA, WRITE);
  for (let n = 0; n < 150; n++) {
    await store.write([page(`d${n % 60}`, [{ words: `all v${n}`, vector: [1, n, 0, 0] }])]);
    if (n % 30 !== 29) continue;
    const ids = Array.from({ length: Math.min(60, n + 1) }, (_, d) => `d${d}#0`).sort();
    expect((await textIds(store, term("all"))).sort()).toEqual(ids);
    expect((await vectorIds(store, [1, 0, 0, 0])).sort()).toEqual(ids);
  }
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
  const { target } = await inside(url);
  const { fragmentStats } = await target.tables.document.stats();
  expect(fragmentStats.numFragments).toBeLessThan(3);
  const segments = (await target.tables.document.query().select(["segment"]).toArray()).map((row) => row.segment);
  expect(new Set(segments).size).toBeLessThan(9);
}, 60_000);

test("maintenance that is told to end leaves the index as it is", async () => {
  const url = newFolder();
  const store = await lancedbStore({ url }).open(SCHEMA, WRITE);
  for (let n = 0; n < 10; n++) await store.write([page(`d${n}`, [{ words: "all" }])]);
  const { connection, generation, target } = await inside(url);
  const controller = new AbortController();
  const { tables } = target;
  // Told while the postings are merged: it ends before the tables are compacted.
  const add = tables.posting.add.bind(tables.posting);
  tables.posting.add = (...all) => {
    controller.abort();
    return add(...all);
  };
  const before = await tables.chunk.version();
  await expect(
    maintain(connection, target, generation, { vectorIndexAbove: undefined, signal: controller.signal }),
  ).rejects.toMatchObject({ name: "AbortError" });
  const after = await inside(url);
  expect(await after.target.tables.chunk.version()).toBe(before);
  expect((await textIds(store, term("all"))).length).toBe(10);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});

test("a merge that was overtaken by writes makes neither old nor deleted documents come back", async () => {
  const url = newFolder();
  const store = await lancedbStore({ url }).open(SCHEMA, WRITE);
  for (let n = 0; n < 10; n++) await store.write([page(`d${n}`, [{ words: `all n${n}` }])]);
  const { connection, generation, target } = await inside(url);
  const add = target.tables.posting.add.bind(target.tables.posting);
  target.tables.posting.add = async (...all) => {
    await store.write([page("d0", [{ words: "all new" }]), { type: "delete", documentId: "d1" }]);
    return add(...all);
  };
  await maintain(connection, target, generation, { vectorIndexAbove: undefined });
  expect(await textIds(store, term("all"))).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `d${n}#0`));
  expect(await textIds(store, term("n0"))).toEqual([]);
  expect(await textIds(store, term("new"))).toEqual(["d0#0"]);
  expect(await store.listTerms({ prefix: "", limit: 3 })).toEqual([
    { term: "all", chunks: 9 },
    { term: "n2", chunks: 1 },
    { term: "n3", chunks: 1 },
  ]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});

test("of two rows of one document the later one counts, and maintenance removes the other", async () => {
  const url = newFolder();
  const store = await lancedbStore({ url }).open(SCHEMA, WRITE);
  await store.write([page("a", [{ words: "old", vector: [1, 0, 0, 0] }])]);
  const { target: before } = await inside(url);
  const old = await before.tables.document.query().toArrow();
  await store.write([page("a", [{ words: "new", vector: [0, 1, 0, 0] }]), page("b", [{ words: "other" }])]);
  // As when two processes wrote the document for the first time, each without seeing the other.
  const { connection, generation, target } = await inside(url);
  await target.tables.document.add(old);
  const assertNew = async (): Promise<void> => {
    expect(await store.getChunkIds("a")).toEqual(["a#0"]);
    expect(await textIds(store, term("new"))).toEqual(["a#0"]);
    expect(await textIds(store, term("old"))).toEqual([]);
    expect(await vectorIds(store, [0, 1, 0, 0])).toEqual(["a#0"]);
    expect(await store.stats()).toEqual({ documents: 2, chunks: 2, vectors: 1 });
    expect(await store.check()).toEqual({ faults: [] });
  };
  await assertNew();
  await maintain(connection, target, generation, { vectorIndexAbove: undefined });
  expect(await (await inside(url)).target.tables.document.countRows()).toBe(2);
  await assertNew();
  await store.write([{ type: "delete", documentId: "a" }]);
  expect(await store.stats()).toEqual({ documents: 1, chunks: 1, vectors: 0 });
  await store.close();
});

test("segments are merged when eight of about the same size are there, the smallest first", () => {
  const sized = (...sizes: number[]): Parameters<typeof segmentsToMerge>[0] =>
    new Map(sizes.map((chunks, i) => [`s${i}`, { documents: new Int32Array(0), chunks, isWhole: true }]));
  expect(segmentsToMerge(sized(4, 4, 4, 4, 4, 4, 4))).toEqual([]);
  expect(segmentsToMerge(sized(9, 1, 1, 1, 1, 1, 1, 90_000, 1))).toEqual([
    "s1",
    "s2",
    "s3",
    "s4",
    "s5",
    "s6",
    "s8",
    "s0",
  ]);
  expect(segmentsToMerge(sized(4000, 30_000, 30_000, 30_000, 4000, 4000, 4000, 4000))).toHaveLength(8);
  expect(segmentsToMerge(sized(100, 100, 100, 100, 4000, 4000, 4000, 4000))).toEqual([]);
  // No more than fits into memory at a time.
  expect(segmentsToMerge(sized(...Array.from({ length: 9 }, () => 40_000)))).toEqual([]);
  expect(segmentsToMerge(sized(...Array.from({ length: 60 }, () => 10)))).toHaveLength(32);
});
