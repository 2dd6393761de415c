import { embedderConformance, rerankerConformance } from "@docsearch/conformance";
import { describe, test } from "vitest";
import { transformersEmbedder } from "../src/index.js";
import { transformersReranker } from "../src/reranker.js";
import { realModels } from "./real-models.js";

const models = realModels();

// Each test has a process of its own and waits for it most of the time, so several go on at once.

/** In 32 bits texts go in batches, in 8 bits one by one. */
describe.each(["fp32", "q8"])("embedder in %s", (dtype) => {
  embedderConformance({
    test: test.concurrent,
    load: () => transformersEmbedder({ model: models.bert, dtype }).load(),
    longText: "boats keep right ".repeat(400),
  });
});

describe("reranker", () => {
  rerankerConformance({ test: test.concurrent, load: () => transformersReranker({ model: models.overlap }).load() });
});
