import { existsSync } from "node:fs";
import type { SearchResult } from "@docsearch/core";
import { fileOfName } from "../project.js";

/** A result as `--json` prints it: what identifies it first. */
export function jsonResult(
  { rank, score, document, chunk, adjacent, snippet, passage, breakdown }: SearchResult,
  projectRoot: string,
): object {
  const path = document.path ?? document.id;
  const file = fileOfName(projectRoot, path);
  return {
    rank,
    path,
    startLine: chunk.span.startLine,
    endLine: chunk.span.endLine,
    score,
    headingPath: chunk.headingPath,
    anchor: chunk.anchor,
    title: document.title,
    url: document.url,
    // Absent when the document is no file here: one of another source, or an index from elsewhere.
    file: existsSync(file) ? file : undefined,
    collection: document.collection,
    documentId: document.id,
    chunkId: chunk.id,
    startOffset: chunk.span.startOffset,
    endOffset: chunk.span.endOffset,
    snippet,
    passage,
    text: chunk.text,
    adjacent: adjacent?.map(({ id, span, text }) => ({
      chunkId: id,
      startLine: span.startLine,
      endLine: span.endLine,
      text,
    })),
    breakdown,
  };
}
