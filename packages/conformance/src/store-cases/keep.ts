import assert from "node:assert/strict";
import { rejectsWith } from "../assertions.js";
import { documentIds, page, removal, term, textIds, vectorIds } from "../builders.js";
import { hasText, hasVectors, type StoreCase } from "../store-case.js";

export const KEEP_CASES: readonly StoreCase[] = [
  {
    name: "keep: leaves the vector and writes the rest anew",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha", vector: [0, 2, 0, 0] }]), page("e", [{ vector: [1, 1, 0, 0] }]));
      const span = { startOffset: 9, endOffset: 14, startLine: 7, endLine: 7 };
      await write(page("d", [{ words: "alpha", vector: "keep", chunk: { span } }]));
      assert.deepEqual((await store.getChunks(["d#0"]))[0]?.span, span);
      assert.deepEqual(await vectorIds(store, [0, 1, 0, 0]), ["d#0", "e#0"]);
      assert.equal((await store.stats()).vectors, 2);
    },
  },
  {
    name: "keep: writes the terms anew",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }]));
      await write(page("d", [{ words: "beta", vector: "keep" }]));
      assert.deepEqual(await textIds(store, term("alpha")), []);
      assert.deepEqual(await textIds(store, term("beta")), ["d#0"]);
    },
  },
  {
    name: "keep: a chunk without a vector stays without",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }, { vector: [1, 0, 0, 0] }]));
      await write(page("d", [{ words: "alpha", vector: "keep" }, { vector: "keep" }]));
      assert.deepEqual(await store.stats(), { documents: 1, chunks: 2, vectors: 1 });
      assert.deepEqual(await vectorIds(store, [1, 0, 0, 0]), ["d#1"]);
    },
  },
  {
    name: "keep: the vector follows the chunk's id, not its place",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(page("d", [{ vector: [1, 0, 0, 0] }, { vector: [0, 1, 0, 0] }, { vector: [0, 0, 1, 0] }]));
      await write(
        page("d", [
          { vector: "keep", chunk: { id: "d#2" } },
          { vector: [0, 0, 0, 1], chunk: { id: "d#new" } },
          { vector: "keep", chunk: { id: "d#0" } },
        ]),
      );
      assert.deepEqual(await store.getChunkIds("d"), ["d#2", "d#new", "d#0"]);
      assert.deepEqual(await vectorIds(store, [1, 0, 0, 0], { limit: 1 }), ["d#0"]);
      assert.deepEqual(await vectorIds(store, [0, 0, 1, 0], { limit: 1 }), ["d#2"]);
      assert.deepEqual(await vectorIds(store, [0, 0, 0, 1], { limit: 1 }), ["d#new"]);
    },
  },
  {
    name: "keep: survives several rounds",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(page("d", [{ vector: [3, 1, 0, 0] }]), page("e", [{ vector: [3, 1.1, 0, 0] }]));
      for (let round = 0; round < 5; round++) {
        await write(page("d", [{ words: `round${round}`, vector: "keep" }]), page("e", [{ vector: "keep" }]));
      }
      const [first] = await store.searchVector({ vector: Float32Array.of(3, 1, 0, 0), limit: 2 });
      assert.equal(first?.chunkId, "d#0");
      assert.ok(Math.abs(first.score - 1) <= store.capabilities.vectorTolerance, `score ${first.score}`);
    },
  },
  {
    name: "keep: an unknown chunk rejects with CHUNK_MISSING and changes nothing",
    body: async ({ store, write, settle }) => {
      await write(page("d", [{ words: "alpha" }], { title: "Old" }));
      const change = page(
        "d",
        [
          { words: "alpha", vector: "keep" },
          { words: "beta", vector: "keep" },
        ],
        { title: "New" },
      );
      await rejectsWith(store.write([change]), "CHUNK_MISSING", { chunkId: "d#1" });
      await rejectsWith(store.write([page("e", [{ vector: "keep" }])]), "CHUNK_MISSING", { chunkId: "e#0" });
      await settle();
      assert.deepEqual(await store.getChunkIds("d"), ["d#0"]);
      assert.equal((await store.getDocuments(["d"]))[0]?.title, "Old");
      assert.deepEqual(await documentIds(store), ["d"]);
    },
  },
  {
    name: "keep: a chunk can be kept from an earlier change of the batch, and not after its deletion",
    applies: hasVectors,
    body: async ({ store, write, settle }) => {
      await write(
        page("d", [{ words: "alpha", vector: [1, 0, 0, 0] }]),
        page("d", [{ words: "beta", vector: "keep" }]),
      );
      assert.deepEqual(await vectorIds(store, [1, 0, 0, 0]), ["d#0"]);
      const kept = page("d", [{ words: "gamma", vector: "keep" }]);
      await rejectsWith(store.write([removal("d"), kept]), "CHUNK_MISSING", { chunkId: "d#0" });
      await settle();
      assert.deepEqual(await documentIds(store), []);
      assert.deepEqual(await vectorIds(store, [1, 0, 0, 0]), []);
    },
  },
  {
    name: "keep: after a replacement without a vector there is none to keep",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(page("d", [{ vector: [1, 0, 0, 0] }]));
      await write(page("d", [{}]));
      await write(page("d", [{ vector: "keep" }]));
      assert.deepEqual(await vectorIds(store, [1, 0, 0, 0]), []);
      assert.equal((await store.stats()).vectors, 0);
    },
  },
];
