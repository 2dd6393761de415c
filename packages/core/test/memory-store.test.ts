import type { DocumentChange, IndexSchema, OpenOptions, VectorStore } from "@docsearch/spec";
import { expect, test } from "vitest";
import { memoryStore } from "../src/memory-store/memory-store.js";

const SCHEMA: IndexSchema = { embedding: { id: "test@1", dimensions: 2 }, chunking: "test@1", analyzer: "test@1" };
const WRITE: OpenOptions = { mode: "write", onMismatch: "error" };

/** A document of one chunk. */
function replace(id: string, vector: readonly number[], chunkId = `${id}#0`): DocumentChange {
  return {
    type: "replace",
    document: { id, collection: "docs", contentHash: "0", mediaType: "text/plain", metadata: {} },
    outline: [],
    chunks: [
      {
        chunk: {
          id: chunkId,
          documentId: id,
          ordinal: 0,
          text: "text",
          span: { startOffset: 0, endOffset: 4, startLine: 1, endLine: 1 },
          headingPath: [],
          metadata: {},
        },
        fields: { body: { terms: new Map([["text", 1]]), length: 1 } },
        embedding: { kind: "vector", vector: Float32Array.from(vector) },
      },
    ],
  };
}

function open(schema = SCHEMA): Promise<VectorStore> {
  return memoryStore().open(schema, WRITE);
}

test("the factory and the capabilities", async () => {
  const factory = memoryStore();
  expect([factory.specVersion, factory.name]).toEqual([1, "memory"]);
  const store = await factory.open(SCHEMA, WRITE);
  expect([store.specVersion, store.name, store.schema]).toEqual([1, "memory", SCHEMA]);
  expect(store.capabilities).toEqual({
    lexical: "bm25f",
    vector: "exact",
    vectorTolerance: 1e-6,
    atomicity: "document",
    durable: false,
    multiProcess: false,
  });
});

test("every opening gives a new, empty store, from the same factory too", async () => {
  const factory = memoryStore();
  const first = await factory.open(SCHEMA, WRITE);
  await first.write([replace("a", [1, 0])]);
  const second = await factory.open({ ...SCHEMA, analyzer: "test@2" }, WRITE);
  expect(await second.stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
  expect(await first.stats()).toEqual({ documents: 1, chunks: 1, vectors: 1 });
  await first.close();
  expect(await (await factory.open(SCHEMA, WRITE)).stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
  expect(await second.stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
});

test("opening for reading rejects with INDEX_MISSING", async () => {
  await expect(memoryStore().open(SCHEMA, { mode: "read", onMismatch: "recreate" })).rejects.toMatchObject({
    code: "INDEX_MISSING",
    details: { location: "memory", command: "docsearch index" },
  });
});

test("opening with an aborted signal rejects with AbortError", async () => {
  await expect(memoryStore().open(SCHEMA, { ...WRITE, signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: "AbortError",
  });
});

test("the schema is the store's own copy", async () => {
  const schema = structuredClone(SCHEMA) as { analyzer: string } & IndexSchema;
  const store = await open(schema);
  schema.analyzer = "test@2";
  expect(store.schema).toEqual(SCHEMA);
});

test("results are copies", async () => {
  const store = await open();
  await store.write([replace("a", [1, 0])]);
  const [chunk] = await store.getChunks(["a#0"]);
  Object.assign(chunk!, { text: "changed" });
  Object.assign((await store.listDocuments({ limit: 1 }))[0]!, { id: "changed" });
  expect((await store.getChunks(["a#0"]))[0]?.text).toBe("text");
  expect((await store.listDocuments({ limit: 1 }))[0]?.id).toBe("a");
});

test("errors say what was wrong, what was expected and what mends it", async () => {
  const store = await open();
  await store.write([replace("a", [1, 0])]);
  await expect(store.write([replace("b", [1, 0, 0])])).rejects.toMatchObject({
    code: "VECTOR_INVALID",
    message:
      "A vector of 3 dimensions and length 1 was given; the index takes 2 finite numbers, not all zero. Use the embedder that the index was made with.",
  });
  await expect(store.write([replace("b", [1, 0], "a#0")])).rejects.toMatchObject({
    code: "STORE_FAILED",
    message:
      "Chunk a#0 cannot be written to document b: an id stands for one chunk, in the document that the chunk names. Make chunk ids from the document id.",
    details: { operation: "write" },
  });
  const kept = replace("b", [1, 0]) as Extract<DocumentChange, { type: "replace" }>;
  const chunks = kept.chunks.map((write) => ({ ...write, embedding: { kind: "keep" } as const }));
  await expect(store.write([{ ...kept, chunks }])).rejects.toMatchObject({
    code: "CHUNK_MISSING",
    message: "There is no chunk b#0 whose vector could be kept. Write it with its vector, or with none.",
  });
  const lexical = await open({ ...SCHEMA, embedding: null });
  await expect(lexical.searchVector({ vector: Float32Array.of(1, 0), limit: 1 })).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message:
      "This index was made without an embedder and has no vectors. Search its text, or index again with an embedder.",
    details: { operation: "searchVector" },
  });
  await store.close();
  await expect(store.stats()).rejects.toMatchObject({
    code: "CLOSED",
    message: "The memory store is closed. Open a new one.",
    details: { name: "memory" },
  });
});

test("vectors are normalised when they are written", async () => {
  const store = await open();
  await store.write([replace("a", [3, 4]), replace("b", [0, 1e-30])]);
  expect(await store.check()).toEqual({ faults: [] });
  const hits = await store.searchVector({ vector: Float32Array.of(30, 40), limit: 2 });
  expect(hits.map(({ chunkId, score }) => [chunkId, score.toFixed(6)])).toEqual([
    ["a#0", "1.000000"],
    ["b#0", "0.800000"],
  ]);
});
