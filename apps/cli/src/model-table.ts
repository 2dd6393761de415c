import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Env } from "@docsearch/spec";
import { PACKAGE_ROOT } from "./environment.js";

/** A model that docsearch knows by name, and what of it is on this machine. */
export interface KnownModel {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  /** About, in 8 bits. */
  readonly megabytes: number;
}

export interface CachedModel {
  readonly name: string;
  readonly bytes: number;
  readonly weights: readonly string[];
}

export interface LocalModels {
  readonly known: readonly KnownModel[];
  readonly directory: string;
  readonly cached: readonly CachedModel[];
}

/** What `@docsearch/transformers/models` exports. */
interface ModelsModule {
  readonly EMBEDDING_MODELS: readonly (Omit<KnownModel, "name" | "megabytes"> & {
    readonly repository: string;
    readonly parameters: number;
  })[];
  modelCacheDirectory(env: Env): string;
  listCachedModels(directory: string): readonly CachedModel[];
}

/** The models of transformers; `undefined` where the package is not installed: it is for those who want it. */
export async function localModels(env: Env): Promise<LocalModels | undefined> {
  let file: string;
  try {
    file = createRequire(join(PACKAGE_ROOT, "package.json")).resolve("@docsearch/transformers/models");
  } catch {
    return undefined;
  }
  const module = (await import(pathToFileURL(file).href)) as ModelsModule;
  const directory = module.modelCacheDirectory(env);
  const known = module.EMBEDDING_MODELS.map(({ repository, parameters, ...model }) => ({
    name: repository,
    aliases: model.aliases,
    dimensions: model.dimensions,
    maxTokens: model.maxTokens,
    queryPrefix: model.queryPrefix,
    documentPrefix: model.documentPrefix,
    megabytes: parameters,
  }));
  return { known, directory, cached: module.listCachedModels(directory) };
}
