import { expect, test } from "vitest";
import type { SqliteStoreOptions } from "../src/index.js";
import { openStore, page, SCHEMA, temporaryPaths, WRITE } from "./support.js";

const newPath = temporaryPaths();

const DIMENSIONS = 96;
const schema = { ...SCHEMA, embedding: { id: "random", dimensions: DIMENSIONS } };

/** Pseudo-random numbers from 0 to 1, always the same. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomVector(random: () => number): number[] {
  return Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5);
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

test.each<[Omit<SqliteStoreOptions, "path">, number]>([
  [{ vectorIndex: "int8" }, 0.98],
  [{ vectorIndex: "vec0" }, 1],
  [{ vectorIndex: "signs" }, 0.9],
])("%o finds the nearest of 3,000 vectors, with and without a filter", async (options, recall) => {
  const store = await openStore(newPath(), WRITE, options, schema);
  const random = sequence(7);
  const vectors = Array.from({ length: 3000 }, () => randomVector(random));
  const changes = Array.from({ length: 300 }, (_, d) =>
    page(
      `d${d}`,
      vectors.slice(d * 10, d * 10 + 10).map((vector) => ({ vector })),
      { collection: `c${d % 30}` },
    ),
  );
  await store.write(changes);
  const filter = { op: "in", field: "collection", values: ["c3", "c7"] } as const;
  let found = 0;
  let wanted = 0;
  for (let n = 0; n < 20; n++) {
    const query = randomVector(random);
    for (const condition of [undefined, filter]) {
      const hits = await store.searchVector({
        vector: Float32Array.from(query),
        limit: 25,
        ...(condition && { filter: condition }),
      });
      const truth = vectors
        .map((vector, i) => ({
          id: `d${Math.floor(i / 10)}#${i % 10}`,
          document: Math.floor(i / 10),
          score: cosine(query, vector),
        }))
        .filter(({ document }) => condition === undefined || [3, 7].includes(document % 30))
        .sort((a, b) => b.score - a.score);
      const scoreOf = new Map(truth.map(({ id, score }) => [id, score]));
      const nearest = new Set(truth.slice(0, 25).map(({ id }) => id));
      wanted += nearest.size;
      expect(hits).toHaveLength(25);
      for (const { chunkId, score } of hits) {
        if (nearest.has(chunkId)) found++;
        expect(Math.abs(score - scoreOf.get(chunkId)!)).toBeLessThan(options.vectorIndex === "vec0" ? 1e-6 : 0.004);
      }
    }
  }
  expect(found / wanted).toBeGreaterThanOrEqual(recall);
  await store.close();
});

test.each(["int8", "vec0", "signs"] as const)(
  "%s orders 60 equal vectors by chunk id at every limit",
  async (vectorIndex) => {
    const store = await openStore(newPath(), WRITE, { vectorIndex });
    const ids = Array.from({ length: 60 }, (_, i) => `d${String((i * 37) % 60).padStart(2, "0")}`);
    await store.write(ids.map((id) => page(id, [{ vector: [1, 2, 0, 0] }, { vector: [0, 0, 1, 1] }])));
    const expected = [...ids].sort().map((id) => `${id}#0`);
    for (const limit of [1, 7, 59, 60]) {
      const hits = await store.searchVector({ vector: Float32Array.of(1, 2, 0, 0), limit });
      expect(hits.map(({ chunkId }) => chunkId)).toEqual(expected.slice(0, limit));
    }
    await store.close();
  },
);

test("vec0 answers beyond the 4,096 neighbours that sqlite-vec gives", async () => {
  const store = await openStore(newPath(), WRITE, { vectorIndex: "vec0" });
  const pieces = (d: number): { vector: number[] }[] =>
    Array.from({ length: 1000 }, (_, i) => ({
      vector: [Math.cos((d * 1000 + i) / 6000), Math.sin((d * 1000 + i) / 6000), 0, 0],
    }));
  await store.write(Array.from({ length: 5 }, (_, d) => page(`d${d}`, pieces(d))));
  const hits = await store.searchVector({ vector: Float32Array.of(1, 0, 0, 0), limit: 4500 });
  expect(new Set(hits.map(({ chunkId }) => chunkId)).size).toBe(4500);
  expect(hits.at(-1)?.chunkId).toBe("d4#499");
  await store.close();
});

test("memory that a numbering has left behind does not come back", async () => {
  const store = await openStore(newPath());
  const search = (): Promise<readonly { chunkId: string }[]> =>
    store.searchVector({ vector: Float32Array.of(1, 0, 0, 0), limit: 10 });
  await store.write([page("a", [{ vector: [1, 0, 0, 0] }])]);
  expect(await search()).toHaveLength(1);
  await store.clear();
  expect(await search()).toEqual([]);
  await store.write([page("b", [{}, { vector: [0, 1, 0, 0] }])]);
  expect((await search()).map(({ chunkId }) => chunkId)).toEqual(["b#1"]);
  await store.close();
});
