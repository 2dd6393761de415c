import { expect, test } from "vitest";
import { loadDriver } from "../src/driver.js";
import type { SqliteStoreOptions } from "../src/index.js";
import { openStore, page, READ, removal, temporaryPaths, term, textIds, vectorIds } from "./support.js";

const newPath = temporaryPaths();

/** Six chunks in a document: words and vectors that tell them apart. */
function version(id: string, n: number): ReturnType<typeof page> {
  return page(
    id,
    Array.from({ length: 6 }, (_, i) => ({ words: `all ${id} v${n} c${i}`, vector: [n + 1, i + 1, 1, 0] })),
  );
}

/** Lowest and highest slot. */
async function slots(path: string): Promise<{ low: number; high: number }> {
  const connection = (await loadDriver()).open(path, { access: "read" });
  const range = connection.prepare<{ low: number; high: number }>(
    "SELECT min(slot) AS low, max(slot) AS high FROM chunk",
  );
  const result = range.get()!;
  connection.close();
  return result;
}

test.each<Omit<SqliteStoreOptions, "path">>([
  { vectorIndex: "int8" },
  { vectorIndex: "signs" },
  { vectorIndex: "vec0" },
  { lexicalIndex: "fts5" },
])("chunks move together when most slots are out of use, and answers stay as they were: %o", async (options) => {
  const path = newPath();
  const store = await openStore(path, undefined, options);
  await store.write(["a", "b", "c"].map((id) => version(id, 0)));
  const reader = await openStore(path, READ, options);
  const read = async (): Promise<unknown> => [
    await textIds(reader, term("all")),
    await textIds(reader, term("b")),
    await reader.searchVector({ vector: Float32Array.of(1, 3, 1, 0), limit: 50 }),
    await reader.getChunkIds("b"),
    await reader.listTerms({ prefix: "", limit: 100 }),
    await reader.stats(),
  ];
  const before = await read();
  // 700 replacements of six chunks use up 4,200 slots.
  for (let n = 1; n <= 700; n++) await store.write([version("b", n)]);
  await store.write([version("b", 0)]);
  const { low, high } = await slots(path);
  expect(low).toBeGreaterThan(4096);
  expect(high - low).toBeLessThan(256);
  expect(await read()).toEqual(before);
  expect(await store.check()).toEqual({ faults: [] });
  expect(await textIds(store, term("v699"))).toEqual([]);
  await reader.close();
  await store.close();
});

test("an index whose documents were all deleted starts again without the slots of old", async () => {
  const path = newPath();
  const store = await openStore(path);
  const many = Array.from({ length: 1000 }, (_, n) => version(`d${n}`, n));
  await store.write(many);
  await store.write(Array.from({ length: 1000 }, (_, n) => removal(`d${n}`)));
  expect(await store.stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
  expect(await textIds(store, term("all"))).toEqual([]);
  await store.write([version("e", 1)]);
  expect(await vectorIds(store, [2, 1, 1, 0], 1)).toEqual(["e#0"]);
  expect((await slots(path)).low).toBeGreaterThan(6000);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});
