import type { ChunkDraft, Chunker, ChunkOptions, ChunkResult, Document } from "@docsearch/spec";
import { markdownChunker } from "../src/index.js";

export const chunker: Chunker = await markdownChunker().load();

export function document(text: string, path = "page.md"): Document {
  const mediaType = path.endsWith(".mdx") ? "text/mdx" : "text/markdown";
  return { id: path, collection: "test", text, contentHash: "", mediaType, path, metadata: {} };
}

export const CHARACTERS: ChunkOptions = { maxSize: 1500, overlap: 0, measure: (text) => text.length };

export function chunk(text: string, options: Partial<ChunkOptions> = {}, path?: string): ChunkResult {
  return chunker.chunk(document(text, path), { ...CHARACTERS, ...options });
}

/** What a reader or an embedder is shown of a chunk. */
export function shown(draft: ChunkDraft): string {
  return draft.standaloneText ?? draft.text;
}
