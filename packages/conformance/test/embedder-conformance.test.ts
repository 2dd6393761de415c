import type { Embedder, EmbedResult } from "@docsearch/spec";
import { expect, test } from "vitest";
import { embedderConformance } from "../src/index.js";
import { redTests } from "./doubles/collect.js";
import { wordEmbedder } from "./doubles/word-embedder.js";

const LONG_TEXT = "harbour ".repeat(1500);

function run(override?: (right: Embedder) => Partial<Embedder>): Promise<string[]> {
  const load = async (): Promise<Embedder> => wordEmbedder(override);
  return redTests((collect) => embedderConformance({ test: collect, load, longText: LONG_TEXT }));
}

/** An override of both methods that changes their results. */
function results(change: (result: EmbedResult, texts: readonly string[]) => EmbedResult) {
  return (right: Embedder): Partial<Embedder> => ({
    embedDocuments: async (texts, options) => change(await right.embedDocuments(texts, options), texts),
    embedQuery: async (text, options) => change(await right.embedQuery(text, options), [text]),
  });
}

function vectors(change: (vector: Float32Array, text: string, index: number) => Float32Array | undefined) {
  return results((result, texts) => ({
    ...result,
    vectors: result.vectors.map((vector, i) => vector && change(vector, texts[i]!, i)),
  }));
}

test("every test is green for a right embedder", async () => {
  expect(await run()).toEqual([]);
});

test("without a long text the embedder has to take any length", async () => {
  const load = async (): Promise<Embedder> => wordEmbedder();
  const red = await redTests((collect) => embedderConformance({ test: collect, load }));
  expect(red).toEqual(["embedder: a text of 100,000 words is embedded whole"]);
});

let calls = 0;
const shared = new Float32Array(64);

test.each<[fault: string, override: (right: Embedder) => Partial<Embedder>, red: string]>([
  ["the id is empty", () => ({ id: "" }), "version, id, dimensions and limits are set"],
  ["no parallel call is allowed", () => ({ maxParallelCalls: 0 }), "version, id, dimensions and limits are set"],
  [
    "dimensions are wrong",
    () => ({ dimensions: 63 }),
    "vectors are as long as `dimensions`, finite and of unit length",
  ],
  [
    "vectors are not normalised",
    vectors((v) => v.map((x) => x * 2)),
    "vectors are as long as `dimensions`, finite and of unit length",
  ],
  [
    "a component is NaN",
    vectors((v) => v.map((x, i) => (i === 3 ? Number.NaN : x))),
    "vectors are as long as `dimensions`, finite and of unit length",
  ],
  [
    "vectors are arrays",
    results((r) => ({ ...r, vectors: r.vectors.map((v) => v && ([...v] as unknown as Float32Array)) })),
    "vectors are as long as `dimensions`, finite and of unit length",
  ],
  [
    "ordinary texts have no vector",
    vectors(() => undefined),
    "vectors are as long as `dimensions`, finite and of unit length",
  ],
  [
    "the vector depends on the call",
    vectors((v) => {
      const one = calls++ % 64;
      return v.map((_, i) => (i === one ? 1 : 0));
    }),
    "the same text has the same vector each time",
  ],
  [
    "one buffer serves all calls",
    vectors((v, _, i) => {
      if (i > 0) return v;
      shared.set(v);
      return shared;
    }),
    "a vector belongs to the caller and later calls leave it alone",
  ],
  [
    "padding changes the vectors of a batch",
    (right) => ({
      embedDocuments: async (texts, options) => {
        const result = await right.embedDocuments(texts, options);
        if (texts.length < 2) return result;
        return { ...result, vectors: result.vectors.map((v) => v && normalised(v.map((x, i) => x + i / 100))) };
      },
    }),
    "a batch gives what its texts give one by one, in order",
  ],
  [
    "a batch comes sorted by length",
    (right) => ({
      embedDocuments: async (texts, options) =>
        await right.embedDocuments(
          [...texts].sort((a, b) => a.length - b.length),
          options,
        ),
    }),
    "a batch gives what its texts give one by one, in order",
  ],
  [
    "the last text of a full batch is lost",
    (right) => ({
      embedDocuments: async (texts, options) => {
        const result = await right.embedDocuments(texts, options);
        return texts.length === 3 ? { ...result, vectors: [...result.vectors.slice(0, 2), result.vectors[0]] } : result;
      },
    }),
    "a full batch keeps its order",
  ],
  [
    "parallel calls share their state",
    (right) => {
      let current: readonly string[] = [];
      return {
        embedDocuments: async (texts, options) => {
          current = texts;
          await new Promise((resolve) => setTimeout(resolve, 1));
          return await right.embedDocuments(current, options);
        },
      };
    },
    "parallel calls give what they give one after the other",
  ],
  [
    "all texts have one vector",
    vectors((v) => v.map((_, i) => (i === 0 ? 1 : 0))),
    "texts of different meaning have different vectors",
  ],
  [
    "an empty batch throws",
    (right) => ({
      embedDocuments: async (texts, options) => {
        if (texts.length === 0) throw new Error("input must not be empty");
        return await right.embedDocuments(texts, options);
      },
    }),
    "an empty batch has an empty result",
  ],
  [
    "blank texts are left out",
    results((r) => ({ ...r, vectors: r.vectors.filter((v) => v !== undefined) })),
    "blank texts keep their place and leave their neighbours alone",
  ],
  [
    "blank texts have a zero vector",
    results((r) => ({ ...r, vectors: r.vectors.map((v) => v ?? new Float32Array(64)) })),
    "blank texts keep their place and leave their neighbours alone",
  ],
  [
    "blank texts take the vector of a neighbour",
    results((r) => ({ ...r, vectors: r.vectors.map((v, i) => v ?? r.vectors[i - 1]) })),
    "blank texts keep their place and leave their neighbours alone",
  ],
  [
    "a cut text is not reported",
    results((r) => ({ ...r, truncated: [] })),
    "a text that is too long is cut and reported",
  ],
  [
    "every text of the batch is reported",
    results((r, texts) => ({ ...r, truncated: r.truncated.length > 0 ? texts.map((_, i) => i) : [] })),
    "a text that is too long is cut and reported",
  ],
  [
    "the signal is ignored",
    (right) => ({ embedQuery: (text) => right.embedQuery(text) }),
    "an aborted signal rejects with AbortError, and the embedder goes on",
  ],
  [
    "close does nothing",
    () => ({ close: async () => {} }),
    "close is idempotent, and every later call rejects with CLOSED",
  ],
  ["each load has another id", () => ({ id: `words@${calls++}` }), "two loads agree"],
])("caught: %s", async (_, override, red) => {
  expect(await run(override)).toContain(`embedder: ${red}`);
});

function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return vector.map((x) => x / length);
}
