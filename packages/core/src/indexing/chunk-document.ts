import type { Chunker, ChunkOptions, ChunkResult, Document } from "@docsearch/spec";

/** Chunks a document by the first chunker that supports it. The last one must support every document. */
export function chunkDocument(chunkers: readonly Chunker[], options: ChunkOptions, document: Document): ChunkResult {
  const chunker = chunkers.find((candidate) => candidate.supports(document));
  if (chunker === undefined) throw new Error("the last chunker must support every document");
  return chunker.chunk(document, options);
}

/** The document without lone surrogates and NUL, which not every store can keep. Lengths stay as they are. */
export function wellFormed(document: Document): Document {
  return { ...document, text: document.text.toWellFormed().replaceAll("\u0000", "\ufffd") };
}
