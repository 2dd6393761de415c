export { codeChunker } from "./code-chunker.js";
export { provider } from "./provider.js";
