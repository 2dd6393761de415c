import { memoryStore } from "@docsearch/core";
import type { Filter, IndexSchema } from "@docsearch/spec";
import type { PGlite } from "@electric-sql/pglite";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyChange, anyCollection, anyQuery } from "../../../tools/store-tests/arbitraries.js";
import { pgvectorStore } from "../src/index.js";
import { newSchema, page, RANKING, SCHEMA, startPglite, WRITE } from "./support.js";

let pglite: PGlite;
beforeAll(async () => {
  pglite = await startPglite();
}, 60_000);
afterAll(() => pglite.close());

const change = anyChange({ occurrences: 400, length: 70_000 });

test("scores and orders of text are those of the memory store to the last bit", async () => {
  const writes = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 6 });
  const searches = fc.array(fc.tuple(anyQuery, anyCollection, fc.constantFrom(1, 3, 1000)), {
    minLength: 5,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(writes, searches, async (batches, list) => {
      const store = await pgvectorStore({ pglite, schema: newSchema() }).open(SCHEMA, WRITE);
      const oracle = await memoryStore().open(SCHEMA, WRITE);
      for (const batch of batches) {
        expect(await store.write(batch)).toEqual(await oracle.write(batch));
        // A search between the writes fills what is remembered, which the next write makes void.
        for (const [tree, condition, limit] of list) {
          const search = { query: tree, ranking: RANKING, limit, ...(condition && { filter: condition }) };
          expect(await store.searchText(search)).toEqual(await oracle.searchText(search));
        }
      }
      expect(await store.check()).toEqual({ faults: [] });
      await store.close();
    }),
    { numRuns: 20 },
  );
});

/** A generator of numbers from 0 to 1 that gives the same each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each([
  ["vector", "exact", 1],
  ["halfvec", "exact", 0.99],
  ["vector", "hnsw", 0.95],
  ["halfvec", "hnsw", 0.95],
] as const)(
  "of 2,000 vectors as %s, %s, the first ten are those of the memory store",
  async (vectorType, vectorIndex, least) => {
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
    const place = { pglite, schema: newSchema(), vectorType, vectorIndex, exactLimit: 90 } as const;
    const writer = await pgvectorStore(place).open(schema, WRITE);
    const oracle = await memoryStore().open(schema, WRITE);
    for (const store of [writer, oracle]) await store.write(changes);
    // The index is made when the writer ends.
    await writer.close();
    const store = await pgvectorStore(place).open(schema, WRITE);
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
    const { rows } = await pglite.query(
      "SELECT 1 FROM pg_indexes WHERE schemaname = $1 AND indexname = 'vector_hnsw'",
      [place.schema],
    );
    expect(rows).toHaveLength(vectorIndex === "hnsw" ? 1 : 0);
    await store.close();
  },
);
