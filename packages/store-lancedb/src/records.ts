import type { Chunk, DocumentRecord } from "@docsearch/spec";
import { type Column, integerColumn, textColumn } from "./columns.js";
import { isThere } from "./facts.js";
import type { Lance } from "./lance.js";
import { metadataText } from "./metadata-text.js";
import { numbersOf, textsOf } from "./rows.js";
import type { Snapshot } from "./snapshot.js";
import { isOneOf } from "./sql.js";

/** A chunk as it is written. */
export interface ChunkRow {
  readonly chunk: Chunk;
  readonly revision: string;
  /** How many terms its fields hold. */
  readonly terms: number;
}

/** Columns of `chunk` that make a chunk. */
const CHUNK_COLUMNS = ["id", "document_id", "ordinal", "text", "details", "revision"] as const;

/** Columns that filters look at, of the document in each row. */
export function filterColumns(lance: Lance, documents: readonly DocumentRecord[]): Record<string, Column> {
  const text = (read: (document: DocumentRecord) => string | null): Column => textColumn(lance, documents.map(read));
  return {
    document_id: text(({ id }) => id),
    collection: text(({ collection }) => collection),
    path: text(({ path }) => path ?? null),
    media_type: text(({ mediaType }) => mediaType),
    metadata: text(({ metadata }) => metadataText(metadata)),
  };
}

export function chunkColumns(lance: Lance, rows: readonly ChunkRow[]): Record<string, Column> {
  const text = (read: (row: ChunkRow) => string): Column => textColumn(lance, rows.map(read));
  return {
    id: text(({ chunk }) => chunk.id),
    document_id: text(({ chunk }) => chunk.documentId),
    revision: text(({ revision }) => revision),
    text: text(({ chunk }) => chunk.text),
    details: text(({ chunk }) => chunkDetails(chunk)),
    ordinal: integerColumn(
      lance,
      rows.map(({ chunk }) => chunk.ordinal),
    ),
    terms: integerColumn(
      lance,
      rows.map(({ terms }) => terms),
    ),
  };
}

/** Chunks by id; ids that are not there are left out. */
export async function readChunks({ facts, tables }: Snapshot, wanted: readonly string[]): Promise<Map<string, Chunk>> {
  const found = await tables.chunk
    .query()
    .where(isOneOf("id", [...new Set(wanted)]))
    .select([...CHUNK_COLUMNS])
    .toArrow();
  const [ids, documentIds, texts, details, revisions] = ["id", "document_id", "text", "details", "revision"].map(
    (name) => textsOf(found, name),
  );
  const chunks = new Map<string, Chunk>();
  numbersOf(found, "ordinal").forEach((ordinal, row) => {
    const [id, documentId] = [ids![row]!, documentIds![row]!];
    if (!isThere(facts, documentId, revisions![row]!)) return;
    const rest = JSON.parse(details![row]!) as Omit<Chunk, "id" | "documentId" | "ordinal" | "text">;
    chunks.set(id, { id, documentId, ordinal, text: texts![row]!, ...rest });
  });
  return chunks;
}

/** What a chunk has besides the columns of its own. */
function chunkDetails({ id: _, documentId: _d, ordinal: _o, text: _t, ...details }: Chunk): string {
  return JSON.stringify(details);
}
