import { readFileSync } from "node:fs";
import type { ChunkWrite, VectorStore } from "@docsearch/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { createAnalyzer } from "../src/analyzer/analyze.js";
import { analyzeFields } from "../src/analyzer/fields.js";
import { analyzeQuery } from "../src/analyzer/query.js";
import { memoryStore } from "../src/memory-store/memory-store.js";
import { PROSE_RANKING } from "../src/ranking/ranking.js";

/** Faults that people met in keyword search elsewhere, each as documents and what queries must find in them. */

type Check =
  | { readonly op: "first"; readonly rows: readonly (readonly [query: string, first: string])[] }
  | { readonly op: "in_top"; readonly k: number; readonly rows: readonly (readonly [query: string, found: string])[] }
  | { readonly op: "includes"; readonly rows: readonly (readonly [query: string, found: readonly string[]])[] }
  | { readonly op: "empty" | "no_throw"; readonly queries: readonly string[] }
  | { readonly op: "no_throw_any" };

interface Case {
  readonly id: string;
  readonly symptom: string;
  readonly docs: Readonly<Record<string, string>>;
  readonly checks: readonly Check[];
}

const CASES = JSON.parse(readFileSync(new URL("fixtures/keyword-cases.json", import.meta.url), "utf8")) as Case[];

const analyzer = createAnalyzer();

async function index(docs: Case["docs"]): Promise<VectorStore> {
  const schema = { embedding: null, chunking: "whole", analyzer: analyzer.id };
  const store = await memoryStore().open(schema, { mode: "write", onMismatch: "error" });
  for (const [id, text] of Object.entries(docs)) {
    const span = { startOffset: 0, endOffset: text.length, startLine: 1, endLine: 1 };
    const chunk = { id, documentId: id, ordinal: 0, text, span, headingPath: [], metadata: {} };
    const write: ChunkWrite = {
      chunk,
      fields: analyzeFields(analyzer, { ancestors: [], body: text }),
      embedding: { kind: "none" },
    };
    const document = { id, collection: "c", contentHash: "h", mediaType: "text/plain", metadata: {} };
    await store.write([{ type: "replace", document, outline: [], chunks: [write] }]);
  }
  return store;
}

async function search(store: VectorStore, text: string): Promise<string[]> {
  const { query } = analyzeQuery(analyzer, text);
  if (query === null) return [];
  const { chunks } = await store.searchText({ query, ranking: PROSE_RANKING, limit: 100 });
  return chunks.map(({ chunkId }) => chunkId);
}

describe.each(CASES)("$id: $symptom", ({ docs, checks }) => {
  let store: VectorStore;
  beforeAll(async () => {
    store = await index(docs);
  });

  for (const check of checks) {
    if (check.op === "first") {
      test.each(check.rows)("%j finds %s first", async (query, first) => {
        expect((await search(store, query))[0]).toBe(first);
      });
    } else if (check.op === "in_top") {
      test.each(check.rows)(`%j finds %s among the first ${check.k}`, async (query, found) => {
        expect((await search(store, query)).slice(0, check.k)).toContain(found);
      });
    } else if (check.op === "includes") {
      test.each(check.rows)("%j finds %j", async (query, found) => {
        expect(await search(store, query)).toEqual(expect.arrayContaining([...found]));
      });
    } else if (check.op === "empty") {
      test.each(check.queries)("%j finds nothing", async (query) => {
        expect(await search(store, query)).toEqual([]);
      });
    } else if (check.op === "no_throw") {
      test.each(check.queries)("%j is answered", async (query) => {
        expect(Array.isArray(await search(store, query))).toBe(true);
      });
    }
  }
});

describe("terms of a query meet those of the right document only", () => {
  const rows = CASES.filter(({ id }) => id === "fts-cjk-short" || id === "fts-accents-and-forms").flatMap(
    ({ docs, checks }) =>
      checks.flatMap((check) =>
        check.op === "first" ? check.rows.map(([query, first]) => ({ query, first, docs })) : [],
      ),
  );
  const thai = { t1: "แฟ้มการตั้งค่าอยู่ในโฟลเดอร์หลัก", t2: "สคริปต์เริ่มเซิร์ฟเวอร์ใหม่ตอนกลางคืน" };
  const all = [...rows, { query: "การตั้งค่า", first: "t1", docs: thai }, { query: "กลางคืน", first: "t2", docs: thai }];

  test.each(all)("$query: $first", ({ query, first, docs }) => {
    const wanted = analyzer.analyze(query).filter((term) => term.class !== "exact");
    const holders = Object.entries(docs)
      .filter(([, text]) => {
        const terms = new Map<string, number>();
        analyzer.count(text, terms);
        return wanted.some(({ term }) => terms.has(term));
      })
      .map(([id]) => id);
    expect(holders).toEqual([first]);
  });
});
