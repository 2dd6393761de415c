import type { Chunker } from "./chunk.js";
import type { CallOptions } from "./document.js";
import type { Embedder, EmbeddingCache, Reranker } from "./models.js";
import type { StoreFactory } from "./store.js";

/** Inert description of a model or chunker. Creating one touches nothing; `load` imports what it needs. */
export interface Loader<T> {
  readonly specVersion: 1;
  readonly name: string;
  load(options?: CallOptions): Promise<T>;
}

export type EmbedderFactory = Loader<Embedder>;
export type EmbeddingCacheFactory = Loader<EmbeddingCache>;
export type RerankerFactory = Loader<Reranker>;

export interface ChunkerFactory extends Loader<Chunker> {
  /** `id` of the chunker that `load` gives. It is known without loading, so that a search needs no parser. */
  readonly id: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** What each kind of backend's `provider` makes. */
export interface ProviderKinds {
  readonly store: StoreFactory;
  readonly embedder: EmbedderFactory;
  readonly "embedding-cache": EmbeddingCacheFactory;
  readonly reranker: RerankerFactory;
  readonly chunker: ChunkerFactory;
}

/** The export named `provider` that makes a package selectable by name. */
export interface Provider<K extends keyof ProviderKinds = keyof ProviderKinds> {
  readonly specVersion: 1;
  readonly kind: K;
  readonly name: string;
  /** Reads its own settings only. Throws `CONFIG_INVALID`, which names the variable, its value and what was expected. */
  fromEnv(env: Env): ProviderKinds[K];
}
