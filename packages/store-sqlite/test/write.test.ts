import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { openStore, page, READ, removal, temporaryPaths, term, textIds } from "./support.js";

const newPath = temporaryPaths();

test("a call that is aborted in the middle writes nothing", async () => {
  const store = await openStore(newPath());
  await store.write([page("a", [{ words: "alpha" }])]);
  const controller = new AbortController();
  function* changes(): Generator<ReturnType<typeof page>> {
    yield page("b", [{ words: "beta" }]);
    yield removal("a");
    controller.abort();
    yield page("c", [{ words: "gamma" }]);
  }
  // The store reads the changes one by one.
  const list = Object.assign([], { [Symbol.iterator]: changes });
  await expect(store.write(list, { signal: controller.signal })).rejects.toMatchObject({ name: "AbortError" });
  expect((await store.listDocuments({ limit: 10 })).map(({ id }) => id)).toEqual(["a"]);
  expect(await textIds(store, term("beta"))).toEqual([]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});

test("the reason of an abort comes through as it is", async () => {
  const store = await openStore(newPath());
  const reason = new Error("enough");
  const signal = AbortSignal.abort(reason);
  await expect(store.write([page("a", [{}])], { signal })).rejects.toBe(reason);
  await expect(store.stats({ signal })).rejects.toBe(reason);
  await store.close();
});

test("a failing change names the chunk and the document", async () => {
  const store = await openStore(newPath());
  await expect(store.write([page("a", [{ vector: [0, 0, 0, 0] }])])).rejects.toThrow(
    "The vector of chunk a#0 of document a is zero and has no direction. Use the embedder that the index was made with.",
  );
  await expect(store.write([page("a", [{ vector: "keep" }])])).rejects.toThrow(
    "There is no chunk a#0 in document a whose vector could be kept. Write it with its vector, or with none.",
  );
  await store.close();
});

test("what changes nothing writes nothing", async () => {
  const path = newPath();
  const store = await openStore(path);
  await store.write([page("a", [{}])]);
  const database = new Database(path, { readonly: true });
  const generation = database.prepare("SELECT value FROM meta WHERE key = 'generation'").pluck();
  expect(generation.get()).toBe(1);
  await store.write([]);
  await store.write([removal("none")]);
  expect(generation.get()).toBe(1);
  await store.write([removal("a")]);
  expect(generation.get()).toBe(2);
  database.close();
  await store.close();
});

test("slots are never given to another chunk, until all are gone", async () => {
  const path = newPath();
  const store = await openStore(path);
  await store.write([page("a", [{}, {}, {}])]);
  await store.write([removal("a")]);
  await store.write([page("b", [{}])]);
  const database = new Database(path, { readonly: true });
  const slots = database.prepare("SELECT slot FROM chunk").pluck();
  expect(slots.all()).toEqual([4]);
  await store.clear();
  await store.write([page("c", [{}])]);
  expect(slots.all()).toEqual([1]);
  database.close();
  await store.close();
});

test("the chunks of a document are stored by ordinal, whatever their order in the change", async () => {
  const store = await openStore(newPath());
  const change = page("a", [{ words: "one" }, { words: "two" }, { words: "three" }]);
  if (change.type === "replace") await store.write([{ ...change, chunks: [...change.chunks].reverse() }]);
  expect(await store.getChunkIds("a")).toEqual(["a#0", "a#1", "a#2"]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});

test("closing gives back the space of what was deleted, and empties the write-ahead log", async () => {
  const path = newPath();
  const store = await openStore(path);
  await store.write(Array.from({ length: 300 }, (_, i) => page(`d${i}`, [{ words: `w${i} ${"text ".repeat(2000)}` }])));
  await store.close();
  const before = statSync(path).size;
  const again = await openStore(path);
  await again.write(Array.from({ length: 299 }, (_, i) => removal(`d${i}`)));
  const reader = await openStore(path, READ);
  await reader.stats();
  await again.close();
  expect(statSync(path).size).toBeLessThan(before / 4);
  expect(statSync(`${path}-wal`).size).toBe(0);
  expect(await reader.stats()).toEqual({ documents: 1, chunks: 1, vectors: 0 });
  expect(await reader.check()).toEqual({ faults: [] });
  await reader.close();
});

test("a closed store says where it was", async () => {
  const path = newPath();
  const store = await openStore(path);
  await store.close();
  await store.close();
  await expect(store.stats()).rejects.toThrow(`The index at ${path} is closed. Open it again.`);
});
