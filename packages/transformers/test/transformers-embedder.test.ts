import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SMALL, writeBert } from "../scripts/bert.mjs";
import { transformersEmbedder } from "../src/index.js";
import { transformersReranker } from "../src/reranker.js";
import { callsIn, FAKE, setUp, temporaryFolder, writeModelFolder } from "./model-folder.js";

describe("a known model", () => {
  it("says what it is and starts nothing", async () => {
    const cacheDirectory = temporaryFolder();
    const embedder = await transformersEmbedder({ module: FAKE, cacheDirectory }).load();
    expect({ ...embedder }).toEqual({
      specVersion: 1,
      id:
        "transformers/Xenova/bge-small-en-v1.5@main/q8/cls/384/" +
        'query="Represent this sentence for searching relevant passages: "/tokens=512',
      dimensions: 384,
      maxBatchSize: 32,
      maxParallelCalls: 1,
    });
    await embedder.close();
    expect(callsIn(cacheDirectory, "model")).toEqual([]);
  });

  it.each([
    [
      { model: "BAAI/bge-base-en-v1.5", queryPrefix: "" },
      "transformers/Xenova/bge-base-en-v1.5@main/q8/cls/768/tokens=512",
    ],
    [{ model: "gte-small", dtype: "fp32" }, "transformers/Xenova/gte-small@main/fp32/mean/384/tokens=512"],
    [{ model: "gte-small", revision: "v2" }, "transformers/Xenova/gte-small@v2/q8/mean/384/tokens=512"],
    [{ model: "gte-small", pooling: "cls" as const }, "transformers/Xenova/gte-small@main/q8/cls/384/tokens=512"],
    [{ model: "gte-small", maxTokens: 64 }, "transformers/Xenova/gte-small@main/q8/mean/384/tokens=64"],
    [
      { model: "gte-small", documentPrefix: "d: " },
      'transformers/Xenova/gte-small@main/q8/mean/384/document="d: "/tokens=512',
    ],
  ])("%j has the id %s", async (options, id) => {
    const embedder = await transformersEmbedder({ module: FAKE, cacheDirectory: temporaryFolder(), ...options }).load();
    expect(embedder.id).toBe(id);
    await embedder.close();
  });

  it("of another length than it should have is refused", async () => {
    const cacheDirectory = temporaryFolder();
    writeModelFolder(join(cacheDirectory, "Xenova/gte-small"), 12);
    const embedder = await transformersEmbedder({ module: FAKE, cacheDirectory, model: "gte-small" }).load();
    await expect(embedder.embedQuery("tide")).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: 'The embedding model "Xenova/gte-small": it gave a vector of 12 numbers where 384 were expected',
    });
    await embedder.close();
  });
});

describe("a folder", () => {
  it("with other weights is another model, under its own name too", async () => {
    const ids: string[] = [];
    for (const seed of [1, 2, 1]) {
      const folder = join(temporaryFolder(), "mine");
      writeBert(folder, "embedder", { ...SMALL, seed });
      const embedder = await transformersEmbedder({ model: folder }).load();
      expect(embedder.dimensions).toBe(32);
      ids.push(embedder.id);
      await embedder.close();
    }
    expect(ids[0]).toMatch(/^transformers\/mine@[0-9a-f]{16}\/q8\/mean\/32$/);
    expect(ids[0]).toBe(ids[2]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it("without a model is refused with what is missing", async () => {
    const folder = temporaryFolder();
    await expect(transformersEmbedder({ module: FAKE, model: folder }).load()).rejects.toMatchObject({
      code: "BACKEND_LOAD_FAILED",
      message:
        `the folder ${folder} is no model in q8: it has no config.json, tokenizer.json, tokenizer_config.json, ` +
        "onnx/model_quantized.onnx; expected the files of a repository with ONNX files, or choose the format it has by " +
        "DOCS_MODEL_DTYPE",
    });
  });
});

describe("the worker", () => {
  it("gets dtype, device and threads, and does not spin", async () => {
    const { options, calls } = setUp();
    const embedder = await transformersEmbedder({ ...options, dtype: "fp32", device: "cuda", threads: 3 }).load();
    await embedder.close();
    expect(calls("model")[0]?.options).toEqual({
      revision: "main",
      dtype: "fp32",
      device: "cuda",
      session_options: { intraOpNumThreads: 3, extra: { session: { intra_op: { allow_spinning: "0" } } } },
    });
  });

  it("that fails at a text goes on with the next", async () => {
    const { options, calls } = setUp("throws");
    const embedder = await transformersEmbedder(options).load();
    for (let i = 0; i < 2; i++) {
      await expect(embedder.embedDocuments(["tide"])).rejects.toMatchObject({
        code: "EMBEDDER_FAILED",
        message: expect.stringContaining("out of memory"),
        details: { retryable: false },
      });
    }
    expect(calls("model").length).toBe(1);
    await embedder.close();
  });

  it("closed in the middle of its work rejects with CLOSED", async () => {
    const { options } = setUp("hangs");
    const embedder = await transformersEmbedder(options).load();
    const call = embedder.embedDocuments(["tide"]);
    setTimeout(() => void embedder.close(), 50);
    await expect(call).rejects.toMatchObject({ code: "CLOSED" });
  });

  it("that is told to stop begins no further batch", async () => {
    const { options, calls } = setUp("busy");
    const embedder = await transformersEmbedder(options).load();
    const abort = new AbortController();
    const call = embedder.embedDocuments(
      Array.from({ length: 20 }, (_, index) => `tide ${index}`),
      { signal: abort.signal },
    );
    setTimeout(() => abort.abort(), 50);
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    const before = calls("run").length;
    // Were the job to go on, its batches would run between the queries. One may have been under way.
    for (let i = 0; i < 5; i++) await embedder.embedQuery("tide");
    expect(calls("run").length - before).toBeLessThanOrEqual(6);
    await embedder.close();
  });
});

it.each(["cls", "last", "mean"] as const)(
  "a model that is padded on the left has its %s at its place",
  async (pooling) => {
    const { options } = setUp("left");
    const embedder = await transformersEmbedder({ ...options, dtype: "fp32", pooling }).load();
    const texts = ["tide", "high tide", "low tide here"];
    const { vectors } = await embedder.embedDocuments(texts);
    for (const [at, text] of texts.entries()) {
      expect((await embedder.embedDocuments([text])).vectors).toEqual([vectors[at]]);
    }
    await embedder.close();
  },
);

describe("what cannot be used", () => {
  it("values that are not numbers: a text has no vector, and a query is an error", async () => {
    const { options } = setUp("nan");
    const embedder = await transformersEmbedder(options).load();
    expect(await embedder.embedDocuments(["tide"])).toEqual({ vectors: [undefined], truncated: [] });
    await expect(embedder.embedQuery("tide")).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: `The embedding model "${options.model}": it gave no usable vector for the query`,
      details: { retryable: false },
    });
    await embedder.close();
  });

  it("a model that has such values for a plain word", async () => {
    const { options } = setUp("always-nan");
    await expect(transformersEmbedder(options).load()).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message:
        `The embedding model "${options.model}": in q8 it gives no usable vector for a plain word; ` +
        "try another number format, DOCS_MODEL_DTYPE",
      details: { retryable: false },
    });
  });

  it("scores that are not numbers: such documents rank behind all others", async () => {
    const reranker = await transformersReranker(setUp("nan").options).load();
    const { ranking } = await reranker.rerank({ query: "tide", documents: ["tide", "low tide"] });
    expect(ranking).toEqual([
      { index: 0, score: 0 },
      { index: 1, score: 0 },
    ]);
    await reranker.close();
  });

  it("a model without the output that is needed", async () => {
    await expect(transformersEmbedder(setUp("other").options).load()).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringContaining('it has no output "last_hidden_state" (it has hidden)'),
    });
  });

  it("weights that are none", async () => {
    const model = join(temporaryFolder(), "mine");
    writeBert(model, "embedder");
    writeFileSync(join(model, "onnx/model_quantized.onnx"), "not weights");
    await expect(transformersEmbedder({ model }).load()).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringMatching(/it did not load: .*model_quantized\.onnx failed.*protobuf parsing failed/i),
      details: { model, retryable: false },
    });
  });

  it("transformers.js that is not installed", async () => {
    await expect(transformersEmbedder({ module: "@nobody/no-transformers" }).load()).rejects.toMatchObject({
      code: "BACKEND_NOT_INSTALLED",
      message:
        "@docsearch/transformers runs models with @nobody/no-transformers, which is not installed beside it; " +
        "run: npm install @nobody/no-transformers",
      details: { install: "npm install @nobody/no-transformers" },
    });
  });

  it("transformers.js that is gone when it is needed", async () => {
    const { options } = setUp();
    const module = new URL("./fixtures/not-there.mjs", import.meta.url).href;
    await expect(transformersEmbedder({ ...options, module }).load()).rejects.toMatchObject({
      code: "BACKEND_NOT_INSTALLED",
    });
  });

  it("transformers.js that does not load", async () => {
    const { options } = setUp();
    await expect(
      transformersEmbedder({ ...options, module: new URL("./fixtures/throws.mjs", import.meta.url).href }).load(),
    ).rejects.toMatchObject({
      code: "BACKEND_LOAD_FAILED",
      message: expect.stringContaining("is there but did not load: no such library: libonnx"),
    });
  });
});
