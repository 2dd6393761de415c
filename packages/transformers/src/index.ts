export type { ModelProgress, ModelSourceOptions } from "./model-source.js";
export type { Pooling } from "./model-table.js";
export { provider } from "./provider.js";
export { type TransformersEmbedderOptions, transformersEmbedder } from "./transformers-embedder.js";
