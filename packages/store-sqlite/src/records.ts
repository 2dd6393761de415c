import type { Chunk, DocumentRecord, OutlineEntry } from "@docsearch/spec";
import { codeUnitKey } from "@docsearch/store-kit";
import { checksumOfRow } from "./checksum.js";

import type { SqlValue } from "./driver.js";

/** Columns of `document` that make a record. */
export const DOCUMENT_COLUMNS = "id, collection, path, media_type, title, url, content_hash, metadata";

export interface DocumentRow {
  readonly id: string;
  readonly collection: string;
  readonly path: string | null;
  readonly media_type: string;
  readonly title: string | null;
  readonly url: string | null;
  readonly content_hash: string;
  readonly metadata: string;
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
    metadata: JSON.parse(row.metadata) as DocumentRecord["metadata"],
  };
}

/** Writes a document, new or known, and returns its slot; a known one keeps its own. */
export const UPSERT_DOCUMENT = `
  INSERT INTO document (id, sort_key, collection, path, media_type, title, url, content_hash, metadata, outline,
    checksum)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET
    collection = excluded.collection, path = excluded.path, media_type = excluded.media_type, title = excluded.title,
    url = excluded.url, content_hash = excluded.content_hash, metadata = excluded.metadata, outline = excluded.outline,
    checksum = excluded.checksum
  RETURNING slot`;

/** Values for `UPSERT_DOCUMENT`. */
export function documentValues(record: DocumentRecord, outline: readonly OutlineEntry[]): SqlValue[] {
  const values = [
    record.id,
    codeUnitKey(record.id),
    record.collection,
    record.path ?? null,
    record.mediaType,
    record.title ?? null,
    record.url ?? null,
    record.contentHash,
    JSON.stringify(record.metadata),
    JSON.stringify(outline),
  ];
  return [...values, checksumOfRow(values)];
}

/** A row of `chunk`, with the id of its document. */
export interface ChunkRow {
  readonly id: string;
  readonly document_id: string;
  readonly ordinal: number;
  readonly text: string;
  readonly start_offset: number;
  readonly end_offset: number;
  readonly start_line: number;
  readonly end_line: number;
  readonly heading_path: string;
  readonly anchor: string | null;
  readonly context: string | null;
  readonly standalone_text: string | null;
  readonly language: string | null;
  readonly symbols: string | null;
  readonly links: string | null;
  readonly metadata: string;
}

export const SELECT_CHUNK = `
  SELECT chunk.id, document.id AS document_id, ordinal, text, start_offset, end_offset, start_line, end_line,
    heading_path, anchor, context, standalone_text, language, symbols, links, chunk.metadata
  FROM chunk JOIN document ON document.slot = chunk.document
  WHERE chunk.id = ?`;

export function chunkOf(row: ChunkRow): Chunk {
  return {
    id: row.id,
    documentId: row.document_id,
    ordinal: row.ordinal,
    text: row.text,
    span: {
      startOffset: row.start_offset,
      endOffset: row.end_offset,
      startLine: row.start_line,
      endLine: row.end_line,
    },
    headingPath: JSON.parse(row.heading_path) as string[],
    ...(row.anchor !== null && { anchor: row.anchor }),
    ...(row.context !== null && { context: row.context }),
    ...(row.standalone_text !== null && { standaloneText: row.standalone_text }),
    ...(row.language !== null && { language: row.language }),
    ...(row.symbols !== null && { symbols: JSON.parse(row.symbols) as NonNullable<Chunk["symbols"]> }),
    ...(row.links !== null && { links: JSON.parse(row.links) as NonNullable<Chunk["links"]> }),
    metadata: JSON.parse(row.metadata) as Chunk["metadata"],
  };
}

export const INSERT_CHUNK = `
  INSERT INTO chunk (slot, id, document, ordinal, text, start_offset, end_offset, start_line, end_line, heading_path,
    anchor, context, standalone_text, language, symbols, links, metadata, terms, checksum)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Values for `INSERT_CHUNK`. */
export function chunkValues(slot: number, document: number, chunk: Chunk, terms: number): SqlValue[] {
  const values = [
    chunk.id,
    document,
    chunk.ordinal,
    chunk.text,
    chunk.span.startOffset,
    chunk.span.endOffset,
    chunk.span.startLine,
    chunk.span.endLine,
    JSON.stringify(chunk.headingPath),
    chunk.anchor ?? null,
    chunk.context ?? null,
    chunk.standaloneText ?? null,
    chunk.language ?? null,
    chunk.symbols === undefined ? null : JSON.stringify(chunk.symbols),
    chunk.links === undefined ? null : JSON.stringify(chunk.links),
    JSON.stringify(chunk.metadata),
    terms,
  ];
  // Without the slot: chunks are moved to others.
  return [slot, ...values, checksumOfRow(values)];
}
