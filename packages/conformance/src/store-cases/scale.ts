import assert from "node:assert/strict";
import type { DocumentChange, OutlineEntry } from "@docsearch/spec";
import { documentIds, lexicalFields, page, removal, searchText, term, textIds, vectorIds } from "../builders.js";
import { hasBm25f, hasText, hasVectors, type StoreCase } from "../store-case.js";

const MANY = 10_000;

/** Ids whose code unit order is their numeric order. */
function numbered(i: number): string {
  return `d${String(i).padStart(5, "0")}`;
}

export const SCALE_CASES: readonly StoreCase[] = [
  {
    name: "scale: batches of 10,000 changes and of 40,000 deletions, and reads of 40,000 ids",
    body: async ({ store, write }) => {
      const changes = Array.from(
        { length: MANY },
        (_, i): DocumentChange => page(numbered(i), [{ words: `all n${i % 100}` }], { path: `p/${i}` }),
      );
      assert.deepEqual(await write(...changes), { replaced: MANY, deleted: 0, chunks: MANY });
      assert.deepEqual(await store.stats(), { documents: MANY, chunks: MANY, vectors: 0 });

      const ids = Array.from({ length: 4 * MANY }, (_, i) => numbered(i));
      const documents = await store.getDocuments(ids);
      assert.equal(documents.length, ids.length);
      assert.deepEqual(
        documents.map((record) => record?.id),
        ids.map((id, i) => (i < MANY ? id : undefined)),
      );
      const chunks = await store.getChunks(ids.map((id) => `${id}#0`));
      assert.deepEqual(
        chunks.map((chunk) => chunk?.documentId),
        ids.map((id, i) => (i < MANY ? id : undefined)),
      );

      assert.equal((await write(...ids.map((id) => removal(id)))).deleted, MANY);
      assert.deepEqual(await store.stats(), { documents: 0, chunks: 0, vectors: 0 });
      assert.deepEqual(await store.listTerms({ prefix: "", limit: 10 }), []);
    },
  },
  {
    name: "scale: a filter of 40,000 values",
    applies: hasText,
    body: async ({ store, write }) => {
      const ids = Array.from({ length: 40_000 }, (_, i) => numbered(i));
      await write(...ids.slice(0, 100).map((id) => page(id, [{ words: "x" }])), page("other", [{ words: "x" }]));
      // The ids that are there come last, behind all others that the filter names.
      const filter = { op: "in", field: "id", values: [...ids].reverse() } as const;
      assert.deepEqual(await documentIds(store, filter), ids.slice(0, 100));
      const { chunks, documents } = await searchText(store, term("x"), { filter, limit: 1000 });
      assert.deepEqual(chunks.map((hit) => hit.documentId).sort(), ids.slice(0, 100));
      assert.equal(documents.length, hasBm25f(store.capabilities) ? 100 : 0);
    },
  },
  {
    name: "scale: 5,000 nearest of 6,000 vectors",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(
        ...Array.from({ length: 6 }, (_, d) =>
          page(
            `d${d}`,
            Array.from({ length: 1000 }, (_, i) => {
              const angle = (d * 1000 + i) / 6000;
              return { vector: [Math.cos(angle), Math.sin(angle), 0, 0] };
            }),
          ),
        ),
      );
      const hits = await store.searchVector({ vector: Float32Array.of(1, 0, 0, 0), limit: 5000 });
      assert.equal(new Set(hits.map((hit) => hit.chunkId)).size, 5000);
      assert.ok(hits.every((hit, i) => i === 0 || hits[i - 1]!.score >= hit.score));
      assert.equal((await vectorIds(store, [1, 0, 0, 0], { limit: 1 })).length, 1);
    },
  },
  {
    name: "scale: 5,000 best of 6,000 chunks that all match",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(
        ...Array.from(
          { length: 6000 },
          (_, i): DocumentChange => page(numbered(i), [{ words: i % 2 === 0 ? "x" : "x x y" }]),
        ),
      );
      const { chunks } = await searchText(store, term("x"), { limit: 5000 });
      assert.equal(new Set(chunks.map((hit) => hit.chunkId)).size, 5000);
      assert.ok(chunks.every((hit, i) => i === 0 || chunks[i - 1]!.score >= hit.score));
    },
  },
  {
    name: "scale: a chunk of a million characters",
    body: async ({ store, write }) => {
      const text = `${"héllo 👩‍💻 ".repeat(71_428)}end`;
      const span = { startOffset: 0, endOffset: text.length, startLine: 1, endLine: 1 };
      const fields = lexicalFields({ body: { terms: new Map([["end", 1]]), length: 142_857 } });
      await write(page("d", [{ fields, chunk: { text, span } }]));
      const [chunk] = await store.getChunks(["d#0"]);
      assert.equal(chunk?.text.length, text.length);
      assert.ok(chunk.text === text, "the text came back changed");
      if (hasText(store.capabilities)) assert.deepEqual(await textIds(store, term("end")), ["d#0"]);
    },
  },
  {
    name: "scale: a chunk of 50,000 distinct terms",
    applies: hasText,
    body: async ({ store, write }) => {
      const words = Array.from({ length: 50_000 }, (_, i) => `t${i}`);
      await write(page("d", [{ words: words.join(" ") }, { words: "t7" }]));
      assert.deepEqual(await textIds(store, term("t49999")), ["d#0"]);
      assert.deepEqual((await textIds(store, term("t7"))).sort(), ["d#0", "d#1"]);
      assert.equal((await store.listTerms({ prefix: "", limit: 100_000 })).length, 50_000);
    },
  },
  {
    name: "scale: a document of 1,000 chunks and 500 headings",
    body: async ({ store, write }) => {
      const outline = Array.from(
        { length: 500 },
        (_, i): OutlineEntry => ({ heading: `Heading ${i}`, level: 2, anchor: `heading-${i}`, line: i + 1 }),
      );
      const pieces = Array.from({ length: 1000 }, (_, i) => ({ words: `word w${i}` }));
      assert.equal((await write(page("d", pieces, { outline }))).chunks, 1000);
      const ids = Array.from({ length: 1000 }, (_, i) => `d#${i}`);
      assert.deepEqual(await store.getChunkIds("d"), ids);
      assert.deepEqual(
        (await store.getChunks(ids)).map((chunk) => chunk?.text),
        pieces.map((piece) => piece.words),
      );
      assert.deepEqual(await store.getOutline("d"), outline);
      await write(page("d", pieces.slice(0, 3)));
      assert.deepEqual(await store.getChunkIds("d"), ids.slice(0, 3));
      assert.deepEqual(await store.stats(), { documents: 1, chunks: 3, vectors: 0 });
    },
  },
  {
    name: "scale: a query of 1,000 terms and a filter of 1,000 clauses",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(page("a", [{ words: "t999" }]), page("b", [{ words: "t1" }]), page("c", [{ words: "other" }]));
      const clauses = Array.from({ length: 1000 }, (_, i) => term(`t${i}`));
      assert.deepEqual((await textIds(store, { op: "or", clauses })).sort(), ["a#0", "b#0"]);
      assert.deepEqual(await textIds(store, { op: "and", clauses }), []);
      const filter = {
        op: "or",
        clauses: Array.from(
          { length: 1000 },
          (_, i) => ({ op: "prefix", field: "id", value: i === 999 ? "a" : `x${i}` }) as const,
        ),
      } as const;
      assert.deepEqual(await textIds(store, { op: "or", clauses }, { filter }), ["a#0"]);
    },
  },
];
