import type { Chunk, DocumentRecord, OutlineEntry } from "@docsearch/spec";

/**
 * A text column, written so that it comes back as it is: PGlite takes a byte order mark at the beginning of a value for
 * none of its text, and JSON begins with a quote. Drivers parse JSON by themselves.
 */
export function textColumn(column: string, name: string): string {
  return `to_json(${column}) AS ${name}`;
}

/** Columns of `document` that make a record. */
export const DOCUMENT_COLUMNS: string = [
  ...["id", "collection", "path", "media_type", "title", "url", "content_hash"].map((name) =>
    textColumn(`document.${name}`, name),
  ),
  "metadata",
].join(", ");

export interface DocumentRow {
  readonly id: string;
  readonly collection: string;
  readonly path: string | null;
  readonly media_type: string;
  readonly title: string | null;
  readonly url: string | null;
  readonly content_hash: string;
  readonly metadata: DocumentRecord["metadata"];
}

export function documentOf(row: DocumentRow): DocumentRecord {
  return {
    id: row.id,
    collection: row.collection,
    contentHash: row.content_hash,
    mediaType: row.media_type,
    ...(row.path !== null && { path: row.path }),
    ...(row.title !== null && { title: row.title }),
    ...(row.url !== null && { url: row.url }),
    metadata: row.metadata,
  };
}

/** Values of `document` for one document, in the order of `DOCUMENT_COLUMNS`, and behind them `outline`. */
export function documentValues(record: DocumentRecord, outline: readonly OutlineEntry[]): (string | null)[] {
  return [
    record.id,
    record.collection,
    record.path ?? null,
    record.mediaType,
    record.title ?? null,
    record.url ?? null,
    record.contentHash,
    JSON.stringify(record.metadata),
    JSON.stringify(outline),
  ];
}

/** Columns that make a chunk, of `chunk` joined with `document`. */
export const CHUNK_COLUMNS: string = [
  textColumn("chunk.id", "id"),
  textColumn("document.id", "document_id"),
  "chunk.ordinal",
  textColumn("chunk.text", "text"),
  "chunk.details",
].join(", ");

/** A row of `chunk`, with the id of its document. */
export interface ChunkRow {
  readonly id: string;
  readonly document_id: string;
  readonly ordinal: number;
  readonly text: string;
  readonly details: Omit<Chunk, "id" | "documentId" | "ordinal" | "text">;
}

export function chunkOf(row: ChunkRow): Chunk {
  return { id: row.id, documentId: row.document_id, ordinal: row.ordinal, text: row.text, ...row.details };
}

/** The column `details`. */
export function chunkDetails({ id: _, documentId: _d, ordinal: _o, text: _t, ...details }: Chunk): string {
  return JSON.stringify(details);
}
