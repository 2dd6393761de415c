import type { Chunker, ChunkOptions, ChunkResult, Document } from "@docsearch/spec";
import { textChunker } from "../src/text-chunker/text-chunker.js";

const chunker: Chunker = await textChunker().load();

export const CHARACTERS: ChunkOptions = { maxSize: 1500, overlap: 0, measure: (text) => text.length };

function document(text: string, over: Partial<Document> = {}): Document {
  const id = over.path ?? "notes.txt";
  return { id, collection: "test", text, contentHash: "", mediaType: "text/plain", path: id, metadata: {}, ...over };
}

export function chunk(text: string, options: Partial<ChunkOptions> = {}, over: Partial<Document> = {}): ChunkResult {
  return chunker.chunk(document(text, over), { ...CHARACTERS, ...options });
}

/** Texts of the chunks. */
export function texts(text: string, maxSize = 1500, overlap = 0, mediaType = "text/plain"): string[] {
  return chunk(text, { maxSize, overlap }, { mediaType }).chunks.map((draft) => draft.text);
}

/** The outline as one line for each heading, indented by level. */
export function outline(text: string, over: Partial<Document> = {}): string[] {
  return chunk(text, {}, over).outline.map(
    ({ heading, level, line }) => `${"  ".repeat(level - 1)}${heading} (${line})`,
  );
}
