import type { SearchResult } from "@docsearch/core";

/** A result as `--json` prints it: what identifies it first. */
export function jsonResult({ rank, score, document, chunk, snippet, breakdown }: SearchResult): object {
  return {
    rank,
    path: document.path ?? document.id,
    startLine: chunk.span.startLine,
    endLine: chunk.span.endLine,
    score,
    headingPath: chunk.headingPath,
    anchor: chunk.anchor,
    title: document.title,
    url: document.url,
    collection: document.collection,
    documentId: document.id,
    chunkId: chunk.id,
    startOffset: chunk.span.startOffset,
    endOffset: chunk.span.endOffset,
    snippet,
    text: chunk.text,
    breakdown,
  };
}
