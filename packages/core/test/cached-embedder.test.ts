import type { EmbedderFactory, EmbeddingCacheFactory } from "@docsearch/spec";
import { expect, test } from "vitest";
import { cachedEmbedder, createDocsearch, memoryStore } from "../src/index.js";
import { paragraphs, textDocument, topicEmbedder } from "./support.js";

/** Gives `[length, 1]`; nothing for an empty text; cuts texts longer than 5. */
function countingEmbedder(id: string, asked: string[][]): EmbedderFactory {
  const vectorOf = (text: string) => (text === "" ? undefined : Float32Array.of(text.length, 1));
  return {
    specVersion: 1,
    name: "counting",
    load: async () => ({
      specVersion: 1,
      id,
      dimensions: 2,
      maxBatchSize: 8,
      maxParallelCalls: 3,
      async embedDocuments(texts) {
        asked.push([...texts]);
        return {
          vectors: texts.map(vectorOf),
          truncated: texts.flatMap((text, index) => (text.length > 5 ? [index] : [])),
        };
      },
      embedQuery: async (text) => ({ vectors: [vectorOf(`query ${text}`)], truncated: [] }),
      close: async () => {},
    }),
  };
}

function memoryCache(kept: Map<string, Float32Array>, closed: string[] = []): EmbeddingCacheFactory {
  return {
    specVersion: 1,
    name: "memory",
    load: async () => ({
      specVersion: 1,
      get: async (keys) => keys.map((key) => kept.get(key)),
      put: async (entries) => {
        for (const { key, vector } of entries) kept.set(key, vector);
      },
      close: async () => void closed.push("cache"),
    }),
  };
}

test("what is in the cache is not embedded, and every vector comes back in its place", async () => {
  const asked: string[][] = [];
  const kept = new Map<string, Float32Array>();
  const embedder = await cachedEmbedder(countingEmbedder("m", asked), memoryCache(kept)).load();
  expect([embedder.id, embedder.dimensions, embedder.maxBatchSize, embedder.maxParallelCalls]).toEqual(["m", 2, 8, 3]);

  const first = await embedder.embedDocuments(["a", "bb"]);
  expect(first).toEqual({ vectors: [Float32Array.of(1, 1), Float32Array.of(2, 1)], truncated: [] });
  const second = await embedder.embedDocuments(["ccc", "bb", "dddd", "a"]);
  expect(second.vectors.map((vector) => vector?.[0])).toEqual([3, 2, 4, 1]);
  const third = await embedder.embedDocuments(["a", "ccc"]);
  expect(third.vectors.map((vector) => vector?.[0])).toEqual([1, 3]);
  expect(asked).toEqual([
    ["a", "bb"],
    ["ccc", "dddd"],
  ]);
});

test("a text that was cut or has no vector is asked for again, and said to be cut again", async () => {
  const asked: string[][] = [];
  const kept = new Map<string, Float32Array>();
  const embedder = await cachedEmbedder(countingEmbedder("m", asked), memoryCache(kept)).load();
  await embedder.embedDocuments(["short"]);
  for (let run = 0; run < 2; run++) {
    expect(await embedder.embedDocuments(["short", "", "much too long"])).toEqual({
      vectors: [Float32Array.of(5, 1), undefined, Float32Array.of(13, 1)],
      truncated: [2],
    });
  }
  expect(asked).toEqual([["short"], ["", "much too long"], ["", "much too long"]]);
  expect(kept.size).toBe(1);
});

test("a vector that cannot be compared is not kept, and one that is in the cache is made anew", async () => {
  const asked: string[][] = [];
  const kept = new Map<string, Float32Array>();
  const sound = countingEmbedder("m", asked);
  const broken: EmbedderFactory = {
    ...sound,
    load: async () => ({
      ...(await sound.load()),
      embedDocuments: async (texts) => ({ vectors: texts.map(() => Float32Array.of(Number.NaN, 1)), truncated: [] }),
    }),
  };
  await (await cachedEmbedder(broken, memoryCache(kept)).load()).embedDocuments(["a"]);
  expect(kept.size).toBe(0);
  const embedder = await cachedEmbedder(sound, memoryCache(kept)).load();
  await embedder.embedDocuments(["a"]);
  for (const key of kept.keys()) kept.set(key, Float32Array.of(1));
  expect((await embedder.embedDocuments(["a"])).vectors).toEqual([Float32Array.of(1, 1)]);
  expect(asked).toEqual([["a"], ["a"]]);
});

test("an answer with a vector too few is an error, and nothing of it is kept", async () => {
  const kept = new Map<string, Float32Array>();
  const sound = countingEmbedder("m", []);
  const short: EmbedderFactory = {
    ...sound,
    load: async () => ({
      ...(await sound.load()),
      embedDocuments: async () => ({ vectors: [Float32Array.of(1, 1)], truncated: [] }),
    }),
  };
  const embedder = await cachedEmbedder(short, memoryCache(kept)).load();
  await expect(embedder.embedDocuments(["a", "b"])).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
  expect(kept.size).toBe(0);
});

test("one cache serves several models and mixes none", async () => {
  const asked: string[][] = [];
  const kept = new Map<string, Float32Array>();
  const one = await cachedEmbedder(countingEmbedder("one", asked), memoryCache(kept)).load();
  const two = await cachedEmbedder(countingEmbedder("two", asked), memoryCache(kept)).load();
  await one.embedDocuments(["a"]);
  await two.embedDocuments(["a"]);
  await two.embedDocuments(["a"]);
  expect(asked).toEqual([["a"], ["a"]]);
  expect(kept.size).toBe(2);
});

test("queries pass by the cache, and a model that does not load leaves no cache open", async () => {
  const closed: string[] = [];
  const kept = new Map<string, Float32Array>();
  const embedder = await cachedEmbedder(countingEmbedder("m", []), memoryCache(kept, closed)).load();
  expect((await embedder.embedQuery("a")).vectors).toEqual([Float32Array.of(7, 1)]);
  expect(kept.size).toBe(0);
  await embedder.close();
  expect(closed).toEqual(["cache"]);

  const broken: EmbedderFactory = { specVersion: 1, name: "broken", load: () => Promise.reject(new Error("no model")) };
  await expect(cachedEmbedder(broken, memoryCache(kept, closed)).load()).rejects.toThrow("no model");
  expect(closed).toEqual(["cache", "cache"]);
});

test("a document that moves to another path and collection, or comes back, is not embedded again", async () => {
  const { factory, embedder } = topicEmbedder();
  const cache = memoryCache(new Map());
  const options = { store: memoryStore(), embedder: cachedEmbedder(factory, cache), chunkers: [paragraphs] };
  const docsearch = await createDocsearch(options);
  const prune = { collections: ["test", "other"], emptied: "delete" } as const;
  await docsearch.index({ documents: [textDocument("a", "cats\ndogs"), textDocument("b", "fish")], prune });
  expect(embedder.embedded).toEqual(["cats", "dogs", "fish"]);
  const moved = textDocument("deep/a", "cats\ndogs", { collection: "other" });
  const report = await docsearch.index({ documents: [moved, textDocument("b", "fish")], prune });
  expect(report).toMatchObject({ replaced: 1, deleted: 1, embedded: 2 });
  await docsearch.index({ documents: [textDocument("a", "cats\ndogs")], prune });
  expect(embedder.embedded).toEqual(["cats", "dogs", "fish"]);
  expect((await docsearch.status()).stats).toEqual({ documents: 1, chunks: 2, vectors: 2 });
});
