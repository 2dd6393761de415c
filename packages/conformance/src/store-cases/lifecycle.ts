import assert from "node:assert/strict";
import type { CallOptions, VectorStore } from "@docsearch/spec";
import { rejectsWith, rejectsWithAbort } from "../assertions.js";
import { documentRecord, page, RANKING, SCHEMA, term } from "../builders.js";
import { hasText, hasVectors, type StoreCase } from "../store-case.js";

/** Every asynchronous call of a store but `close`; searches that it cannot do are left out. */
function calls(store: VectorStore, options: CallOptions = {}): [name: string, call: () => Promise<unknown>][] {
  const { capabilities } = store;
  return [
    ["write", () => store.write([page("x", [{ words: "x" }])], options)],
    ["clear", () => store.clear(options)],
    ...(hasText(capabilities)
      ? [["searchText", () => store.searchText({ query: term("a"), ranking: RANKING, limit: 1, ...options })] as const]
      : []),
    ...(hasVectors(capabilities)
      ? [
          [
            "searchVector",
            () => store.searchVector({ vector: Float32Array.of(1, 0, 0, 0), limit: 1, ...options }),
          ] as const,
        ]
      : []),
    ["getChunks", () => store.getChunks(["d#0"], options)],
    ["getDocuments", () => store.getDocuments(["d"], options)],
    ["getChunkIds", () => store.getChunkIds("d", options)],
    ["getOutline", () => store.getOutline("d", options)],
    ["listDocuments", () => store.listDocuments({ limit: 1, ...options })],
    ["listTerms", () => store.listTerms({ prefix: "", limit: 1, ...options })],
    ["stats", () => store.stats(options)],
    ["check", () => store.check(options)],
  ].map(([name, call]) => [name as string, call as () => Promise<unknown>]);
}

export const LIFECYCLE_CASES: readonly StoreCase[] = [
  {
    name: "manifest: version, name and schema",
    body: async ({ store }) => {
      assert.equal(store.specVersion, 1);
      assert.ok(typeof store.name === "string" && store.name !== "");
      assert.deepEqual(store.schema, SCHEMA);
    },
  },
  {
    name: "manifest: the schema of an index without embedding",
    schema: { ...SCHEMA, embedding: null },
    body: async ({ store }) => assert.deepEqual(store.schema, { ...SCHEMA, embedding: null }),
  },
  {
    name: "manifest: capabilities are plain JSON, complete and constant",
    body: async ({ store, write }) => {
      const before = JSON.stringify(store.capabilities);
      assert.deepEqual(JSON.parse(before), store.capabilities);
      const { lexical, vector, vectorTolerance, atomicity, durable, multiProcess, ...rest } = store.capabilities;
      assert.ok(["bm25f", "bm25", "other", "none"].includes(lexical), lexical);
      assert.ok(["exact", "approximate", "none"].includes(vector), vector);
      assert.ok(vectorTolerance >= 0 && vectorTolerance < 0.1, String(vectorTolerance));
      assert.ok(["document", "none"].includes(atomicity), atomicity);
      assert.deepEqual([typeof durable, typeof multiProcess], ["boolean", "boolean"]);
      assert.deepEqual(rest, {});
      await write(page("d", [{ words: "alpha" }]));
      await store.clear();
      assert.equal(JSON.stringify(store.capabilities), before);
    },
  },
  {
    name: "manifest: a store without text search rejects it with UNSUPPORTED",
    applies: ({ lexical }) => lexical === "none",
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }]));
      const search = store.searchText({ query: term("alpha"), ranking: RANKING, limit: 1 });
      await rejectsWith(search, "UNSUPPORTED");
    },
  },
  {
    name: "manifest: a store without vector search rejects it with UNSUPPORTED",
    applies: ({ vector }) => vector === "none",
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }]));
      await rejectsWith(store.searchVector({ vector: Float32Array.of(1, 0, 0, 0), limit: 1 }), "UNSUPPORTED");
    },
  },
  {
    name: "abort: every call rejects with AbortError, and nothing is written or cleared",
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }]));
      for (const [name, call] of calls(store, { signal: AbortSignal.abort() })) {
        await rejectsWithAbort(call()).catch((error: unknown) => assert.fail(`${name}: ${String(error)}`));
      }
      assert.deepEqual(await store.listDocuments({ limit: 10 }), [documentRecord("d")]);
      assert.deepEqual(await store.stats(), { documents: 1, chunks: 1, vectors: 0 });
    },
  },
  {
    name: "abort: a signal that is not aborted does no harm, nor does aborting it afterwards",
    body: async ({ store }) => {
      const controller = new AbortController();
      for (const [, call] of calls(store, { signal: controller.signal })) await call();
      controller.abort();
      await store.write([page("d", [{ words: "alpha" }])]);
      assert.deepEqual(
        (await store.getChunks(["d#0"])).map((chunk) => chunk?.text),
        ["alpha"],
      );
    },
  },
  {
    name: "close: is idempotent, and every later call rejects with CLOSED",
    closes: true,
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }]));
      await store.close();
      await store.close();
      for (const [name, call] of calls(store)) {
        await rejectsWith(call(), "CLOSED").catch((error: unknown) => assert.fail(`${name}: ${String(error)}`));
      }
      await store.close();
    },
  },
];
