import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ModelProgress, transformersEmbedder } from "../src/index.js";
import { progressLines } from "../src/print-progress.js";
import { transformersReranker } from "../src/reranker.js";
import { callsIn, FAKE, temporaryFolder, writeModelFolder } from "./model-folder.js";

/** A server that takes connections and says nothing. */
async function listen(): Promise<string> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a model that is not here", () => {
  it("is downloaded, with what, how large, from where and to where", async () => {
    const cacheDirectory = temporaryFolder();
    const hub = await listen();
    const seen: ModelProgress[] = [];
    const onProgress = (progress: ModelProgress): unknown => seen.push(progress);
    const options = { module: FAKE, cacheDirectory, hub, model: "mine/some-model", onProgress };
    const embedder = await transformersEmbedder(options).load();
    await embedder.close();
    expect(seen[0]).toEqual({
      type: "download",
      model: "mine/some-model",
      from: `${hub}/`,
      to: join(cacheDirectory, "mine/some-model"),
    });
    expect(seen[1]).toEqual({ type: "file", file: "tokenizer.json", loadedBytes: 10, totalBytes: 10 });
    expect(seen.at(-1)).toMatchObject({ type: "ready", model: "mine/some-model" });
    expect(callsIn(cacheDirectory, "tokenizer")[0]?.env).toMatchObject({
      cacheDir: cacheDirectory,
      remoteHost: `${hub}/`,
      allowLocalModels: false,
      allowRemoteModels: true,
    });
  });

  it("fails at once where there is no connection, with three ways out", async () => {
    const cacheDirectory = temporaryFolder();
    const options = { module: FAKE, cacheDirectory, hub: "http://127.0.0.1:9" };
    const embedder = await transformersEmbedder(options).load();
    const folder = join(cacheDirectory, "Xenova/bge-small-en-v1.5");
    await expect(embedder.embedQuery("tide")).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message:
        `The embedding model "Xenova/bge-small-en-v1.5": it is not in ${cacheDirectory} and cannot be downloaded from ` +
        "http://127.0.0.1:9/: ECONNREFUSED. Three ways out: (1) allow a connection once (about 33 MB), the model stays; " +
        `(2) copy the folder of Xenova/bge-small-en-v1.5 from another machine to ${folder}, or set DOCS_EMBEDDER_MODEL ` +
        "to a folder of yours; (3) set DOCS_EMBEDDER_BACKEND=static for the model that ships with docsearch",
      details: { model: "Xenova/bge-small-en-v1.5", retryable: false },
    });
    expect(callsIn(cacheDirectory, "model")).toEqual([]);
    await embedder.close();
  });

  it("is not downloaded where that is not allowed", async () => {
    const options = { module: FAKE, cacheDirectory: temporaryFolder(), allowDownload: false, dtype: "fp32" };
    const reranker = await transformersReranker(options).load();
    await expect(reranker.rerank({ query: "tide", documents: ["a"] })).rejects.toMatchObject({
      code: "RERANKER_FAILED",
      message: expect.stringMatching(
        /downloads are off\. Three ways out: .*about 92 MB.*DOCS_RERANKER_MODEL.*DOCS_RERANKER_BACKEND=none/s,
      ),
    });
    await reranker.close();
  });

  it("fails after the time that a connection may take", async () => {
    // An address of a network that is kept for documentation: nothing answers.
    const options = { module: FAKE, cacheDirectory: temporaryFolder(), hub: "http://192.0.2.1", connectTimeoutMs: 50 };
    const embedder = await transformersEmbedder(options).load();
    await expect(embedder.embedQuery("tide")).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    await embedder.close();
  });
});

it("a model that is here is loaded without a word and without a connection", async () => {
  const cacheDirectory = temporaryFolder();
  writeModelFolder(join(cacheDirectory, "Xenova/gte-small"), 384);
  const lines: string[] = [];
  const onProgress = progressLines((line) => lines.push(line));
  const options = { module: FAKE, cacheDirectory, hub: "http://127.0.0.1:9", model: "gte-small", onProgress };
  const embedder = await transformersEmbedder(options).load();
  expect((await embedder.embedQuery("tide")).vectors[0]?.length).toBe(384);
  expect(lines).toEqual([]);
  await embedder.close();
});

it("lines for people: the start, each tenth of a large file, the end", () => {
  const lines: string[] = [];
  const print = progressLines((line) => lines.push(line));
  print({ type: "download", model: "a/b", from: "https://hub/", to: "/cache/a/b", bytes: 33e6 });
  print({ type: "file", file: "config.json", loadedBytes: 500, totalBytes: 500 });
  for (const loadedBytes of [0, 1e6, 1.5e6, 2e6, 9e6, 10e6]) {
    print({ type: "file", file: "onnx/model.onnx", loadedBytes, totalBytes: 10e6 });
  }
  print({ type: "ready", model: "a/b", milliseconds: 10 });
  expect(lines).toEqual([
    "downloading a/b, about 33 MB, from https://hub/ to /cache/a/b",
    "onnx/model.onnx: 1 of 10 MB",
    "onnx/model.onnx: 2 of 10 MB",
    "onnx/model.onnx: 9 of 10 MB",
    "onnx/model.onnx: 10 of 10 MB",
    "a/b is ready",
  ]);
});
