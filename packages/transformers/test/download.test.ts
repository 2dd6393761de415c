import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ModelProgress, transformersEmbedder } from "../src/index.js";
import { progressLines } from "../src/print-progress.js";
import { transformersReranker } from "../src/reranker.js";
import { temporaryFolder } from "./model-folder.js";
import { realModels } from "./real-models.js";

const models = realModels();

/** A server with the addresses of the hub, which has the random BERT as `tiny/bert`. */
async function startHub() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const file = /^\/tiny\/bert\/resolve\/main\/(.+)$/.exec(request.url ?? "")?.[1];
    asked.push(file ?? `${request.url}`);
    const path = join(models.bert, file ?? "none");
    if (!existsSync(path)) return response.writeHead(404).end();
    const bytes = readFileSync(path);
    return response.writeHead(200, { "content-length": bytes.length }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

describe("a model that is not here", () => {
  it("is downloaded once, told of, and loads from then on without the hub", async () => {
    const cacheDirectory = temporaryFolder();
    const hub = await startHub();
    const seen: ModelProgress[] = [];
    const options = { cacheDirectory, hub: hub.url, model: "tiny/bert" };
    const first = await transformersEmbedder({ ...options, onProgress: (progress) => seen.push(progress) }).load();
    const { vectors } = await first.embedDocuments(["change the port"]);
    await first.close();
    const to = join(cacheDirectory, "tiny/bert");
    expect(first.id).toBe("transformers/tiny/bert@main/q8/mean/32");
    expect(seen[0]).toEqual({ type: "download", model: "tiny/bert", from: `${hub.url}/`, to });
    expect(seen).toContainEqual({
      type: "file",
      file: "onnx/model_quantized.onnx",
      loadedBytes: readFileSync(join(models.bert, "onnx/model_quantized.onnx")).length,
      totalBytes: readFileSync(join(models.bert, "onnx/model_quantized.onnx")).length,
    });
    expect(seen.at(-1)).toEqual({ type: "ready", model: "tiny/bert", milliseconds: expect.any(Number) });
    expect(hub.asked).not.toContain("onnx/model.onnx");

    hub.close();
    const lines: string[] = [];
    const onProgress = progressLines((line) => lines.push(line));
    const second = await transformersEmbedder({ ...options, onProgress }).load();
    expect((await second.embedDocuments(["change the port"])).vectors).toEqual(vectors);
    await second.close();
    expect(second.id).toBe(first.id);
    expect(lines).toEqual([]);

    // The files of a folder in another place are the same model.
    const copy = await transformersEmbedder({ model: to }).load();
    expect((await copy.embedDocuments(["change the port"])).vectors).toEqual(vectors);
    await copy.close();
  });

  it("nor at the hub is named with what the hub lacks and what to check", async () => {
    const hub = await startHub();
    const embedder = transformersEmbedder({ cacheDirectory: temporaryFolder(), hub: hub.url, model: "tiny/other" });
    await expect(embedder.load()).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringMatching(
        new RegExp(
          `^The embedding model "tiny/other": it did not load: .*\\. ${hub.url}/ did not give config\\.json, ` +
            "tokenizer\\.json, tokenizer_config\\.json, onnx/model_quantized\\.onnx: check the name in DOCS_EMBEDDER_MODEL",
        ),
      ),
    });
  });

  it("in a number format that the hub lacks is named with that file", async () => {
    const hub = await startHub();
    const options = { cacheDirectory: temporaryFolder(), hub: hub.url, model: "tiny/bert", dtype: "q4" };
    await expect(transformersEmbedder(options).load()).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringContaining(`${hub.url}/ did not give onnx/model_q4.onnx: check`),
    });
  });

  it("fails at once where there is no connection, with three ways out", async () => {
    const cacheDirectory = temporaryFolder();
    const embedder = await transformersEmbedder({ cacheDirectory, hub: "http://127.0.0.1:9" }).load();
    const folder = join(cacheDirectory, "Xenova/bge-small-en-v1.5");
    const begin = performance.now();
    await expect(embedder.embedQuery("tide")).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message:
        `The embedding model "Xenova/bge-small-en-v1.5": it is not in ${cacheDirectory} and cannot be downloaded from ` +
        "http://127.0.0.1:9/: ECONNREFUSED. Three ways out: (1) allow a connection once (about 33 MB), the model stays; " +
        `(2) copy the folder of Xenova/bge-small-en-v1.5 from another machine to ${folder}, or set DOCS_EMBEDDER_MODEL ` +
        "to a folder of yours; (3) set DOCS_EMBEDDER_BACKEND=static for the model that ships with docsearch",
      details: { model: "Xenova/bge-small-en-v1.5", retryable: false },
    });
    // No process is started for it: it takes some milliseconds.
    expect(performance.now() - begin).toBeLessThan(1000);
    await embedder.close();
  });

  it("is not downloaded where that is not allowed", async () => {
    const options = { cacheDirectory: temporaryFolder(), allowDownload: false, dtype: "fp32" };
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
    const options = { cacheDirectory: temporaryFolder(), hub: "http://192.0.2.1", connectTimeoutMs: 50 };
    const embedder = await transformersEmbedder(options).load();
    await expect(embedder.embedQuery("tide")).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    await embedder.close();
  });
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
