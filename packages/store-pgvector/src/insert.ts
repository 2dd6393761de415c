import { LEXICAL_FIELDS } from "@docsearch/spec";
import { codeUnitKey, documentLengths, lengthsOf } from "@docsearch/store-kit";
import { byteaText } from "./bytea.js";
import type { Query } from "./database.js";
import { addLengths, encodeDocument } from "./posting-codec.js";
import { chunkDetails, documentValues } from "./records.js";
import type { PlacedDocument } from "./slots.js";

/** What a document that was written counts for. */
export interface Added {
  readonly chunks: number;
  readonly chunkLengths: readonly number[];
  readonly documentLengths: readonly number[];
}

/** Writes documents, their chunks and postings. */
export async function insertRows(query: Query, schema: string, documents: readonly PlacedDocument[]): Promise<Added[]> {
  const documentRows: unknown[][] = [];
  const chunkRows: unknown[][] = [];
  const postingRows: unknown[][] = [];
  const added = documents.map(({ change, chunks, slot, slots, silent }): Added => {
    const lengths = chunks.map(({ fields }) => lengthsOf(fields));
    const counts = {
      chunks: chunks.length,
      chunkLengths: addLengths(ZEROS, lengths, []),
      documentLengths: documentLengths(lengths),
    };
    documentRows.push([
      slot,
      byteaText(codeUnitKey(change.document.id)),
      ...documentValues(change.document, change.outline),
      counts.chunks,
      arrayText(counts.chunkLengths),
      arrayText(counts.documentLengths),
    ]);
    const entries = encodeDocument(
      slot,
      chunks.map(({ fields }, i) => ({ slot: slots[i]!, fields })),
    );
    for (const [term, entry] of entries) {
      postingRows.push([byteaText(codeUnitKey(term)), slot, entry.chunks, byteaText(entry.bytes)]);
    }
    chunks.forEach(({ chunk, fields }, i) => {
      chunkRows.push([
        slots[i]!,
        chunk.id,
        slot,
        chunk.ordinal,
        chunk.text,
        chunkDetails(chunk),
        countTerms(fields),
        arrayText(silent[i]!),
      ]);
    });
    return counts;
  });
  if (documentRows.length === 0) return added;
  await query(
    `INSERT INTO ${schema}.document (slot, sort_key, id, collection, path, media_type, title, url, content_hash, metadata,
       outline, chunks, chunk_lengths, document_lengths)
     SELECT a, b::bytea, c, d, e, f, g, h, i, j::jsonb, k::json, l, m::float8[], n::float8[]
     FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
       $10::text[], $11::text[], $12::int[], $13::text[], $14::text[]) AS t (a, b, c, d, e, f, g, h, i, j, k, l, m, n)`,
    columns(documentRows, 14),
  );
  await query(
    `INSERT INTO ${schema}.chunk (slot, id, document, ordinal, text, details, terms, silent)
     SELECT a, b, c, d, e, f::json, g, h::int[]
     FROM unnest($1::int[], $2::text[], $3::int[], $4::int[], $5::text[], $6::text[], $7::int[], $8::text[])
       AS t (a, b, c, d, e, f, g, h)`,
    columns(chunkRows, 8),
  );
  // In the order of the terms, so that the rows of a frequent term lie in few pages.
  await query(
    `INSERT INTO ${schema}.posting (term, document, chunks, entry)
     SELECT a::bytea, b, c, d::bytea FROM unnest($1::text[], $2::int[], $3::int[], $4::text[]) AS t (a, b, c, d)
     ORDER BY 1, 2`,
    columns(postingRows, 4),
  );
  return added;
}

const ZEROS: readonly number[] = LEXICAL_FIELDS.map(() => 0);

function countTerms(fields: PlacedDocument["chunks"][number]["fields"]): number {
  return new Set(LEXICAL_FIELDS.flatMap((name) => [...(fields[name]?.terms.keys() ?? [])])).size;
}

/** Rows as one array for each column. */
export function columns(rows: readonly (readonly unknown[])[], count: number): unknown[][] {
  return Array.from({ length: count }, (_, column) => rows.map((row) => row[column]));
}

/** An array of numbers as Postgres reads it in text. */
function arrayText(numbers: readonly number[]): string {
  return `{${numbers.join(",")}}`;
}
