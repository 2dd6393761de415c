import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "@docsearch/spec";
import { sourceFromEnv } from "./env-options.js";
import { defaultCacheDirectory } from "./model-source.js";

export { EMBEDDING_MODELS, type EmbeddingModel } from "./model-table.js";

/** A model that was downloaded. */
export interface CachedModel {
  /** Its repository. */
  readonly name: string;
  readonly bytes: number;
  /** Names of its weight files, such as `model_quantized.onnx`. */
  readonly weights: readonly string[];
}

/** Folder of downloaded models, as an environment names it. Throws `CONFIG_INVALID`. */
export function modelCacheDirectory(env: Env): string {
  return sourceFromEnv(env).cacheDirectory ?? defaultCacheDirectory();
}

/** The models in a folder of downloaded models, by name; none when there is no folder. */
export function listCachedModels(directory: string): CachedModel[] {
  const models: CachedModel[] = [];
  for (const owner of foldersIn(directory)) {
    for (const repository of foldersIn(join(directory, owner))) {
      const files = filesIn(join(directory, owner, repository));
      const weights = files
        .filter(({ path }) => path.endsWith(".onnx"))
        .map(({ path }) => path.replace(/^.*[/\\]/, ""));
      if (weights.length === 0) continue;
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      models.push({ name: `${owner}/${repository}`, bytes, weights: weights.sort() });
    }
  }
  return models.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function filesIn(folder: string): { readonly path: string; readonly bytes: number }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { path, bytes: statSync(path).size };
    });
}
