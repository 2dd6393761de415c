export { provider } from "./provider.js";
export { type StaticEmbedderOptions, staticEmbedder } from "./static-embedder.js";
