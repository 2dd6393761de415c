import type { CallOptions } from "./document.js";

export interface EmbedResult {
  /**
   * One per input, in the same order: `dimensions` long, finite and of unit length.
   * `undefined` where the model has nothing to say about the text; such a text has no vector.
   */
  readonly vectors: readonly (Float32Array | undefined)[];
  /** Indices of inputs that the model had to cut. */
  readonly truncated: readonly number[];
}

/** Turns texts into vectors. Documents and queries are different sides of a model and never share a method. */
export interface Embedder {
  readonly specVersion: 1;
  /** Names everything that changes the vectors: provider, model, revision, quantisation, prefixes, pooling. */
  readonly id: string;
  readonly dimensions: number;
  /** Most texts per call. */
  readonly maxBatchSize: number;
  /** Most calls at a time. */
  readonly maxParallelCalls: number;
  embedDocuments(texts: readonly string[], options?: CallOptions): Promise<EmbedResult>;
  embedQuery(text: string, options?: CallOptions): Promise<EmbedResult>;
  close(): Promise<void>;
}

/** Keeps vectors by text, beside the indexes, so that no text is embedded twice: not after a move, nor a rebuild. */
export interface EmbeddingCache {
  readonly specVersion: 1;
  /** As long as `keys` and in its order; a miss is `undefined`. */
  get(keys: readonly string[], options?: CallOptions): Promise<readonly (Float32Array | undefined)[]>;
  /** Keeps all of the entries or none. What is there under a key stays. */
  put(entries: readonly CachedEmbedding[], options?: CallOptions): Promise<void>;
  close(): Promise<void>;
}

export interface CachedEmbedding {
  /** Names the text and everything that changes its vector. */
  readonly key: string;
  readonly vector: Float32Array;
}

export interface RerankRequest extends CallOptions {
  readonly query: string;
  readonly documents: readonly string[];
  readonly topN?: number;
}

export interface RerankResult {
  /** Best first. `index` points into `documents`; higher scores are better, on the model's own scale. */
  readonly ranking: readonly { readonly index: number; readonly score: number }[];
}

export interface Reranker {
  readonly specVersion: 1;
  readonly id: string;
  rerank(request: RerankRequest): Promise<RerankResult>;
  close(): Promise<void>;
}
