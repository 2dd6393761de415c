import assert from "node:assert/strict";
import { rejectsWith } from "../assertions.js";
import { documentIds, documentRecord, page, removal, term, textIds, vectorIds } from "../builders.js";
import { hasText, hasVectors, type StoreCase } from "../store-case.js";

export const BATCH_CASES: readonly StoreCase[] = [
  {
    name: "batch: no changes",
    body: async ({ store, write }) => {
      assert.deepEqual(await write(), { replaced: 0, deleted: 0, chunks: 0 });
      assert.deepEqual(await store.stats(), { documents: 0, chunks: 0, vectors: 0 });
    },
  },
  {
    name: "batch: changes apply in order",
    body: async ({ store, write }) => {
      const result = await write(
        page("a", [{ words: "one" }]),
        removal("a"),
        removal("b"),
        page("b", [{ words: "two" }]),
        page("c", [{ words: "three" }, { words: "four" }]),
        page("c", [{ words: "five" }], { title: "Last" }),
      );
      assert.deepEqual(result, { replaced: 4, deleted: 1, chunks: 5 });
      assert.deepEqual(await documentIds(store), ["b", "c"]);
      assert.equal((await store.getChunks(["c#0"]))[0]?.text, "five");
      assert.deepEqual(await store.getDocuments(["c"]), [documentRecord("c", { title: "Last" })]);
      assert.deepEqual(await store.stats(), { documents: 2, chunks: 2, vectors: 0 });
    },
  },
  {
    name: "batch: a failing change keeps those before it and stops those after it",
    body: async ({ store, write, settle }) => {
      await write(page("old", [{ words: "old" }]), page("kept", [{ words: "kept" }]));
      const changes = [
        page("before", [{ words: "before" }]),
        removal("old"),
        page("kept", [
          { words: "bad", vector: "keep" },
          { words: "bad", vector: "keep" },
        ]),
        page("after", [{ words: "after" }]),
        removal("kept"),
      ];
      await rejectsWith(store.write(changes), "CHUNK_MISSING", { chunkId: "kept#1" });
      await settle();
      assert.deepEqual(await documentIds(store), ["before", "kept"]);
      assert.equal((await store.getChunks(["kept#0"]))[0]?.text, "kept");
    },
  },
  {
    name: "batch: a failing change leaves no term behind",
    applies: (capabilities) => hasText(capabilities) && hasVectors(capabilities),
    body: async ({ store, write, settle }) => {
      await write(page("d", [{ words: "alpha", vector: [1, 0, 0, 0] }]));
      const change = page("d", [
        { words: "beta", vector: [0, 1, 0, 0] },
        { words: "gamma", vector: [0, 0, 0, 0] },
      ]);
      await rejectsWith(store.write([change]), "VECTOR_INVALID", { reason: "zero", expected: 4, actual: 4 });
      await settle();
      assert.deepEqual(await store.listTerms({ prefix: "", limit: 10 }), [{ term: "alpha", chunks: 1 }]);
      assert.deepEqual(await textIds(store, term("alpha")), ["d#0"]);
      assert.deepEqual(await textIds(store, term("beta")), []);
      assert.deepEqual(await vectorIds(store, [0, 1, 0, 0]), ["d#0"]);
      await write(page("d", [{ words: "beta", vector: "keep" }]));
      assert.deepEqual(await textIds(store, term("alpha")), []);
      assert.deepEqual(await textIds(store, term("beta")), ["d#0"]);
    },
  },
];
