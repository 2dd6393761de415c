import type { DocumentHit, Hit } from "@docsearch/spec";
import { compareCodeUnits, type Scored } from "@docsearch/store-kit";
import type { Query } from "./database.js";
import { textColumn } from "./records.js";

/** Hits for the chunks in `index` as their slot: highest score first, equal scores by chunk id, `limit` at most. */
export async function chunkHits(query: Query, schema: string, found: readonly Scored[], limit: number): Promise<Hit[]> {
  if (found.length === 0) return [];
  const rows = await query<{ slot: number; chunk_id: string; document_id: string }>(
    `SELECT chunk.slot, ${textColumn("chunk.id", "chunk_id")}, ${textColumn("document.id", "document_id")}
     FROM ${schema}.chunk JOIN ${schema}.document ON document.slot = chunk.document
     WHERE chunk.slot = ANY ($1::int[])`,
    [found.map(({ index }) => index)],
  );
  const scores = new Map(found.map(({ index, score }) => [index, score]));
  return rows
    .map((row): Hit => ({ chunkId: row.chunk_id, documentId: row.document_id, score: scores.get(row.slot)! }))
    .sort((a, b) => b.score - a.score || compareCodeUnits(a.chunkId, b.chunkId))
    .slice(0, limit);
}

/** Hits for documents, ordered like chunks. */
export async function documentHits(
  query: Query,
  schema: string,
  found: readonly Scored[],
  limit: number,
): Promise<DocumentHit[]> {
  if (found.length === 0) return [];
  const rows = await query<{ slot: number; id: string }>(
    `SELECT slot, ${textColumn("id", "id")} FROM ${schema}.document WHERE slot = ANY ($1::int[])`,
    [found.map(({ index }) => index)],
  );
  const scores = new Map(found.map(({ index, score }) => [index, score]));
  return rows
    .map((row): DocumentHit => ({ documentId: row.id, score: scores.get(row.slot)! }))
    .sort((a, b) => b.score - a.score || compareCodeUnits(a.documentId, b.documentId))
    .slice(0, limit);
}
