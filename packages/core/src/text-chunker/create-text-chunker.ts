import type { Chunker } from "@docsearch/spec";
import { checkChunkOptions, Segmenters } from "@docsearch/text-split";
import { chunkText } from "./chunk-text.js";

/** The chunker of `textChunker`. */
export function createTextChunker(id: string): Chunker {
  const segmenters = new Segmenters();
  return {
    specVersion: 1,
    id,
    supports: () => true,
    chunk(document, options) {
      checkChunkOptions(options);
      return chunkText(document, options, segmenters);
    },
  };
}
