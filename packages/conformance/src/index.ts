export { checkedStore } from "./checked-store.js";
export { type ChunkerConformanceOptions, type ChunkerSample, chunkerConformance } from "./chunker-conformance.js";
export { type DurableStoreConformanceOptions, durableStoreConformance } from "./durable-store-conformance.js";
export { type EmbedderConformanceOptions, embedderConformance } from "./embedder-conformance.js";
export { type RerankerConformanceOptions, rerankerConformance } from "./reranker-conformance.js";
export { type SourceConformanceOptions, sourceConformance } from "./source-conformance.js";
export { type StoreConformanceOptions, storeConformance } from "./store-conformance.js";
export { type StoreModelTestOptions, storeModelTest } from "./store-model-test.js";
export type { TestFunction } from "./test-function.js";
