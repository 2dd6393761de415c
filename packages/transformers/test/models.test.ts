import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EMBEDDING_MODELS, listCachedModels, modelCacheDirectory } from "../src/models.js";
import { temporaryFolder, writeModelFolder } from "./model-folder.js";

it("models that were downloaded are listed with their size and their weights", () => {
  const folder = temporaryFolder();
  expect(listCachedModels(join(folder, "none"))).toEqual([]);
  writeModelFolder(join(folder, "Xenova", "bge-small-en-v1.5"), 8, "w".repeat(1000));
  writeModelFolder(join(folder, "Ada", "tiny"), 8, "w");
  // Begun, and no weights yet.
  mkdirSync(join(folder, "Ada", "begun"));
  writeFileSync(join(folder, "Ada", "begun", "config.json"), "{}");
  writeFileSync(join(folder, "note.txt"), "not a model");
  expect(listCachedModels(folder)).toEqual([
    { name: "Ada/tiny", bytes: 23, weights: ["model.onnx", "model_quantized.onnx"] },
    { name: "Xenova/bge-small-en-v1.5", bytes: 2021, weights: ["model.onnx", "model_quantized.onnx"] },
  ]);
});

it("the folder of downloaded models is that of the settings", () => {
  expect(modelCacheDirectory({ DOCS_MODEL_CACHE: "/models" })).toBe("/models");
  expect(modelCacheDirectory({ XDG_CACHE_HOME: "/cache" })).toBe(join("/cache", "docsearch", "models"));
});

it("every model has what the table of `docsearch models` shows", () => {
  for (const { repository, dimensions, maxTokens, parameters } of EMBEDDING_MODELS) {
    expect(repository).toMatch(/^[\w.-]+\/[\w.-]+$/);
    expect(Math.min(dimensions, maxTokens, parameters)).toBeGreaterThan(0);
  }
});
