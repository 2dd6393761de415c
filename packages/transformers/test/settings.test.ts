import { join } from "node:path";
import { expect, it } from "vitest";
import { provider as embedder } from "../src/index.js";
import { defaultThreads } from "../src/local-model.js";
import { EMBEDDING_MODELS, findModel, RERANKING_MODELS } from "../src/model-table.js";
import { provider as reranker } from "../src/reranker.js";

it.each([
  ["bge-small-en-v1.5", "Xenova/bge-small-en-v1.5"],
  ["baai/BGE-large-en-v1.5", "Xenova/bge-large-en-v1.5"],
  ["nomic-embed-text", "nomic-ai/nomic-embed-text-v1.5"],
  ["embeddinggemma", "onnx-community/embeddinggemma-300m-ONNX"],
  ["other/bge-small-en-v1.5", undefined],
])("%s is %s", (name, repository) => {
  expect(findModel(EMBEDDING_MODELS, name)?.repository).toBe(repository);
});

it("no two models have a name in common", () => {
  for (const models of [EMBEDDING_MODELS, RERANKING_MODELS]) {
    const names = models.flatMap(({ repository, aliases }) => [repository, ...aliases]).map((n) => n.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
  }
});

it.each([
  [1, 1],
  [2, 2],
  [4, 2],
  [8, 4],
  [64, 8],
])("%d logical processors make %d threads", (processors, threads) => {
  expect(defaultThreads(processors)).toBe(threads);
});

it.each([
  [{ DOCS_MODEL_THREADS: "0" }, 'DOCS_MODEL_THREADS is "0"; expected a whole number of at least 1'],
  [{ DOCS_EMBEDDER_MAX_TOKENS: "x" }, 'DOCS_EMBEDDER_MAX_TOKENS is "x"; expected a whole number of at least 1'],
  [
    { DOCS_EMBEDDER_POOLING: "max" },
    'DOCS_EMBEDDER_POOLING is "max"; expected one of mean, cls, last, sentence_embedding',
  ],
  [{ DOCS_MODEL_DOWNLOAD: "off" }, 'DOCS_MODEL_DOWNLOAD is "off"; expected one of yes, no'],
  [{ HF_ENDPOINT: "huggingface.co" }, 'HF_ENDPOINT is "huggingface.co"; expected a URL such as https://huggingface.co'],
])("%j is refused", (env, message) => {
  expect(() => embedder.fromEnv(env)).toThrow(message);
});

it("both providers are inert", () => {
  const env = {
    XDG_CACHE_HOME: join("/", "nowhere"),
    DOCS_EMBEDDER_MODEL: "./nothing",
    DOCS_RERANKER_MODEL: "./nothing",
  };
  expect(embedder.fromEnv(env).name).toBe("transformers");
  expect(reranker.fromEnv(env).name).toBe("transformers");
});
