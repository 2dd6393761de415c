import type { ChunkDraft, Chunker, ChunkOptions, ChunkResult, ChunkSymbol, Document } from "@docsearch/spec";
import { codeChunker } from "../src/index.js";

export const chunker: Chunker = await codeChunker().load();

export function document(text: string, path: string): Document {
  return { id: path, collection: "test", text, contentHash: "", mediaType: "text/plain", path, metadata: {} };
}

export const CHARACTERS: ChunkOptions = { maxSize: 1500, overlap: 0, measure: (text) => text.length };

export function chunk(text: string, path: string, options: Partial<ChunkOptions> = {}): ChunkResult {
  return chunker.chunk(document(text, path), { ...CHARACTERS, ...options });
}

/** What a reader or an embedder is shown of a chunk. */
export function shown(draft: ChunkDraft): string {
  return draft.standaloneText ?? draft.text;
}

export function symbolsOf({ chunks }: ChunkResult): ChunkSymbol[] {
  return chunks.flatMap(({ symbols = [] }) => symbols);
}

/** Code in one line for each chunk: its path, its lines, its context. */
export function summary({ chunks }: ChunkResult): string[] {
  return chunks.map(({ headingPath, span, context }) =>
    [headingPath.join("."), `${span.startLine}-${span.endLine}`, ...(context === undefined ? [] : [context])].join(
      " | ",
    ),
  );
}
