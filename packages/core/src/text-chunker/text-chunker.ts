import type { Chunker } from "@docsearch/spec";
import { checkChunkOptions, Segmenters } from "@docsearch/text-split";
import { chunkText } from "./chunk-text.js";

/** Raised when the same text may come out as other chunks. */
const BEHAVIOUR = 1;

/**
 * Plain text, as the last resort for any document. Headings are inferred from the layout where it is clear, and each
 * section is a chunk of its own; what does not fit is cut at paragraphs, sentences, lines, words and at last between
 * graphemes. Code and data are cut at blank lines and line ends, logs between records.
 */
export function textChunker(): Chunker {
  const segmenters = new Segmenters();
  return {
    specVersion: 1,
    id: `text@${BEHAVIOUR}`,
    supports: () => true,
    chunk(document, options) {
      checkChunkOptions(options);
      return chunkText(document, options, segmenters);
    },
  };
}
