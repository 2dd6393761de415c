import type {
  ChunkDraft,
  Chunker,
  ChunkOptions,
  ChunkWrite,
  Diagnostic,
  Document,
  DocumentRecord,
} from "@docsearch/spec";
import type { Analyzer } from "../analyzer/analyze.js";
import { chunkDocument, wellFormed } from "./chunk-document.js";
import { chunkAnalyzer } from "./chunk-fields.js";
import { chunkIds } from "./chunk-id.js";
import type { PreparedDocument } from "./document-writer.js";
import { composeEmbedText } from "./embed-text.js";
import { shortHeading, withShortHeadings } from "./short-headings.js";

export interface PrepareParts {
  readonly analyzer: Analyzer;
  readonly chunkers: readonly Chunker[];
  readonly chunking: ChunkOptions;
}

/**
 * Chunks a document and makes of it what is written.
 *
 * @param isKept whether the stored vector of a chunk is kept, by its id; the others get a text to embed
 */
export function prepareDocument(
  { analyzer, chunkers, chunking }: PrepareParts,
  source: Document,
  isKept: (chunkId: string) => boolean,
): PreparedDocument & { readonly diagnostics: readonly Diagnostic[] } {
  const document = wellFormed(source);
  const result = chunkDocument(chunkers, chunking, document);
  const title = shortHeading(document.title ?? result.title);
  const { text: _text, ...rest } = document;
  const record: DocumentRecord = {
    ...rest,
    ...(title !== undefined && { title }),
    metadata: { ...result.metadata, ...document.metadata },
  };
  const drafts = result.chunks.map(withShortHeadings).map((draft) => ({
    draft,
    text: draft.text,
    embedText: composeEmbedText(title, draft),
  }));
  const ids = chunkIds(document.id, drafts);
  const analyzeChunk = chunkAnalyzer(analyzer, record);
  return {
    document: record,
    outline: result.outline,
    chunks: drafts.map(({ draft, embedText }, ordinal) => {
      const id = ids[ordinal] as string;
      const write = { chunk: toChunk(draft, id, document.id, ordinal), fields: analyzeChunk(draft) };
      return isKept(id) ? { write } : { write, embedText };
    }),
    diagnostics: result.diagnostics,
  };
}

function toChunk(draft: ChunkDraft, id: string, documentId: string, ordinal: number): ChunkWrite["chunk"] {
  const { zones: _zones, startsSection: _startsSection, ...rest } = draft;
  return { ...rest, id, documentId, ordinal };
}
