import assert from "node:assert/strict";
import type { VectorStore } from "@docsearch/spec";
import { assertNear, compareCodeUnits, rejectsWith } from "../assertions.js";
import { page, SCHEMA, vectorIds } from "../builders.js";
import { createRandom, type Random } from "../random.js";
import { hasVectors, type StoreCase } from "../store-case.js";

async function assertVectorHits(
  store: VectorStore,
  vector: readonly number[],
  expected: readonly (readonly [chunkId: string, score: number])[],
): Promise<void> {
  const hits = await store.searchVector({ vector: Float32Array.from(vector), limit: 10 });
  assert.deepEqual(
    hits.map((hit) => hit.chunkId),
    expected.map(([chunkId]) => chunkId),
  );
  expected.forEach(([chunkId, score], i) => {
    assertNear(hits[i]!.score, score, store.capabilities.vectorTolerance, chunkId);
  });
}

const RANDOM_DIMENSIONS = 32;

function randomVector(random: Random): number[] {
  return Array.from({ length: RANDOM_DIMENSIONS }, () => Math.fround(random.next() * 2 - 1));
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

export const VECTOR_CASES: readonly StoreCase[] = [
  {
    name: "vector: the score is cosine similarity, best first",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(
        page("d", [
          { vector: [-1, 0, 0, 0] },
          { vector: [1, 1, 0, 0] },
          { vector: [2, 0, 0, 0] },
          { vector: [0, 0, 3, 0] },
        ]),
        page("e", [{ vector: [-3, 4, 0, 0] }]),
      );
      await assertVectorHits(
        store,
        [5, 0, 0, 0],
        [
          ["d#2", 1],
          ["d#1", Math.SQRT1_2],
          ["d#3", 0],
          ["e#0", -0.6],
          ["d#0", -1],
        ],
      );
    },
  },
  {
    name: "vector: a hit names its document",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(page("d", [{}, { vector: [1, 0, 0, 0], chunk: { id: "x" } }]));
      const hits = await store.searchVector({ vector: Float32Array.of(1, 0, 0, 0), limit: 1 });
      assert.deepEqual(
        hits.map(({ chunkId, documentId }) => [chunkId, documentId]),
        [["x", "d"]],
      );
    },
  },
  {
    name: "vector: a vector's length is of no matter, however small or large",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(
        page("large", [{ vector: [3e38, 3e38, 3e38, 3e38] }]),
        page("small", [{ vector: [1e-30, 2e-30, 0, 0] }]),
        page("unit", [{ vector: [0, 0, 0, 1] }]),
      );
      const small = 1 / Math.sqrt(5);
      await assertVectorHits(
        store,
        [1e-30, 0, 0, 0],
        [
          ["large#0", 0.5],
          ["small#0", small],
          ["unit#0", 0],
        ],
      );
      await assertVectorHits(
        store,
        [0, 0, 0, 3e38],
        [
          ["unit#0", 1],
          ["large#0", 0.5],
          ["small#0", 0],
        ],
      );
    },
  },
  {
    name: "vector: a chunk without a vector is never a hit",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }, { words: "alpha", vector: [-1, 0, 0, 0] }]));
      assert.deepEqual(await vectorIds(store, [1, 0, 0, 0]), ["d#1"]);
    },
  },
  {
    name: "vector: equal scores are ordered by chunk id in code unit order",
    applies: hasVectors,
    body: async ({ store, write }) => {
      const ids = ["b", "a10", "a2", "B", "\uff21", "\u{1f600}", "a"];
      for (const id of ids) await write(page(id, [{ vector: [1, 0, 0, 0] }]));
      const expected = ["B#0", "a#0", "a10#0", "a2#0", "b#0", "\u{1f600}#0", "\uff21#0"];
      assert.deepEqual(await vectorIds(store, [1, 0, 0, 0]), expected);
      assert.deepEqual(await vectorIds(store, [1, 0, 0, 0], { limit: 2 }), expected.slice(0, 2));
      await write(page("b", [{ vector: [2, 0, 0, 0] }]), page("B", [{ vector: [1, 0, 0, 0] }]));
      assert.deepEqual(await vectorIds(store, [0, 1, 0, 0]), expected);
    },
  },
  {
    name: "vector: limits of 0, 1, all and more",
    applies: hasVectors,
    body: async ({ store, write }) => {
      const vector = [1, 0, 0, 0];
      await write(page("d", [{ vector }, { vector }, { vector }]));
      assert.deepEqual(await vectorIds(store, vector, { limit: 0 }), []);
      assert.deepEqual(await vectorIds(store, vector, { limit: 1 }), ["d#0"]);
      assert.deepEqual(await vectorIds(store, vector, { limit: 3 }), ["d#0", "d#1", "d#2"]);
      assert.deepEqual(await vectorIds(store, vector, { limit: 100_000 }), ["d#0", "d#1", "d#2"]);
    },
  },
  {
    name: "vector: an invalid query rejects with VECTOR_INVALID, on an empty index too",
    applies: hasVectors,
    body: async ({ store, write }) => {
      const search = (vector: readonly number[]): Promise<unknown> =>
        store.searchVector({ vector: Float32Array.from(vector), limit: 3 });
      const refuses = async (): Promise<void> => {
        await rejectsWith(search([1, 0, 0]), "VECTOR_INVALID", { reason: "dimensions", expected: 4, actual: 3 });
        await rejectsWith(search([]), "VECTOR_INVALID", { reason: "dimensions", expected: 4, actual: 0 });
        await rejectsWith(search([0, 0, 0, 0]), "VECTOR_INVALID", { reason: "zero", expected: 4, actual: 4 });
        await rejectsWith(search([Number.NaN, 1, 0, 0]), "VECTOR_INVALID", {
          reason: "not-finite",
          expected: 4,
          actual: 4,
        });
        await rejectsWith(search([1, Number.NEGATIVE_INFINITY, 0, 0]), "VECTOR_INVALID", {
          reason: "not-finite",
          expected: 4,
          actual: 4,
        });
      };
      await refuses();
      await write(page("d", [{ vector: [1, 0, 0, 0] }]));
      await refuses();
    },
  },
  {
    name: "vector: the query is left as it is",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(page("d", [{ vector: [1, 0, 0, 0] }]));
      const vector = Float32Array.of(3, 4, 0, 0);
      await store.searchVector({ vector, limit: 1 });
      assert.deepEqual([...vector], [3, 4, 0, 0]);
    },
  },
  {
    name: "vector: an index without embedding rejects with UNSUPPORTED",
    schema: { ...SCHEMA, embedding: null },
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }]));
      await rejectsWith(store.searchVector({ vector: Float32Array.of(1, 0, 0, 0), limit: 1 }), "UNSUPPORTED");
      assert.deepEqual(await store.stats(), { documents: 1, chunks: 1, vectors: 0 });
    },
  },
  {
    name: "vector: an exact store agrees with brute force on 1,000 random vectors",
    schema: { ...SCHEMA, embedding: { id: "conformance@1", dimensions: RANDOM_DIMENSIONS } },
    applies: ({ vector }) => vector === "exact",
    body: async ({ store, write }) => {
      const { vectors, random } = await writeRandomVectors(write);
      const tolerance = store.capabilities.vectorTolerance;
      for (let n = 0; n < 20; n++) {
        const query = randomVector(random);
        const truth = bruteForce(vectors, query);
        const scoreOf = new Map(truth);
        const hits = await store.searchVector({ vector: Float32Array.from(query), limit: 50 });
        assert.equal(new Set(hits.map((hit) => hit.chunkId)).size, 50);
        hits.forEach(({ chunkId, score }, rank) => {
          const expected = scoreOf.get(chunkId);
          assert.ok(expected !== undefined, `unknown chunk ${chunkId}`);
          assertNear(score, expected, tolerance, `query ${n}, chunk ${chunkId}`);
          // The best 50 by inexact scores: the one at a rank is off by at most the tolerance there too.
          assertNear(score, truth[rank]![1], tolerance, `query ${n}, rank ${rank + 1}`);
        });
      }
    },
  },
  {
    name: "vector: an approximate store finds at least 95 % of the nearest 10 of 1,000 random vectors",
    schema: { ...SCHEMA, embedding: { id: "conformance@1", dimensions: RANDOM_DIMENSIONS } },
    applies: ({ vector }) => vector === "approximate",
    body: async ({ store, write }) => {
      const { vectors, random } = await writeRandomVectors(write);
      let found = 0;
      for (let n = 0; n < 20; n++) {
        const query = randomVector(random);
        const truth = bruteForce(vectors, query);
        const scoreOf = new Map(truth);
        const nearest = new Set(truth.slice(0, 10).map(([chunkId]) => chunkId));
        for (const { chunkId, score } of await store.searchVector({ vector: Float32Array.from(query), limit: 10 })) {
          if (nearest.has(chunkId)) found++;
          const expected = scoreOf.get(chunkId) ?? Number.NaN;
          assertNear(score, expected, store.capabilities.vectorTolerance, chunkId);
        }
      }
      assert.ok(found >= 190, `recall ${found / 200}`);
    },
  },
];

/** 100 documents of ten chunks each, always the same. */
async function writeRandomVectors(
  write: (...changes: ReturnType<typeof page>[]) => Promise<unknown>,
): Promise<{ readonly vectors: ReadonlyMap<string, readonly number[]>; readonly random: Random }> {
  const random = createRandom(1);
  const vectors = new Map<string, readonly number[]>();
  const changes = Array.from({ length: 100 }, (_, d) =>
    page(
      `d${d}`,
      Array.from({ length: 10 }, (_, ordinal) => {
        const vector = randomVector(random);
        vectors.set(`d${d}#${ordinal}`, vector);
        return { vector };
      }),
    ),
  );
  await write(...changes);
  return { vectors, random };
}

function bruteForce(
  vectors: ReadonlyMap<string, readonly number[]>,
  query: readonly number[],
): (readonly [chunkId: string, score: number])[] {
  return [...vectors]
    .map(([chunkId, vector]) => [chunkId, cosine(query, vector)] as const)
    .sort((a, b) => b[1] - a[1] || compareCodeUnits(a[0], b[0]));
}
