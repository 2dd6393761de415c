import {
  type Chunker,
  type ChunkerFactory,
  type ChunkOptions,
  DocsearchError,
  type EmbedderFactory,
  type EmbeddingCacheFactory,
  type Env,
  type IndexSchema,
  isDocsearchError,
  type OpenOptions,
  type StoreFactory,
} from "@docsearch/spec";
import { createDocsearch, type Docsearch, type DocsearchOptions } from "./docsearch.js";
import { cachedEmbedder } from "./embedding/cached-embedder.js";
import { namesEmbedder, readKnownEmbedders } from "./embedding/known-embedders.js";
import { type SpaceChoice, storedSchema } from "./embedding/open-space.js";
import { createRegistry, type Registry } from "./registry.js";
import type { FusionOptions } from "./search/search-request.js";
import { SETTINGS, type Setting } from "./settings.js";
import { textChunker } from "./text-chunker/text-chunker.js";

export interface EnvOptions {
  /** Folder of the application whose packages are used. Default: the working directory. */
  readonly root?: string;
  /** For backends that the application brings itself. */
  readonly registry?: Registry;
  /** See `DocsearchOptions`. Default `write`. */
  readonly mode?: OpenOptions["mode"];
  /** What to do with an index that was made with other settings. Default `error`. */
  readonly onMismatch?: "error" | "recreate";
  /** See `DocsearchOptions`. Where the environment names no embedder it is that of the index. */
  readonly space?: SpaceChoice;
  /**
   * File with the embedders that the user has named before (`rememberEmbedder`). Where the environment names none, an
   * index is opened with the one of them that it answers with, and one that answers with words alone without an
   * embedder. Default: the environment alone.
   */
  readonly knownEmbedders?: string;
}

/**
 * A `Docsearch` as the environment describes it: the same as `createDocsearch` with the backends that the
 * variables of `SETTINGS` name. An empty variable counts as unset.
 *
 * @throws `CONFIG_INVALID` for a value that its setting does not take; errors of the registry and of opening
 */
export async function docsearchFromEnv(env: Env, options: EnvOptions = {}): Promise<Docsearch> {
  const { knownEmbedders, ...rest } = options;
  if (knownEmbedders === undefined || namesEmbedder(env)) return openFromEnv(env, rest);
  const follow = ({ embedding }: IndexSchema): Env | undefined => {
    if (embedding === null) return { ...env, DOCS_EMBEDDER_BACKEND: "none" };
    const known = readKnownEmbedders(knownEmbedders).find(({ id }) => id === embedding.id);
    return known && { ...env, ...known.settings };
  };
  if (options.mode === "rebuild" || options.onMismatch === "recreate") {
    const stored = await storedSchema(await storeFromEnv(env, options)).catch(() => undefined);
    return openFromEnv((stored && follow(stored)) ?? env, rest);
  }
  try {
    return await openFromEnv(env, { ...rest, space: "active" });
  } catch (error) {
    if (!isDocsearchError(error, "INDEX_MISMATCH")) throw error;
    const followed = follow(error.details.stored);
    if (followed === undefined) throw error;
    return await openFromEnv(followed, { ...rest, space: "active" });
  }
}

async function openFromEnv(env: Env, options: Omit<EnvOptions, "knownEmbedders">): Promise<Docsearch> {
  const settings = readSettings(env);
  const registry = options.registry ?? createRegistry({ root: options.root ?? process.cwd() });
  const embedder = settings.DOCS_EMBEDDER_BACKEND as string;
  const isCached = settings.DOCS_EMBEDDING_CACHE !== undefined;
  const reranker = settings.DOCS_RERANKER_BACKEND as string;
  const [store, embedderProvider, rerankerProvider, cache, chunkers] = await Promise.all([
    registry.load("store", settings.DOCS_STORE_BACKEND as string),
    embedder === "none" ? null : registry.load("embedder", embedder),
    reranker === "none" ? null : registry.load("reranker", reranker),
    isCached ? registry.load("embedding-cache", "sqlite") : null,
    chunkerFactories(registry, env),
  ]);
  const described: DocsearchOptions = {
    store: store.fromEnv(env),
    ...(embedderProvider !== null && { embedder: withCache(embedderProvider.fromEnv(env), cache?.fromEnv(env)) }),
    ...(rerankerProvider !== null && { reranker: rerankerProvider.fromEnv(env) }),
    chunkers,
    chunking: chunkingOf(settings),
    searchDefaults: {
      candidates: Number(settings.DOCS_CANDIDATES),
      fusion: fusionOf(settings),
      rerank: {
        topN: Number(settings.DOCS_RERANKER_TOP_N),
        timeoutMs: Number(settings.DOCS_RERANKER_BUDGET_MS),
      },
    },
    mode: options.mode ?? "write",
    onMismatch: options.onMismatch ?? "error",
    ...(options.space !== undefined && { space: options.space }),
  };
  return createDocsearch(described);
}

/** The store as the environment names it, unopened: for what concerns its indexes as a whole. */
export async function storeFromEnv(
  env: Env,
  options: Pick<EnvOptions, "root" | "registry"> = {},
): Promise<StoreFactory> {
  const registry = options.registry ?? createRegistry({ root: options.root ?? process.cwd() });
  return (await registry.load("store", readSettings(env).DOCS_STORE_BACKEND as string)).fromEnv(env);
}

/** The embedder as the environment names it, unloaded and without a cache; `undefined` for none. */
export async function embedderFromEnv(
  env: Env,
  options: Pick<EnvOptions, "root" | "registry"> = {},
): Promise<EmbedderFactory | undefined> {
  const name = readSettings(env).DOCS_EMBEDDER_BACKEND as string;
  if (name === "none") return undefined;
  const registry = options.registry ?? createRegistry({ root: options.root ?? process.cwd() });
  return (await registry.load("embedder", name)).fromEnv(env);
}

function withCache(embedder: EmbedderFactory, cache: EmbeddingCacheFactory | undefined): EmbedderFactory {
  return cache === undefined ? embedder : cachedEmbedder(embedder, cache);
}

/** The chunkers and the sizes that an index of this environment would use, for showing how a file is cut. */
export async function chunkersFromEnv(
  env: Env,
  options: Pick<EnvOptions, "root" | "registry"> = {},
): Promise<{ readonly chunkers: readonly Chunker[]; readonly chunking: ChunkOptions }> {
  const settings = readSettings(env);
  const registry = options.registry ?? createRegistry({ root: options.root ?? process.cwd() });
  const factories = await chunkerFactories(registry, env);
  return {
    chunkers: await Promise.all([...factories, textChunker()].map((factory) => factory.load())),
    chunking: { ...chunkingOf(settings), measure: (text) => text.length },
  };
}

/** In the order in which they are asked whether they support a document. */
const CHUNKERS = ["markdown", "code"] as const;

async function chunkerFactories(registry: Registry, env: Env): Promise<ChunkerFactory[]> {
  const providers = await Promise.all(CHUNKERS.map((name) => registry.load("chunker", name)));
  return providers.map((provider) => provider.fromEnv(env));
}

/** Value by variable. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** Values of all settings: from the environment, else the fallback. Throws `CONFIG_INVALID`. */
export function readSettings(env: Env): Settings {
  return Object.fromEntries(SETTINGS.map((setting) => [setting.variable, readSetting(setting, env)]));
}

function readSetting(setting: Setting, env: Env): string | undefined {
  const value = env[setting.variable]?.trim() || setting.fallback;
  if (value === undefined) return undefined;
  const number = Number(value);
  const { kind, least = Number.NEGATIVE_INFINITY, choices = [] } = setting;
  if (kind === "choice" && !choices.includes(value)) throw invalid(setting, value, `one of ${choices.join(", ")}`);
  if (kind === "integer" && !(Number.isInteger(number) && number >= least)) {
    throw invalid(setting, value, `a whole number of at least ${least}`);
  }
  if (kind === "number" && !(Number.isFinite(number) && number >= least)) {
    throw invalid(setting, value, `a number of at least ${least}`);
  }
  return value;
}

function invalid({ variable }: Setting, value: string, expected: string): DocsearchError<"CONFIG_INVALID"> {
  return new DocsearchError("CONFIG_INVALID", `${variable} is "${value}"; expected ${expected}`, {
    setting: variable,
    value,
    expected,
  });
}

function chunkingOf(settings: Settings): { maxSize: number; overlap: number } {
  return { maxSize: Number(settings.DOCS_CHUNK_SIZE), overlap: Number(settings.DOCS_CHUNK_OVERLAP) };
}

function fusionOf(settings: Settings): FusionOptions {
  const { DOCS_WEIGHT_LEXICAL: lexical, DOCS_WEIGHT_VECTOR: vector } = settings;
  return {
    method: settings.DOCS_FUSION as "convex" | "rrf",
    k: Number(settings.DOCS_FUSION_K),
    weights: {
      ...(lexical !== undefined && { lexical: Number(lexical) }),
      ...(vector !== undefined && { vector: Number(vector) }),
    },
  };
}

/** Variables that begin like ours and are not, each with the nearest name that is: most likely misspelt. */
export function unknownVariables(env: Env): { readonly variable: string; readonly nearest: string }[] {
  const known = new Set<string>(SETTINGS.map(({ variable }) => variable));
  return Object.keys(env)
    .filter((variable) => variable.startsWith("DOCS_") && !known.has(variable))
    .map((variable) => ({ variable, nearest: nearestName(variable, [...known]) }));
}

function nearestName(name: string, candidates: readonly string[]): string {
  let best = candidates[0] as string;
  for (const candidate of candidates) if (editDistance(name, candidate) < editDistance(name, best)) best = candidate;
  return best;
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
