/** How the vectors of a text's tokens become one: their mean, the first one, the last one, or an output of the model. */
export type Pooling = "mean" | "cls" | "last" | "sentence_embedding";

/** What is known of a model for embeddings. */
export interface EmbeddingModel {
  /** Repository on the hub that has ONNX files. */
  readonly repository: string;
  /** Other names of it. */
  readonly aliases: readonly string[];
  readonly dimensions: number;
  readonly pooling: Pooling;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  /** Most tokens of a text, those included that the model adds. */
  readonly maxTokens: number;
  /** Millions of weights: about as many megabytes in 8 bits, and four times as many in 32. */
  readonly parameters: number;
}

export interface RerankingModel {
  readonly repository: string;
  readonly aliases: readonly string[];
  /** Most tokens of query and document together. */
  readonly maxTokens: number;
  readonly parameters: number;
}

const NO_PREFIX = { queryPrefix: "", documentPrefix: "" };
const PASSAGES = { queryPrefix: "Represent this sentence for searching relevant passages: ", documentPrefix: "" };
const E5 = { queryPrefix: "query: ", documentPrefix: "passage: " };

/** Sources: the models' own cards. The first is the default. */
export const EMBEDDING_MODELS: readonly EmbeddingModel[] = [
  {
    repository: "Xenova/bge-small-en-v1.5",
    aliases: ["BAAI/bge-small-en-v1.5", "bge-small-en-v1.5", "bge-small"],
    ...{ dimensions: 384, pooling: "cls", ...PASSAGES, maxTokens: 512, parameters: 33 },
  },
  {
    repository: "Xenova/bge-base-en-v1.5",
    aliases: ["BAAI/bge-base-en-v1.5", "bge-base-en-v1.5", "bge-base"],
    ...{ dimensions: 768, pooling: "cls", ...PASSAGES, maxTokens: 512, parameters: 109 },
  },
  {
    repository: "Xenova/bge-large-en-v1.5",
    aliases: ["BAAI/bge-large-en-v1.5", "bge-large-en-v1.5", "bge-large"],
    ...{ dimensions: 1024, pooling: "cls", ...PASSAGES, maxTokens: 512, parameters: 335 },
  },
  {
    repository: "Xenova/all-MiniLM-L6-v2",
    aliases: ["sentence-transformers/all-MiniLM-L6-v2", "all-MiniLM-L6-v2"],
    ...{ dimensions: 384, pooling: "mean", ...NO_PREFIX, maxTokens: 256, parameters: 23 },
  },
  {
    repository: "nomic-ai/nomic-embed-text-v1.5",
    aliases: ["nomic-embed-text-v1.5", "nomic-embed-text"],
    ...{ dimensions: 768, pooling: "mean", queryPrefix: "search_query: ", documentPrefix: "search_document: " },
    ...{ maxTokens: 2048, parameters: 137 },
  },
  {
    repository: "Xenova/e5-small-v2",
    aliases: ["intfloat/e5-small-v2", "e5-small-v2"],
    ...{ dimensions: 384, pooling: "mean", ...E5, maxTokens: 512, parameters: 33 },
  },
  {
    repository: "Xenova/multilingual-e5-small",
    aliases: ["intfloat/multilingual-e5-small", "multilingual-e5-small"],
    ...{ dimensions: 384, pooling: "mean", ...E5, maxTokens: 512, parameters: 118 },
  },
  {
    repository: "Xenova/multilingual-e5-base",
    aliases: ["intfloat/multilingual-e5-base", "multilingual-e5-base"],
    ...{ dimensions: 768, pooling: "mean", ...E5, maxTokens: 512, parameters: 278 },
  },
  {
    repository: "Xenova/gte-small",
    aliases: ["thenlper/gte-small", "gte-small"],
    ...{ dimensions: 384, pooling: "mean", ...NO_PREFIX, maxTokens: 512, parameters: 33 },
  },
  {
    repository: "Xenova/gte-base",
    aliases: ["thenlper/gte-base", "gte-base"],
    ...{ dimensions: 768, pooling: "mean", ...NO_PREFIX, maxTokens: 512, parameters: 109 },
  },
  {
    repository: "jinaai/jina-embeddings-v2-base-code",
    aliases: ["jina-embeddings-v2-base-code", "jina-code"],
    ...{ dimensions: 768, pooling: "mean", ...NO_PREFIX, maxTokens: 2048, parameters: 161 },
  },
  {
    repository: "onnx-community/embeddinggemma-300m-ONNX",
    aliases: ["google/embeddinggemma-300m", "embeddinggemma-300m", "embeddinggemma"],
    ...{ dimensions: 768, pooling: "sentence_embedding", maxTokens: 2048, parameters: 308 },
    ...{ queryPrefix: "task: search result | query: ", documentPrefix: "title: none | text: " },
  },
];

/** The first is the default. */
export const RERANKING_MODELS: readonly RerankingModel[] = [
  {
    repository: "Xenova/ms-marco-MiniLM-L-6-v2",
    aliases: ["cross-encoder/ms-marco-MiniLM-L-6-v2", "ms-marco-MiniLM-L-6-v2"],
    ...{ maxTokens: 512, parameters: 23 },
  },
  {
    repository: "Xenova/ms-marco-MiniLM-L-12-v2",
    aliases: ["cross-encoder/ms-marco-MiniLM-L-12-v2", "ms-marco-MiniLM-L-12-v2"],
    ...{ maxTokens: 512, parameters: 33 },
  },
  {
    repository: "Xenova/bge-reranker-base",
    aliases: ["BAAI/bge-reranker-base", "bge-reranker-base"],
    ...{ maxTokens: 512, parameters: 278 },
  },
];

/** The row of a model, by repository or alias, in any case of letters. */
export function findModel<T extends { readonly repository: string; readonly aliases: readonly string[] }>(
  models: readonly T[],
  name: string,
): T | undefined {
  const wanted = name.toLowerCase();
  return models.find(({ repository, aliases }) => [repository, ...aliases].some((n) => n.toLowerCase() === wanted));
}
