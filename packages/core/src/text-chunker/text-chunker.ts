import type { Chunker, ChunkerFactory } from "@docsearch/spec";

/** Raised when the same text may come out as other chunks. */
const BEHAVIOUR = 1;

/**
 * Plain text, as the last resort for any document. Headings are inferred from the layout where it is clear, and each
 * section is a chunk of its own; what does not fit is cut at paragraphs, sentences, lines, words and at last between
 * graphemes. Code and data are cut at blank lines and line ends, logs between records. Creating it loads nothing.
 */
export function textChunker(): ChunkerFactory {
  const id = `text@${BEHAVIOUR}`;
  return {
    specVersion: 1,
    name: "text",
    id,
    async load(): Promise<Chunker> {
      const { createTextChunker } = await import("./create-text-chunker.js");
      return createTextChunker(id);
    },
  };
}
