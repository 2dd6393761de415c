export { type MarkdownChunkerOptions, markdownChunker } from "./markdown-chunker.js";
export { provider } from "./provider.js";
