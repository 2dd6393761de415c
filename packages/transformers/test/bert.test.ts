import { describe, expect, it } from "vitest";
import { SMALL } from "../scripts/bert.mjs";
import { transformersEmbedder } from "../src/index.js";
import type { Pooling } from "../src/model-table.js";
import { transformersReranker } from "../src/reranker.js";
import { type BertOutput, bertForward } from "./bert-forward.js";
import { realModels } from "./real-models.js";

/** The runtime adds floats of 32 bits in another order. */
const DIGITS = 5;

const models = realModels();
const [CLS, SEP] = ["[CLS]", "[SEP]"].map((token) => SMALL.vocabulary.indexOf(token)) as [number, number];
const idsOf = (...tokens: string[]): number[] => [CLS, ...tokens.map((token) => SMALL.vocabulary.indexOf(token)), SEP];

/** Texts and what the tokenizer has to make of them; together in a batch the first is padded. */
const TEXTS: readonly (readonly [string, number[]])[] = [
  ["Change the PORT", idsOf("change", "the", "port")],
  ["Boats keep right: ports, ü", idsOf("boats", "keep", "right", ":", "port", "##s", ",", "u")],
];

const POOLINGS: Readonly<Record<Pooling, (output: BertOutput) => number[]>> = {
  mean: ({ tokens }) => tokens[0]!.map((_, i) => tokens.reduce((sum, row) => sum + row[i]!, 0)),
  cls: ({ tokens }) => tokens[0]!,
  last: ({ tokens }) => tokens.at(-1)!,
  sentence_embedding: ({ pooled }) => pooled,
};

function expectedVector(pooling: Pooling, ids: readonly number[]): number[] {
  const types = ids.map(() => 0);
  const vector = POOLINGS[pooling](bertForward(SMALL, ids, types));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function expectNear(actual: Float32Array | undefined, expected: readonly number[]): void {
  expect(actual?.length).toBe(expected.length);
  expected.forEach((value, i) => {
    expect(actual![i], `component ${i}`).toBeCloseTo(value, DIGITS);
  });
}

const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, i) => sum + value * b[i]!, 0);

describe.each(Object.keys(POOLINGS) as Pooling[])("pooling %s", (pooling) => {
  it.concurrent("gives what the formulas of BERT give, in a batch", async () => {
    const embedder = await transformersEmbedder({ model: models.bert, dtype: "fp32", pooling }).load();
    const { vectors, truncated } = await embedder.embedDocuments(TEXTS.map(([text]) => text));
    await embedder.close();
    TEXTS.forEach(([, ids], at) => {
      expectNear(vectors[at], expectedVector(pooling, ids));
    });
    expect(truncated).toEqual([]);
  });
});

it.concurrent("8 bits give nearly the same, from weights of their own, and are another embedder", async () => {
  const full = await transformersEmbedder({ model: models.bert, dtype: "fp32" }).load();
  const quantised = await transformersEmbedder({ model: models.bert }).load();
  expect(full.id).toMatch(/^transformers\/bert@[0-9a-f]{16}\/fp32\/mean\/32$/);
  expect(quantised.id).toMatch(/^transformers\/bert@[0-9a-f]{16}\/q8\/mean\/32$/);
  const { vectors } = await quantised.embedDocuments(TEXTS.map(([text]) => text));
  TEXTS.forEach(([, ids], at) => {
    const similarity = cosine(vectors[at]!, expectedVector("mean", ids));
    expect(similarity).toBeGreaterThan(0.99);
    expect(similarity).toBeLessThan(0.99999);
  });
  await full.close();
  await quantised.close();
});

it.concurrent("a text that is too long has the vector of its beginning, closed as the model wants, and is reported", async () => {
  const embedder = await transformersEmbedder({
    model: models.bert,
    dtype: "fp32",
    pooling: "last",
    maxTokens: 6,
  }).load();
  const { vectors, truncated } = await embedder.embedDocuments([
    "keep right",
    "boats ".repeat(5000),
    "the port of the",
    "the port of the server",
  ]);
  await embedder.close();
  expect(truncated).toEqual([1, 3]);
  expectNear(vectors[0], expectedVector("last", idsOf("keep", "right")));
  expectNear(vectors[1], expectedVector("last", idsOf("boats", "boats", "boats", "boats")));
  expectNear(vectors[2], expectedVector("last", idsOf("the", "port", "of", "the")));
  expectNear(vectors[3], expectedVector("last", idsOf("the", "port", "of", "the")));
});

it.concurrent("batches of like length give each text, in order, what it has alone", async () => {
  const words = ["boats", "keep", "right", "port", "server"];
  const texts = Array.from({ length: 40 }, (_, i) =>
    Array.from({ length: 1 + ((i * 37) % 90) }, (_unused, at) => words[(i + at * (i % 4)) % 5]).join(" "),
  );
  const embedder = await transformersEmbedder({ model: models.bert, dtype: "fp32" }).load();
  const { vectors } = await embedder.embedDocuments(texts);
  for (const [at, text] of texts.entries()) {
    const { vectors: alone } = await embedder.embedDocuments([text]);
    expectNear(vectors[at], [...alone[0]!]);
  }
  await embedder.close();
});

it.concurrent("a cross-encoder sees which token is of the query and which of the document", async () => {
  const reranker = await transformersReranker({ model: models.crossBert, dtype: "fp32" }).load();
  const documents = ["keep right", "the port of the server"];
  const { ranking } = await reranker.rerank({ query: "change the port", documents });
  await reranker.close();
  const query = idsOf("change", "the", "port");
  const expected = [idsOf("keep", "right"), idsOf("the", "port", "of", "the", "server")].map((document) => {
    const types = [...query.map(() => 0), ...document.slice(1).map(() => 1)];
    return 1 / (1 + Math.exp(-bertForward(SMALL, [...query, ...document.slice(1)], types).logit));
  });
  expect(ranking.map(({ index }) => index)).toEqual(expected[0]! > expected[1]! ? [0, 1] : [1, 0]);
  for (const { index, score } of ranking) expect(score).toBeCloseTo(expected[index]!, DIGITS);
});
