import assert from "node:assert/strict";
import type { DocumentChange, VectorStore } from "@docsearch/spec";
import { documentIds, page, searchText, term, vectorIds } from "../builders.js";
import { hasText, hasVectors, type StoreCase } from "../store-case.js";

export const CONCURRENCY_CASES: readonly StoreCase[] = [
  {
    name: "concurrency: parallel writes of different documents all arrive",
    body: async ({ store, settle }) => {
      const ids = Array.from({ length: 30 }, (_, i) => `d${String(i).padStart(2, "0")}`);
      const results = await Promise.all(
        ids.map((id) => store.write([page(id, [{ words: "one" }, { words: `two ${id}` }])])),
      );
      await settle();
      assert.ok(results.every((result) => result.replaced === 1 && result.chunks === 2));
      assert.deepEqual(await documentIds(store), ids);
      assert.deepEqual(await store.stats(), { documents: 30, chunks: 60, vectors: 0 });
    },
  },
  {
    name: "concurrency: parallel writes of one document leave one of them whole",
    body: async ({ store, settle }) => {
      const version = (n: number): ReturnType<typeof page> =>
        page(
          "d",
          Array.from({ length: n + 1 }, (_, i) => ({ words: `v${n}`, chunk: { id: `v${n}#${i}` } })),
          { title: `v${n}` },
        );
      await Promise.all(Array.from({ length: 20 }, (_, n) => store.write([version(n)])));
      await settle();
      const [record] = await store.getDocuments(["d"]);
      const last = Number(record?.title?.slice(1));
      const ids = Array.from({ length: last + 1 }, (_, i) => `v${last}#${i}`);
      assert.deepEqual(await store.getChunkIds("d"), ids);
      assert.deepEqual(
        (await store.getChunks(ids)).map((chunk) => chunk?.text),
        ids.map(() => `v${last}`),
      );
      assert.deepEqual(await store.stats(), { documents: 1, chunks: last + 1, vectors: 0 });
      assert.deepEqual(
        await store.listTerms({ prefix: "", limit: 10 }),
        hasText(store.capabilities) ? [{ term: `v${last}`, chunks: last + 1 }] : [],
      );
    },
  },
  {
    name: "concurrency: a search during writes sees a document old or new, never a mix, never nothing",
    applies: (capabilities) => hasText(capabilities) && capabilities.atomicity === "document",
    body: async ({ store, write }) => {
      const version = (n: number): ReturnType<typeof page> =>
        page(
          "d",
          Array.from({ length: 3 }, (_, i) => ({ words: "common", chunk: { id: `v${n}#${i}` } })),
        );
      await write(version(0));
      const search = async (): Promise<void> => {
        const ids = (await searchText(store, term("common"))).chunks.map((hit) => hit.chunkId).sort();
        const seen = ids[0]?.split("#")[0];
        assert.deepEqual(ids, [`${seen}#0`, `${seen}#1`, `${seen}#2`]);
      };
      await searchDuringWrites(store, version, search);
      await search();
    },
  },
  {
    name: "concurrency: a vector search during writes sees a document old or new, never a mix, never nothing",
    applies: (capabilities) => hasVectors(capabilities) && capabilities.atomicity === "document",
    body: async ({ store, write, settle, isImmediate }) => {
      const version = (n: number): ReturnType<typeof page> =>
        page(
          "d",
          Array.from({ length: 3 }, (_, i) => ({ vector: [1, i, 0, 0], chunk: { id: `v${n}#${i}` } })),
        );
      await write(version(0));
      const search = async (): Promise<void> => {
        const ids = (await vectorIds(store, [1, 0, 0, 0])).sort();
        if (!isImmediate && ids.length === 0) return;
        const seen = ids[0]?.split("#")[0];
        assert.deepEqual(ids, [`${seen}#0`, `${seen}#1`, `${seen}#2`]);
      };
      await searchDuringWrites(store, version, search);
      await settle();
      assert.deepEqual((await vectorIds(store, [1, 0, 0, 0])).sort(), ["v30#0", "v30#1", "v30#2"]);
    },
  },
];

/** Writes versions 1 to 30 of a document one after the other, and searches twice at a time meanwhile. */
async function searchDuringWrites(
  store: VectorStore,
  version: (n: number) => DocumentChange,
  search: () => Promise<void>,
): Promise<void> {
  let writing = true;
  const writer = (async (): Promise<void> => {
    for (let n = 1; n <= 30; n++) await store.write([version(n)]);
  })().finally(() => {
    writing = false;
  });
  try {
    while (writing) {
      await Promise.all([search(), search()]);
      // Without a turn of the event loop a store that answers at once would starve the writer.
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    await writer;
  }
}
