import { memoryStore } from "@docsearch/core";
import type { Filter, IndexSchema } from "@docsearch/spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyChange, anyCollection, anyQuery } from "../../../tools/store-tests/arbitraries.js";
import { lancedbStore } from "../src/index.js";
import { maintain } from "../src/maintenance.js";
import { textsOf } from "../src/rows.js";
import { inside } from "./inside.js";
import { page, RANKING, removal, SCHEMA, temporaryFolders, WRITE } from "./support.js";

const newFolder = temporaryFolders();

const change = anyChange({ occurrences: 400, length: 70_000 });

test("scores and orders of text are those of the memory store to the last bit, before maintenance and after it", async () => {
  const writes = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 9, maxLength: 18 });
  const searches = fc.array(fc.tuple(anyQuery, anyCollection, fc.constantFrom(1, 3, 1000)), {
    minLength: 5,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(writes, searches, async (batches, list) => {
      const url = newFolder();
      let store = await lancedbStore({ url }).open(SCHEMA, WRITE);
      const oracle = await memoryStore().open(SCHEMA, WRITE);
      const compare = async (): Promise<void> => {
        for (const [tree, condition, limit] of list) {
          const search = { query: tree, ranking: RANKING, limit, ...(condition && { filter: condition }) };
          expect(await store.searchText(search)).toEqual(await oracle.searchText(search));
        }
        const page = { prefix: "", limit: 100 };
        expect(await store.listTerms(page)).toEqual(await oracle.listTerms(page));
        expect(await store.check()).toEqual({ faults: [] });
      };
      for (const [i, batch] of batches.entries()) {
        expect(await store.write(batch)).toEqual(await oracle.write(batch));
        // A search between the writes fills what is remembered, which the next write makes void.
        if (i % 4 === 0) await compare();
      }
      await compare();
      await store.close();
      const { lance, connection, generation, target } = await inside(url);
      await maintain(connection, target, generation, { vectorIndexAbove: undefined });
      const segments = textsOf(await target.tables.document.query().select(["segment"]).toArrow(), "segment");
      expect(new Set(segments).size).toBeLessThan(8);
      expect(lance).toBeDefined();
      store = await lancedbStore({ url }).open(SCHEMA, WRITE);
      await compare();
      await store.close();
    }),
    { numRuns: 12 },
  );
}, 120_000);

/** A generator of numbers from 0 to 1 that gives the same each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each([
  ["exact", 1],
  ["ivf_rq", 0.95],
] as const)("of 2,000 vectors, %s, the first ten are those of the memory store", async (vectorIndex, least) => {
  const schema: IndexSchema = { ...SCHEMA, embedding: { id: "test@1", dimensions: 32 } };
  const random = numbers(7);
  const vector = (): number[] => Array.from({ length: 32 }, () => random() - 0.5);
  const changes = Array.from({ length: 200 }, (_, d) =>
    page(
      `d${d}`,
      Array.from({ length: 10 }, () => ({ vector: vector() })),
      { collection: `c${d % 20}` },
    ),
  );
  const place = { url: newFolder(), vectorIndex, exactLimit: 90 } as const;
  const writer = await lancedbStore(place).open(schema, WRITE);
  const oracle = await memoryStore().open(schema, WRITE);
  for (const store of [writer, oracle]) await store.write(changes);
  // The index is made when the writer ends.
  await writer.close();
  const store = await lancedbStore(place).open(schema, WRITE);
  // Of these the index knows nothing.
  const later = [removal("d3"), page("d4", [{ vector: vector() }], { collection: "c3" })];
  for (const each of [store, oracle]) await each.write(later);
  const filters: (Filter | undefined)[] = [
    undefined,
    { op: "in", field: "collection", values: ["c3"] },
    { op: "prefix", field: "collection", value: "c1" },
  ];
  let found = 0;
  for (let n = 0; n < 30; n++) {
    const condition = filters[n % filters.length];
    const search = { vector: Float32Array.from(vector()), limit: 10, ...(condition && { filter: condition }) };
    const expected = new Set((await oracle.searchVector(search)).map(({ chunkId }) => chunkId));
    const hits = await store.searchVector(search);
    expect(hits).toHaveLength(10);
    found += hits.filter(({ chunkId }) => expected.has(chunkId)).length;
  }
  expect(found / 300).toBeGreaterThanOrEqual(least);
  expect(await store.check()).toEqual({ faults: [] });
  const { target } = await inside(place.url);
  const columns = (await target.vectors[0]!.table.listIndices()).flatMap((index) => index.columns);
  expect(columns.includes("vector")).toBe(vectorIndex === "ivf_rq");
  await store.close();
});

const anyText = fc.oneof(
  fc.constantFrom(
    "n",
    "nb",
    "\n",
    "\u001d",
    "\u001e",
    "\u001f",
    "1",
    "true",
    "'",
    '"',
    "\\",
    "[a-z]*",
    "(",
    "%",
    "s",
    "",
  ),
  fc.string({ unit: fc.constantFrom("\n", "n", "\u001d", "\u001e", "\u001f", "s", "1", "'", ".") }),
);
const anyValue = fc.oneof(
  anyText,
  fc.boolean(),
  fc.constantFrom(0, 1, -1.5, 1e300, 5e-324, 0.1 + 0.2, Number.MAX_SAFE_INTEGER),
);
const metadata = fc.dictionary(anyText, anyValue, { maxKeys: 4, noNullPrototype: true });
const anyField = fc.oneof(
  fc.constantFrom("id", "collection", "path", "mediaType", "title", "metadata"),
  anyText.map((key) => `metadata.${key}`),
);
const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ op: fc.constant("in" as const), field: anyField, values: fc.array(anyValue, { maxLength: 3 }) }),
  fc.record({ op: fc.constantFrom("prefix" as const, "contains" as const), field: anyField, value: anyText }),
  fc.record(
    {
      op: fc.constant("range" as const),
      field: anyField,
      min: fc.constantFrom(0, 1, -2, Number.NEGATIVE_INFINITY, 1e300),
      max: fc.constantFrom(0, 1, 0.3, Number.POSITIVE_INFINITY, Number.NaN),
    },
    { requiredKeys: ["op", "field"] },
  ),
);
const anyFilter: fc.Arbitrary<Filter> = fc.letrec<{ tree: Filter }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    leaf,
    fc.record({ op: fc.constant("not" as const), clause: tie("tree") }),
    fc.record({ op: fc.constantFrom("and" as const, "or" as const), clauses: fc.array(tie("tree"), { maxLength: 4 }) }),
  ),
})).tree;

test("a filter passes the documents that it passes in the memory store, whatever stands in metadata", async () => {
  const documents = fc.array(fc.record({ metadata, path: anyText }), { minLength: 3, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(documents, fc.array(anyFilter, { minLength: 20, maxLength: 30 }), async (records, list) => {
      const store = await lancedbStore({ url: newFolder() }).open(SCHEMA, WRITE);
      const oracle = await memoryStore().open(SCHEMA, WRITE);
      const changes = records.map((record, i) => page(`d${i}`, [{ words: "x" }], record));
      for (const each of [store, oracle]) await each.write(changes);
      for (const each of list) {
        const listed = { limit: 100, filter: each };
        expect(await store.listDocuments(listed)).toEqual(await oracle.listDocuments(listed));
      }
      await store.close();
    }),
    { numRuns: 25 },
  );
}, 60_000);

test("clauses nested deeper than LanceDB takes are refused, and the process goes on", async () => {
  const store = await lancedbStore({ url: newFolder() }).open(SCHEMA, WRITE);
  await store.write([page("a", [{ words: "x" }])]);
  const here: Filter = { op: "in", field: "id", values: ["a"] };
  const nested = (levels: number): Filter =>
    Array.from({ length: levels }).reduce<Filter>(
      (inner, _, i) => ({ op: i % 2 === 0 ? "and" : "or", clauses: [inner, here] }),
      here,
    );
  expect(await store.listDocuments({ limit: 10, filter: nested(38) })).toHaveLength(1);
  await expect(store.listDocuments({ limit: 10, filter: nested(5000) })).rejects.toMatchObject({
    code: "UNSUPPORTED",
    details: { operation: "filter" },
  });
  expect(await store.stats()).toEqual({ documents: 1, chunks: 1, vectors: 0 });
  await store.close();
});
