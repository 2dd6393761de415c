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
