import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { provider, sqliteEmbeddingCache } from "../src/embedding-cache.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "docsearch-cache-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("vectors come back bit for bit, also to another process and after closing; misses are undefined", async () => {
  const path = join(folder, "below", "embeddings.db");
  const vector = Float32Array.of(0.1, -1e-40, 3.4e38);
  const cache = await sqliteEmbeddingCache({ path }).load();
  const other = await sqliteEmbeddingCache({ path }).load();
  await cache.put([
    { key: "a", vector },
    { key: "b", vector: Float32Array.of(1) },
  ]);
  expect(await other.get(["b", "x", "a"])).toEqual([Float32Array.of(1), undefined, vector]);
  await other.put([{ key: "a", vector: Float32Array.of(9, 9, 9) }]);
  await cache.close();
  await cache.close();
  await other.close();

  const again = await sqliteEmbeddingCache({ path }).load();
  expect(await again.get(["a"])).toEqual([vector]);
  expect(await again.get([])).toEqual([]);
  await again.close();
});

test("a closed cache is one file, and a copy of it has every vector", async () => {
  const cache = await sqliteEmbeddingCache({ path: join(folder, "embeddings.db") }).load();
  await cache.put([{ key: "a", vector: Float32Array.of(1, 2) }]);
  await cache.close();
  expect(readdirSync(folder)).toEqual(["embeddings.db"]);
  copyFileSync(join(folder, "embeddings.db"), join(folder, "copy.db"));
  const copy = await sqliteEmbeddingCache({ path: join(folder, "copy.db") }).load();
  expect(await copy.get(["a"])).toEqual([Float32Array.of(1, 2)]);
  await copy.close();
});

test("a part of a larger array is kept without its surroundings", async () => {
  const cache = await sqliteEmbeddingCache({ path: join(folder, "c.db") }).load();
  await cache.put([{ key: "part", vector: Float32Array.of(1, 2, 3, 4).subarray(1, 3) }]);
  expect(await cache.get(["part"])).toEqual([Float32Array.of(2, 3)]);
  await cache.close();
});

test("a file of another kind is refused with what to do, and stays as it is", async () => {
  const path = join(folder, "notes.txt");
  writeFileSync(path, "These are notes, and no database, however long they are. ".repeat(20));
  await expect(sqliteEmbeddingCache({ path }).load()).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.stringMatching(/notes\.txt cannot be used: .* delete it, or leave DOCS_EMBEDDING_CACHE unset\.$/),
  });
});

test("closed and aborted calls reject", async () => {
  const cache = await sqliteEmbeddingCache({ path: join(folder, "c.db") }).load();
  await expect(cache.get(["a"], { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  await cache.close();
  await expect(cache.get(["a"])).rejects.toMatchObject({ code: "CLOSED" });
  await expect(cache.put([])).rejects.toMatchObject({ code: "CLOSED" });
});

test("the environment names the file", async () => {
  expect(() => provider.fromEnv({ DOCS_EMBEDDING_CACHE: " " })).toThrow("DOCS_EMBEDDING_CACHE is not set");
  const cache = await provider.fromEnv({ DOCS_EMBEDDING_CACHE: join(folder, "env.db") }).load();
  await cache.put([{ key: "a", vector: Float32Array.of(1) }]);
  await cache.close();
});
