import { expect, test, vi } from "vitest";
import { openStore, page, RANKING, READ, temporaryPaths, term, WRITE } from "./support.js";

const newPath = temporaryPaths();
const VEC0 = { vectorIndex: "vec0" } as const;

let isThere = true;
vi.mock("sqlite-vec", async (original) => {
  const actual = await original<typeof import("sqlite-vec")>();
  return { ...actual, getLoadablePath: () => (isThere ? actual.getLoadablePath() : "/nowhere/vec0") };
});

test("ve-extension-missing: an index is read without its extension: words answer, and vectors say why not", async () => {
  const path = newPath();
  const made = await openStore(path, WRITE, VEC0);
  await made.write([page("a", [{ words: "kelp pier", vector: [1, 0, 0, 0] }, { words: "tide" }])]);
  await made.close();

  isThere = false;
  const store = await openStore(path, READ, VEC0);
  const { chunks } = await store.searchText({ query: term("kelp"), ranking: RANKING, limit: 5 });
  expect(chunks.map(({ chunkId }) => chunkId)).toEqual(["a#0"]);
  await expect(store.searchVector({ vector: Float32Array.of(1, 0, 0, 0), limit: 5 })).rejects.toMatchObject({
    code: "BACKEND_LOAD_FAILED",
    details: { package: "sqlite-vec" },
  });
  expect(await store.stats()).toEqual({ documents: 1, chunks: 2, vectors: 1 });
  const { faults } = await store.check();
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(/^The vectors cannot be searched\. The SQLite extension sqlite-vec did not load: /);
  await store.close();
  await expect(openStore(path, WRITE, VEC0)).rejects.toMatchObject({ code: "BACKEND_LOAD_FAILED" });

  isThere = true;
  const mended = await openStore(path, READ, VEC0);
  const hits = await mended.searchVector({ vector: Float32Array.of(1, 0, 0, 0), limit: 5 });
  expect(hits.map(({ chunkId }) => chunkId)).toEqual(["a#0"]);
  await mended.close();
});
