import type { CollectionCount, Filter } from "@docsearch/spec";
import type { Table } from "@lancedb/lancedb";
import type { Facts } from "./facts.js";
import { filterCondition } from "./filter-sql.js";
import { textsOf } from "./rows.js";
import type { Snapshot } from "./snapshot.js";

export interface DocumentName {
  readonly id: string;
  /** By ordinal. */
  readonly chunkIds: readonly string[];
}

/** Ids of documents and of their chunks, by the index of the document. */
export async function readNames(
  document: Table,
  facts: Facts,
  documents: readonly number[],
): Promise<Map<number, DocumentName>> {
  const texts = await readTexts(document, facts, documents, "chunk_ids");
  return new Map(
    [...texts].map(([index, text]) => [index, { id: facts.ids[index]!, chunkIds: JSON.parse(text) as string[] }]),
  );
}

/** A column of text of documents, by the index of the document. */
export async function readTexts(
  document: Table,
  facts: Facts,
  documents: readonly number[],
  column: string,
): Promise<Map<number, string>> {
  if (documents.length === 0) return new Map();
  const found = await document
    .takeRowIds(documents.map((index) => facts.rowIds[index]!))
    .select(["document_id", column])
    .toArrow();
  const ids = textsOf(found, "document_id");
  return new Map(textsOf(found, column).map((text, row) => [facts.indexOfId.get(ids[row]!)!, text]));
}

/** Records as JSON by id; ids that are not there are left out. */
export async function readRecords({ facts, tables }: Snapshot, ids: readonly string[]): Promise<Map<string, string>> {
  const indexes = [...new Set(ids.map((id) => facts.indexOfId.get(id)))].filter((index) => index !== undefined);
  const texts = await readTexts(tables.document, facts, indexes, "record");
  return new Map([...texts].map(([index, text]) => [facts.ids[index]!, text]));
}

/** Indexes of the documents that meet a filter. */
export async function filtered({ facts, tables }: Snapshot, filter: Filter): Promise<number[]> {
  const columns = ["document_id", "revision"];
  const found = await tables.document.query().where(filterCondition(filter)).select(columns).toArrow();
  const revisions = textsOf(found, "revision");
  return textsOf(found, "document_id")
    .map((id) => facts.indexOfId.get(id)!)
    .filter((index, row) => facts.revisions[index] === revisions[row]);
}

/** Documents and chunks by collection and media type. */
export async function countByCollection({ facts, tables }: Snapshot): Promise<CollectionCount[]> {
  const columns = ["document_id", "revision", "collection", "media_type"];
  const found = await tables.document.query().select(columns).toArrow();
  const [ids, revisions, collections, mediaTypes] = columns.map((column) => textsOf(found, column));
  const counts = new Map<string, { -readonly [Key in keyof CollectionCount]: CollectionCount[Key] }>();
  ids!.forEach((id, row) => {
    const index = facts.indexOfId.get(id)!;
    if (facts.revisions[index] !== revisions![row]) return;
    const [collection, mediaType] = [collections![row]!, mediaTypes![row]!];
    const key = JSON.stringify([collection, mediaType]);
    const count = counts.get(key) ?? { collection, mediaType, documents: 0, chunks: 0 };
    count.documents++;
    count.chunks += facts.firstChunk[index + 1]! - facts.firstChunk[index]!;
    counts.set(key, count);
  });
  return [...counts.values()];
}
