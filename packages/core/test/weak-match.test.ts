import { afterAll, beforeAll, expect, test } from "vitest";
import { createDocsearch, type Docsearch, isWeak, memoryStore, nearnessOf } from "../src/index.js";
import { paragraphs, textDocument, topicEmbedder } from "./support.js";

let docsearch: Docsearch;
beforeAll(async () => {
  const { factory } = topicEmbedder();
  docsearch = await createDocsearch({ store: memoryStore(), embedder: factory, chunkers: [paragraphs] });
  await docsearch.index({ documents: [textDocument("a", "cats sleep"), textDocument("b", "dogs bark")] });
});
afterAll(() => docsearch.close());

const codes = async (request: Parameters<Docsearch["search"]>[0]): Promise<string[]> =>
  (await docsearch.search(request)).warnings.map(({ code }) => code);

test("results that hold little of a query and are not near are said to be far", async () => {
  const query = "kernel scheduler latency histogram percentile bark";
  expect(await codes({ query, mode: "keyword" })).toEqual(["WEAK_MATCH"]);
  expect(await codes({ query: "bark", mode: "keyword" })).toEqual([]);
  expect(await codes({ query: "cats", mode: "semantic" })).toEqual([]);
});

test("ranks alone say nothing, and no result is no weak one", async () => {
  const query = "kernel scheduler latency histogram percentile bark";
  expect(await codes({ query, mode: "keyword", fusion: { method: "rrf" } })).toEqual([]);
  expect(await codes({ query: "kernel", mode: "keyword" })).toEqual([]);
});

test("a result is weak below both limits", () => {
  expect([isWeak({}), isWeak({ lexical: 0.19, cosine: 0.34 })]).toEqual([true, true]);
  expect([isWeak({ lexical: 0.2 }), isWeak({ cosine: 0.35 })]).toEqual([false, false]);
});

test("how near a result is comes from its breakdown", async () => {
  const [both] = (await docsearch.search({ query: "cats" })).results;
  expect(nearnessOf(both!)).toEqual({ lexical: expect.any(Number), cosine: expect.any(Number) });
  const [words] = (await docsearch.search({ query: "cats", mode: "keyword" })).results;
  expect(Object.keys(nearnessOf(words!))).toEqual(["lexical"]);
});

test("what is as far from the query as any text is no result", async () => {
  const { factory } = topicEmbedder();
  const few = await createDocsearch({ store: memoryStore(), embedder: factory, chunkers: [paragraphs] });
  await few.index({ documents: [textDocument("a", "cats sleep")] });
  const { results } = await few.search({ query: "kangaroo", fusion: { weights: { vector: 0.0001 } } });
  expect(results).toEqual([]);
  await few.close();
});
