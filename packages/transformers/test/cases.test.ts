import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { transformersEmbedder } from "../src/index.js";
import { transformersReranker } from "../src/reranker.js";
import { callsIn, FAKE, setUp, temporaryFolder, writeModelFolder } from "./model-folder.js";

test("em-blank-texts: blank texts do not reach the model and have no vector", async () => {
  const { options, calls } = setUp();
  const embedder = await transformersEmbedder(options).load();
  const { vectors } = await embedder.embedDocuments(["a", "", " \n ", "b", "\u200b\u0000"]);
  expect(vectors.map((vector) => vector?.length)).toEqual([8, undefined, undefined, 8, undefined]);
  expect(await embedder.embedQuery("  ")).toEqual({ vectors: [undefined], truncated: [] });
  await embedder.close();
  // After the word by which tokens that close a text are found, twice, and the one that shows the vectors' length.
  expect(calls("tokenize").map(({ text }) => text)).toEqual(["a", "a", "docsearch", "a", "b"]);
});

test("em-too-long-text: it is cut to what the model takes and reported, and the others stay", async () => {
  const { options, calls } = setUp();
  const texts = ["Zm9vYmFy ".repeat(625), ...Array.from({ length: 31 }, (_, index) => `short text ${index + 1}`)];
  const embedder = await transformersEmbedder({
    ...options,
    dtype: "fp32",
    documentPrefix: "passage: ",
    maxTokens: 512,
  });
  const loaded = await embedder.load();
  const { vectors, truncated } = await loaded.embedDocuments(texts);
  await loaded.close();
  expect(vectors.every((vector) => vector !== undefined)).toBe(true);
  expect(truncated).toEqual([0]);
  expect(Math.max(...calls("run").map(({ width }) => width!))).toBe(512);
});

describe("em-query-and-document-roles", () => {
  test.each([
    ["nomic-embed-text-v1.5", 768, "search_query: tide", "search_document: tide"],
    ["multilingual-e5-small", 384, "query: tide", "passage: tide"],
    ["bge-small-en-v1.5", 384, "Represent this sentence for searching relevant passages: tide", "tide"],
    ["all-MiniLM-L6-v2", 384, "tide", "tide"],
    ["jina-code", 768, "tide", "tide"],
  ])("%s", async (model, dimensions, query, document) => {
    const cacheDirectory = temporaryFolder();
    const repositories: Record<string, string> = {
      "nomic-embed-text-v1.5": "nomic-ai/nomic-embed-text-v1.5",
      "jina-code": "jinaai/jina-embeddings-v2-base-code",
    };
    writeModelFolder(join(cacheDirectory, repositories[model] ?? `Xenova/${model}`), dimensions);
    const embedder = await transformersEmbedder({ module: FAKE, cacheDirectory, model }).load();
    await embedder.embedQuery("tide");
    await embedder.embedDocuments(["tide"]);
    await embedder.close();
    const texts = callsIn(cacheDirectory, "tokenize").map(({ text }) => text);
    expect(texts.slice(3)).toEqual([query, document]);
  });
});

describe("em-memory-and-limits", () => {
  const texts = ["tide ".repeat(15_000), ...Array.from({ length: 63 }, (_, index) => `short ${index + 1}`)];

  test("without a limit of the tokenizer no tensor is longer than 512 tokens", async () => {
    const { options, calls } = setUp();
    const embedder = await transformersEmbedder({ ...options, dtype: "fp32" }).load();
    expect((await embedder.embedDocuments(texts)).truncated).toEqual([0]);
    await embedder.close();
    expect(Math.max(...calls("run").map(({ width }) => width!))).toBe(512);
  });

  test("a limit of the tokenizer is kept", async () => {
    const { options, calls } = setUp("limited");
    const embedder = await transformersEmbedder({ ...options, dtype: "fp32" }).load();
    await embedder.embedDocuments(texts);
    await embedder.close();
    expect(Math.max(...calls("run").map(({ width }) => width!))).toBe(20);
  });

  test("a long text does not pad the others, and a batch is small", async () => {
    const { options, calls } = setUp();
    const embedder = await transformersEmbedder({ ...options, dtype: "fp32" }).load();
    await embedder.embedDocuments(texts);
    await embedder.close();
    // The word that shows the length; 63 texts of four tokens, eight at a time; the long one alone.
    const runs = calls("run").map(({ rows, width }) => [rows, width]);
    expect(runs).toEqual([[1, 3], ...new Array(7).fill([8, 4]), [7, 4], [1, 512]]);
  });

  test("a quantised model gets one text at a time on a CPU: in company its vector would be another", async () => {
    const { options, calls } = setUp();
    const embedder = await transformersEmbedder(options).load();
    await embedder.embedDocuments(["a", "b", "c"]);
    await embedder.close();
    expect(calls("run").map(({ rows }) => rows)).toEqual([1, 1, 1, 1]);
  });
});

test("em-rerank-robust: a long document is cut, a blank one is not scored and ranks last", async () => {
  const { options, calls } = setUp();
  const reranker = await transformersReranker(options).load();
  const documents = ["kelp ".repeat(5000), " ", ...Array.from({ length: 8 }, (_, index) => `note ${index}`)];
  const { ranking } = await reranker.rerank({ query: "kelp note", documents });
  expect(ranking.length).toBe(10);
  expect(ranking[9]).toEqual({ index: 1, score: 0 });
  expect(Math.max(...calls("run").map(({ width }) => width!))).toBe(512);
  expect(calls("tokenize").some(({ pair }) => pair?.trim() === "")).toBe(false);
  await reranker.close();
});
