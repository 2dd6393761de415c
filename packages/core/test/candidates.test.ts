import type { Hit } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { createDocsearch } from "../src/docsearch.js";
import { memoryStore } from "../src/memory-store/memory-store.js";
import { unstuffed } from "../src/search/candidates.js";
import { paragraphs, textDocument, topicEmbedder } from "./support.js";

const hit = (documentId: string, index: number, score: number): Hit => ({
  chunkId: `${documentId}${index}`,
  documentId,
  score,
});

/** A retriever over these hits, and the filters with which it was asked. */
function retriever(all: readonly Hit[]): {
  ask: (limit: number, filter?: object) => Promise<Hit[]>;
  filters: (object | undefined)[];
} {
  const filters: (object | undefined)[] = [];
  return {
    filters,
    async ask(limit, filter) {
      filters.push(filter);
      const excluded = JSON.stringify(filter ?? {});
      return all.filter(({ documentId }) => !excluded.includes(`"${documentId}"`)).slice(0, limit);
    },
  };
}

const STUFFED = [...Array.from({ length: 50 }, (_, i) => hit("big", i, 100 - i)), hit("b", 0, 9), hit("c", 0, 8)];

describe("a document with more chunks than there are places", () => {
  test("keeps its share, and the others get in", async () => {
    const { ask, filters } = retriever(STUFFED);
    const hits = await unstuffed(ask, { candidates: 10, documents: 5 });
    expect(hits.map(({ chunkId }) => chunkId)).toEqual([
      ...["big0", "big1", "big2", "big3", "big4", "big5", "big6", "big7"],
      ...["b0", "c0"],
    ]);
    expect(filters).toEqual([undefined, { op: "not", clause: { op: "in", field: "id", values: ["big"] } }]);
  });

  test("the filter of the request stays", async () => {
    const { ask, filters } = retriever(STUFFED);
    const filter = { op: "prefix", field: "path", value: "docs/" } as const;
    await unstuffed(ask, { candidates: 10, documents: 5, filter });
    expect(filters[1]).toEqual({
      op: "and",
      clauses: [filter, { op: "not", clause: { op: "in", field: "id", values: ["big"] } }],
    });
  });

  test("alone, it has all places", async () => {
    const { ask } = retriever(STUFFED.slice(0, 50));
    const hits = await unstuffed(ask, { candidates: 10, documents: 5 });
    expect(hits.map(({ score }) => score)).toEqual([100, 99, 98, 97, 96, 95, 94, 93, 92, 91]);
  });

  test("a list that is not full, or holds documents enough, is not asked for again", async () => {
    const short = retriever(STUFFED.slice(45));
    expect(await unstuffed(short.ask, { candidates: 10, documents: 5 })).toHaveLength(7);
    const mixed = retriever(Array.from({ length: 20 }, (_, i) => hit(`d${i % 5}`, i, 50 - i)));
    expect(await unstuffed(mixed.ask, { candidates: 10, documents: 5 })).toHaveLength(10);
    expect([short.filters.length, mixed.filters.length]).toEqual([1, 1]);
  });
});

test.each(["keyword", "semantic", "hybrid"] as const)("a stuffed file does not hide the others: %s", async (mode) => {
  const docsearch = await createDocsearch({
    store: memoryStore(),
    embedder: topicEmbedder().factory,
    chunkers: [paragraphs],
  });
  const stuffed = Array.from({ length: 300 }, (_, i) => `cat ${i}`).join("\n");
  const others = ["b", "c", "d"].map((id) => textDocument(id, "a long line about a dog, in which one cat is seen"));
  await docsearch.index({ documents: [textDocument("a", stuffed), ...others] });
  const grouped = await docsearch.search({ query: "cat", mode, groupBy: "document" });
  expect(grouped.results.map(({ document }) => document.id).sort()).toEqual(["a", "b", "c", "d"]);
});
