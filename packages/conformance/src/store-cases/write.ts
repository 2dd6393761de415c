import assert from "node:assert/strict";
import type { Chunk, DocumentRecord, OutlineEntry } from "@docsearch/spec";
import { rejectsWith } from "../assertions.js";
import { documentIds, documentRecord, page, removal, SCHEMA, term, textIds, vectorIds } from "../builders.js";
import { hasText, hasVectors, type StoreCase } from "../store-case.js";

const CHUNK: Chunk = {
  id: "d#0",
  documentId: "d",
  ordinal: 0,
  text: "héllo 👩‍💻 wörld\r\n\tend",
  span: { startOffset: 3, endOffset: 26, startLine: 2, endLine: 3 },
  headingPath: ["Intro", "B > C", "", "#_%"],
  anchor: "b--c",
  context: "class X:",
  standaloneText: "```js\nhéllo\n```",
  language: "js",
  symbols: [{ name: "f", kind: "method", qualifiedName: "X.f", line: 1, endLine: 2, signature: "f(): void" }],
  links: [{ target: "../a b.md#c", text: "see", line: 3 }],
  metadata: { decimal: 1.5, no: false, yes: true, empty: "", zero: 0, negative: -3, large: 9007199254740991 },
};

const RECORD: DocumentRecord = documentRecord("d", {
  collection: "héllo",
  contentHash: "sha256:0",
  mediaType: "text/markdown",
  path: "a/ B#_%.md",
  title: "T > 'U' \"V\"",
  url: "https://example.com/?q=1&r=é#x",
  metadata: { decimal: 0.1, no: false, empty: "", zero: 0, text: "1", "dotted.key": "x", "quo'te\"": "y" },
});

const OUTLINE: readonly OutlineEntry[] = [
  { heading: "Intro", level: 1, anchor: "intro", line: 1 },
  { heading: "B > C 👩‍💻", level: 3, anchor: "b--c", line: 2, parent: 0 },
  { heading: "", level: 6, anchor: "section", line: 9, parent: 1 },
  { heading: "Intro", level: 1, anchor: "intro-1", line: 12 },
];

export const WRITE_CASES: readonly StoreCase[] = [
  {
    name: "empty: every read answers with nothing",
    body: async ({ store }) => {
      assert.deepEqual(await store.getChunks(["no"]), [undefined]);
      assert.deepEqual(await store.getChunks([]), []);
      assert.deepEqual(await store.getDocuments(["no", ""]), [undefined, undefined]);
      assert.deepEqual(await store.getDocuments([]), []);
      assert.deepEqual(await store.getChunkIds("no"), []);
      assert.deepEqual(await store.getOutline("no"), []);
      assert.deepEqual(await store.listDocuments({ limit: 10 }), []);
      assert.deepEqual(await store.listTerms({ prefix: "", limit: 10 }), []);
      assert.deepEqual(await store.stats(), { documents: 0, chunks: 0, vectors: 0 });
    },
  },
  {
    name: "empty: text search finds nothing",
    applies: hasText,
    body: async ({ store }) => assert.deepEqual(await textIds(store, term("word")), []),
  },
  {
    name: "empty: vector search finds nothing",
    applies: hasVectors,
    body: async ({ store }) => assert.deepEqual(await vectorIds(store, [1, 0, 0, 0]), []),
  },
  {
    name: "write: a document, its outline and its chunks come back field for field",
    body: async ({ store, write }) => {
      await write(page("d", [{ chunk: CHUNK }], { ...RECORD, outline: OUTLINE }));
      assert.deepEqual(await store.getChunks(["d#0"]), [CHUNK]);
      assert.deepEqual(await store.getDocuments(["d"]), [RECORD]);
      assert.deepEqual(await store.getOutline("d"), OUTLINE);
      assert.deepEqual(await store.listDocuments({ limit: 1 }), [RECORD]);
    },
  },
  {
    name: "write: what is absent stays absent",
    body: async ({ store, write }) => {
      const change = page("d", [{ words: "alpha" }]);
      await write(change);
      assert.deepEqual(await store.getChunks(["d#0"]), [change.chunks[0]!.chunk]);
      assert.deepEqual(await store.getDocuments(["d"]), [change.document]);
      assert.deepEqual(await store.getOutline("d"), []);
    },
  },
  {
    name: "write: the result counts documents and chunks",
    body: async ({ write }) => {
      const two = page("a", [{ words: "alpha" }, { words: "beta" }]);
      assert.deepEqual(await write(two), { replaced: 1, deleted: 0, chunks: 2 });
      assert.deepEqual(await write(two, page("b", [{}]), removal("a"), removal("no")), {
        replaced: 2,
        deleted: 1,
        chunks: 3,
      });
    },
  },
  {
    name: "write: stats count documents, chunks and vectors",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(page("a", [{ vector: [1, 0, 0, 0] }, {}, { vector: [0, 1, 0, 0] }]), page("b", []));
      assert.deepEqual(await store.stats(), { documents: 2, chunks: 3, vectors: 2 });
    },
  },
  {
    name: "write: a document without chunks is there",
    body: async ({ store, write }) => {
      await write(page("d", [], { outline: OUTLINE }));
      assert.deepEqual(await documentIds(store), ["d"]);
      assert.deepEqual(await store.getChunkIds("d"), []);
      assert.deepEqual(await store.getOutline("d"), OUTLINE);
    },
  },
  {
    name: "write: a replaced document loses the chunks that are gone",
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }, { words: "beta" }], { outline: OUTLINE, title: "Old" }));
      await write(page("d", [{ words: "alpha" }]));
      assert.deepEqual(await store.getChunks(["d#0", "d#1"]), [
        page("d", [{ words: "alpha" }]).chunks[0]!.chunk,
        undefined,
      ]);
      assert.deepEqual(await store.getChunkIds("d"), ["d#0"]);
      assert.deepEqual(await store.getDocuments(["d"]), [documentRecord("d")]);
      assert.deepEqual(await store.getOutline("d"), []);
      assert.deepEqual(await store.stats(), { documents: 1, chunks: 1, vectors: 0 });
    },
  },
  {
    name: "write: text search forgets what was replaced or deleted",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(page("a", [{ words: "zebra lamp" }]));
      assert.deepEqual(await textIds(store, term("zebra")), ["a#0"]);
      await write(page("a", [{ words: "heron lamp" }]));
      assert.deepEqual(await textIds(store, term("zebra")), []);
      assert.deepEqual(await textIds(store, term("heron")), ["a#0"]);
      assert.deepEqual(await textIds(store, term("lamp")), ["a#0"]);
      await write(removal("a"));
      assert.deepEqual(await textIds(store, term("lamp")), []);
      await write(page("a", [{ words: "heron lamp" }]));
      assert.deepEqual(await textIds(store, term("lamp")), ["a#0"]);
      assert.deepEqual(await store.listTerms({ prefix: "", limit: 10 }), [
        { term: "heron", chunks: 1 },
        { term: "lamp", chunks: 1 },
      ]);
    },
  },
  {
    name: "write: vector search forgets what was replaced or deleted",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(
        page("d", [{ vector: [1, 0, 0, 0] }, { vector: [0, 1, 0, 0] }]),
        page("e", [{ vector: [0, 1, 1, 0] }]),
      );
      await write(page("d", [{ vector: [1, 0, 0, 0] }]));
      assert.deepEqual(await vectorIds(store, [0, 1, 0, 0]), ["e#0", "d#0"]);
      await write(removal("d"));
      assert.deepEqual(await vectorIds(store, [0, 1, 0, 0]), ["e#0"]);
      assert.deepEqual(await store.stats(), { documents: 1, chunks: 1, vectors: 1 });
    },
  },
  {
    name: "write: the same change twice equals once",
    body: async ({ store, write }) => {
      const change = page("d", [{ words: "alpha beta" }, { words: "alpha" }], { outline: OUTLINE });
      await write(change);
      const once = await store.listTerms({ prefix: "", limit: 10 });
      await write(change);
      assert.deepEqual(await store.listTerms({ prefix: "", limit: 10 }), once);
      assert.deepEqual(await store.stats(), { documents: 1, chunks: 2, vectors: 0 });
      assert.deepEqual(await store.getOutline("d"), OUTLINE);
    },
  },
  {
    name: "write: arguments are left as they are",
    applies: hasVectors,
    body: async ({ write }) => {
      const change = page("d", [{ words: "alpha", vector: [3, 4, 0, 0] }], { outline: OUTLINE });
      const before = structuredClone(change);
      await write(change);
      assert.deepEqual(change, before);
    },
  },
  {
    name: "write: arguments are not retained",
    applies: (capabilities) => hasText(capabilities) && hasVectors(capabilities),
    body: async ({ store, write }) => {
      const terms = new Map([["alpha", 1]]);
      const metadata = { key: "old" };
      const headingPath = ["old"];
      const vector = Float32Array.of(1, 0, 0, 0);
      const change = page("d", [{ chunk: { headingPath } }], { metadata });
      const [written] = change.chunks;
      const fields = { body: { terms, length: 1 } };
      await write({ ...change, chunks: [{ ...written!, fields, embedding: { kind: "vector", vector } }] });
      terms.set("beta", 1);
      terms.delete("alpha");
      metadata.key = "new";
      headingPath[0] = "new";
      vector.set([0, 1, 0, 0]);
      assert.deepEqual(await textIds(store, term("alpha")), ["d#0"]);
      assert.deepEqual(await textIds(store, term("beta")), []);
      assert.deepEqual((await store.getDocuments(["d"]))[0]?.metadata, { key: "old" });
      assert.deepEqual((await store.getChunks(["d#0"]))[0]?.headingPath, ["old"]);
      const [hit] = await store.searchVector({ vector: Float32Array.of(1, 0, 0, 0), limit: 1 });
      assert.ok(hit !== undefined && hit.score > 0.9, "the stored vector followed the caller's");
    },
  },
  {
    name: "write: an invalid vector rejects with VECTOR_INVALID and the old document stays",
    applies: hasVectors,
    body: async ({ store, write, settle }) => {
      await write(page("d", [{ words: "alpha", vector: [1, 0, 0, 0] }]));
      const invalid = [
        [[1, 0], { reason: "dimensions", expected: 4, actual: 2 }],
        [[1, 0, 0, 0, 0], { reason: "dimensions", expected: 4, actual: 5 }],
        [[], { reason: "dimensions", expected: 4, actual: 0 }],
        [[1, 0, 0, Number.NaN], { reason: "not-finite", expected: 4, actual: 4 }],
        [[1, 0, 0, Number.POSITIVE_INFINITY], { reason: "not-finite", expected: 4, actual: 4 }],
        [[0, 0, 0, 0], { reason: "zero", expected: 4, actual: 4 }],
      ] as const;
      for (const [vector, details] of invalid) {
        const change = page(
          "d",
          [
            { words: "beta", vector: [0, 1, 0, 0] },
            { words: "gamma", vector },
          ],
          { title: "New" },
        );
        await rejectsWith(store.write([change]), "VECTOR_INVALID", details);
      }
      await settle();
      assert.deepEqual(await store.getDocuments(["d"]), [documentRecord("d")]);
      assert.deepEqual(await store.getChunkIds("d"), ["d#0"]);
      assert.deepEqual(await store.stats(), { documents: 1, chunks: 1, vectors: 1 });
    },
  },
  {
    name: "write: an index without embedding takes no vector",
    schema: { ...SCHEMA, embedding: null },
    applies: hasVectors,
    body: async ({ store }) => {
      await rejectsWith(store.write([page("d", [{ vector: [1, 0, 0, 0] }])]), "VECTOR_INVALID", {
        reason: "dimensions",
        expected: 0,
        actual: 4,
      });
      assert.deepEqual(await store.stats(), { documents: 0, chunks: 0, vectors: 0 });
    },
  },
  {
    name: "write: a chunk id that comes twice in a document rejects with STORE_FAILED",
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }]));
      await rejectsWith(
        store.write([page("d", [{ words: "beta" }, { words: "gamma", chunk: { id: "d#0" } }])]),
        "STORE_FAILED",
      );
      assert.equal((await store.getChunks(["d#0"]))[0]?.text, "alpha");
    },
  },
  {
    name: "write: a chunk id of another document rejects with STORE_FAILED",
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }]));
      await rejectsWith(store.write([page("e", [{ words: "beta", chunk: { id: "d#0" } }])]), "STORE_FAILED");
      assert.equal((await store.getChunks(["d#0"]))[0]?.documentId, "d");
      assert.deepEqual(await documentIds(store), ["d"]);
    },
  },
  {
    name: "write: a chunk that names another document rejects with STORE_FAILED",
    body: async ({ store }) => {
      await rejectsWith(store.write([page("d", [{ chunk: { documentId: "e" } }])]), "STORE_FAILED");
      assert.deepEqual(await documentIds(store), []);
    },
  },
  {
    name: "delete: removes everything of the document and nothing else",
    body: async ({ store, write }) => {
      const three = [{ words: "see wiki" }, { words: "see wiki" }, { words: "see wiki" }];
      await write(page("a", three, { outline: OUTLINE }), page("b", three, { outline: OUTLINE }));
      assert.equal((await write(removal("a"))).deleted, 1);
      assert.deepEqual(await store.getDocuments(["a", "b"]), [undefined, documentRecord("b")]);
      assert.deepEqual(await store.getChunkIds("a"), []);
      assert.deepEqual(await store.getChunkIds("b"), ["b#0", "b#1", "b#2"]);
      assert.deepEqual(await store.getChunks(["a#0"]), [undefined]);
      assert.deepEqual(await store.getOutline("a"), []);
      assert.deepEqual(await store.getOutline("b"), OUTLINE);
      assert.deepEqual(await store.stats(), { documents: 1, chunks: 3, vectors: 0 });
    },
  },
  {
    name: "delete: what is absent counts nothing and is no error",
    body: async ({ store, write }) => {
      await write(page("d", [{}]));
      assert.deepEqual(await write(removal("no"), removal("D"), removal("")), { replaced: 0, deleted: 0, chunks: 0 });
      assert.deepEqual(await documentIds(store), ["d"]);
    },
  },
  {
    name: "clear: removes every document, keeps the schema, and the store goes on",
    body: async ({ store, write, settle }) => {
      await write(page("a", [{ words: "alpha" }], { outline: OUTLINE }), page("b", [{ words: "beta" }]));
      await store.clear();
      await settle();
      assert.deepEqual(await store.stats(), { documents: 0, chunks: 0, vectors: 0 });
      assert.deepEqual(await documentIds(store), []);
      assert.deepEqual(await store.getChunks(["a#0"]), [undefined]);
      assert.deepEqual(await store.getOutline("a"), []);
      assert.deepEqual(await store.listTerms({ prefix: "", limit: 10 }), []);
      assert.deepEqual(store.schema, SCHEMA);
      await write(page("c", [{ words: "gamma" }]));
      assert.deepEqual(await documentIds(store), ["c"]);
    },
  },
];
