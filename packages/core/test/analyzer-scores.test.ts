import type { Bm25fParameters, ChunkWrite, LexicalFields, VectorStore } from "@docsearch/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { createAnalyzer } from "../src/analyzer/analyze.js";
import { analyzeFields } from "../src/analyzer/fields.js";
import { analyzeQuery } from "../src/analyzer/query.js";
import { memoryStore } from "../src/memory-store/memory-store.js";
import { withDocumentScore } from "../src/search/document-share.js";

/** The numbers come from a separate implementation of the analyzer and of BM25F, in Python; 2026-11-30. */

/** The parameters with which they were worked out. */
const RANKING: Bm25fParameters = {
  k1: 1.2,
  fields: {
    title: { weight: 3, b: 0 },
    ancestors: { weight: 3, b: 0 },
    heading: { weight: 3, b: 0 },
    path: { weight: 2, b: 0 },
    body: { weight: 1, b: 0.5 },
    code: { weight: 1, b: 0.5 },
  },
};

interface Section {
  readonly id: string;
  readonly heading?: string;
  readonly text: string;
}

const PAGES: readonly { readonly path: string; readonly title: string; readonly sections: readonly Section[] }[] = [
  {
    path: "guide/api-hmr",
    title: "HMR API",
    sections: [
      { id: "hmr-1", text: "# HMR API\n\nThe hot API lets a module accept updates.\n\n" },
      { id: "hmr-2", heading: "hot.accept", text: "## hot.accept\n\nCall it to accept HMR updates.\n" },
    ],
  },
  {
    path: "guide/plugins",
    title: "Plugins",
    sections: [{ id: "plugins-1", text: "# Plugins\n\nA plugin may handle hot updates with handleHotUpdate.\n" }],
  },
  {
    path: "guide/build",
    title: "Build",
    sections: [{ id: "build-1", text: "# Build\n\nRun the build to make a bundle.\n" }],
  },
];

const analyzer = createAnalyzer();
const fieldsOf = new Map<string, LexicalFields>();
let store: VectorStore;

beforeAll(async () => {
  const schema = { embedding: null, chunking: "sections", analyzer: analyzer.id };
  store = await memoryStore().open(schema, { mode: "write", onMismatch: "error" });
  for (const { path, title, sections } of PAGES) {
    const chunks = sections.map(({ id, heading, text }, ordinal): ChunkWrite => {
      const fields = analyzeFields(analyzer, { title, ancestors: [], ...(heading && { heading }), path, body: text });
      fieldsOf.set(id, fields);
      const span = { startOffset: 0, endOffset: text.length, startLine: 1, endLine: 1 };
      const chunk = { id, documentId: path, ordinal, text, span, headingPath: [], metadata: {} };
      return { chunk, fields, embedding: { kind: "none" } };
    });
    const document = { id: path, collection: "c", contentHash: "h", mediaType: "text/markdown", path, metadata: {} };
    await store.write([{ type: "replace", document, outline: [], chunks }]);
  }
});

test("lengths of bodies and of a path", () => {
  const ids = ["hmr-1", "hmr-2", "plugins-1", "build-1"];
  expect(ids.map((id) => fieldsOf.get(id)?.body?.length)).toEqual([10, 9, 10.5, 8]);
  expect(fieldsOf.get("hmr-1")?.path?.length).toBe(4);
});

test.each([
  ["HMR API", { "guide/api-hmr": 7.1533 }],
  ["hot updates", { "guide/api-hmr": 2.7294, "guide/plugins": 2.2915 }],
  ["the build", { "guide/api-hmr": 0.2513, "guide/build": 5.0315 }],
])("pages of the list, %s: a page's own score and that of its best chunk", async (text, expected) => {
  const { query } = analyzeQuery(analyzer, text);
  const hits = withDocumentScore(await store.searchText({ query: query!, ranking: RANKING, limit: 10 }));
  const best = new Map<string, number>();
  for (const { documentId, score } of hits) if (!best.has(documentId)) best.set(documentId, score);
  expect([...best.keys()].sort()).toEqual(Object.keys(expected).sort());
  for (const [id, score] of Object.entries(expected)) expect(best.get(id)).toBeCloseTo(score, 3);
});

describe("scores of chunks and documents", () => {
  test.each([
    ["HMR API", { "hmr-1": 2.9551, "hmr-2": 2.8765 }, { "guide/api-hmr": 4.1982 }],
    [
      "hot updates",
      { "hmr-1": 0.8057, "hmr-2": 1.1097, "plugins-1": 0.9528 },
      { "guide/api-hmr": 1.6197, "guide/plugins": 1.3387 },
    ],
    [
      "the build",
      { "hmr-1": 0.1566, "build-1": 2.7748 },
      { "guide/api-hmr": 0.2513 - 0.1566, "guide/build": 5.0315 - 2.7748 },
    ],
  ])("%s", async (text, chunkScores, documentScores) => {
    const { query } = analyzeQuery(analyzer, text);
    const hits = await store.searchText({ query: query!, ranking: RANKING, limit: 10 });
    const chunks = Object.fromEntries(hits.chunks.map(({ chunkId, score }) => [chunkId, score]));
    const documents = Object.fromEntries(hits.documents.map(({ documentId, score }) => [documentId, score]));
    expect(Object.keys(chunks).sort()).toEqual(Object.keys(chunkScores).sort());
    expect(Object.keys(documents).sort()).toEqual(Object.keys(documentScores).sort());
    for (const [id, score] of Object.entries(chunkScores)) expect(chunks[id]).toBeCloseTo(score, 3);
    for (const [id, score] of Object.entries(documentScores)) expect(documents[id]).toBeCloseTo(score, 3);
  });
});
