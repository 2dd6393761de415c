import type { Chunk, CollectionCount, DocumentPage, DocumentRecord, OutlineEntry, TermCount } from "@docsearch/spec";
import { codeUnitKey, textOfKey } from "@docsearch/store-kit";
import { byteaText } from "./bytea.js";
import type { Query } from "./database.js";
import { filterCondition } from "./filter-sql.js";
import {
  CHUNK_COLUMNS,
  type ChunkRow,
  chunkOf,
  DOCUMENT_COLUMNS,
  type DocumentRow,
  documentOf,
  textColumn,
} from "./records.js";
import { isStorable } from "./storable.js";

// What a store is asked for without ranking. See `VectorStore` for each; `schema` is quoted.

export async function getChunks(query: Query, schema: string, ids: readonly string[]): Promise<(Chunk | undefined)[]> {
  const rows = await query<ChunkRow>(
    `SELECT ${CHUNK_COLUMNS}
     FROM ${schema}.chunk JOIN ${schema}.document ON document.slot = chunk.document WHERE chunk.id = ANY ($1::text[])`,
    [ids.filter(isStorable)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    // A copy for each: the caller owns what it gets.
    return row && chunkOf(structuredClone(row));
  });
}

export async function getDocuments(
  query: Query,
  schema: string,
  ids: readonly string[],
): Promise<(DocumentRecord | undefined)[]> {
  const rows = await query<DocumentRow>(
    `SELECT ${DOCUMENT_COLUMNS} FROM ${schema}.document WHERE id = ANY ($1::text[])`,
    [ids.filter(isStorable)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row && documentOf(structuredClone(row));
  });
}

export async function getChunkIds(query: Query, schema: string, documentId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `SELECT ${textColumn("chunk.id", "id")} FROM ${schema}.document JOIN ${schema}.chunk ON chunk.document = document.slot
     WHERE document.id = ANY ($1::text[]) ORDER BY chunk.ordinal`,
    [[documentId].filter(isStorable)],
  );
  return rows.map(({ id }) => id);
}

export async function getOutline(query: Query, schema: string, documentId: string): Promise<readonly OutlineEntry[]> {
  const [row] = await query<{ outline: readonly OutlineEntry[] }>(
    `SELECT outline FROM ${schema}.document WHERE id = ANY ($1::text[])`,
    [[documentId].filter(isStorable)],
  );
  return row?.outline ?? [];
}

export async function listDocuments(query: Query, schema: string, page: DocumentPage): Promise<DocumentRecord[]> {
  const { sql, parameters } = filterCondition(page.filter ?? { op: "and", clauses: [] });
  const n = parameters.length;
  const rows = await query<DocumentRow>(
    `SELECT ${DOCUMENT_COLUMNS} FROM ${schema}.document
     WHERE ${sql} AND ($${n + 1}::text IS NULL OR sort_key > $${n + 1}::text::bytea)
     ORDER BY sort_key LIMIT $${n + 2}::int`,
    [...parameters, page.after === undefined ? null : byteaText(codeUnitKey(page.after)), rowLimit(page.limit)],
  );
  return rows.map(documentOf);
}

export async function listTerms(query: Query, schema: string, prefix: string, limit: number): Promise<TermCount[]> {
  const key = codeUnitKey(prefix);
  // No key holds the byte 255, so this is the least above all that begin with the prefix.
  const end = Uint8Array.from([...key, 255]);
  const rows = await query<{ term: Uint8Array; chunks: number }>(
    `SELECT term, sum(chunks)::int AS chunks FROM ${schema}.posting
     WHERE term >= $1::text::bytea AND term < $2::text::bytea GROUP BY term ORDER BY term LIMIT $3::int`,
    [byteaText(key), byteaText(end), rowLimit(limit)],
  );
  return rows.map(({ term, chunks }) => ({ term: textOfKey(term), chunks }));
}

export function countByCollection(query: Query, schema: string): Promise<readonly CollectionCount[]> {
  return query<CollectionCount>(
    `SELECT collection, media_type AS "mediaType", count(*)::int AS documents,
       sum((SELECT count(*) FROM ${schema}.chunk WHERE chunk.document = document.slot))::int AS chunks
     FROM ${schema}.document GROUP BY collection, media_type`,
  );
}

/** A limit as Postgres takes it. */
function rowLimit(limit: number): number {
  return Math.max(0, Math.min(Math.floor(limit), 2 ** 31 - 1));
}
