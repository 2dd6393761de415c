export { type OpenaiEmbedderOptions, openaiEmbedder } from "./openai-embedder.js";
export { provider } from "./provider.js";
