import { LEXICAL_FIELDS, type LexicalFields } from "@docsearch/spec";
import { documentLengths, FIELD_COUNT, lengthsOf, type PlannedChunk, type PlannedDocument } from "@docsearch/store-kit";
import type * as Arrow from "apache-arrow";
import { bytesColumn, type Column, integerColumn, numberRowsColumn, textColumn } from "./columns.js";
import type { Lance } from "./lance.js";
import { addDocument, type Posting } from "./posting-codec.js";
import { type ChunkRow, chunkColumns, filterColumns } from "./records.js";
import { schemasOf } from "./tables.js";

/** What a write adds to each table; absent where it adds nothing. */
export interface NewRows {
  readonly document?: Arrow.Table;
  readonly chunk?: Arrow.Table;
  readonly posting?: Arrow.Table;
}

/** Names what is written of a document, by its number in the segment. */
export function revisionOf(segment: string, number: number): string {
  return `${segment}.${number}`;
}

/** The rows of documents, in a segment of their own. */
export function newRows(lance: Lance, segment: string, written: readonly PlannedDocument[]): NewRows {
  if (written.length === 0) return {};
  const postings = new Map<string, Posting>();
  const chunkRows: ChunkRow[] = [];
  for (const [number, { chunks }] of written.entries()) {
    for (const planned of chunks) chunkRows.push(chunkRow(planned, revisionOf(segment, number)));
    addDocument(
      postings,
      number,
      chunks.map(({ fields }) => fields),
    );
  }
  const schemas = schemasOf(lance);
  const { Table } = lance.arrow;
  return {
    document: new Table(schemas.document, documentColumns(lance, segment, written)),
    ...(chunkRows.length > 0 && { chunk: new Table(schemas.chunk, chunkColumns(lance, chunkRows)) }),
    ...(postings.size > 0 && { posting: postingTable(lance, segment, postings) }),
  };
}

function chunkRow({ chunk, fields }: PlannedChunk, revision: string): ChunkRow {
  const terms = new Set(LEXICAL_FIELDS.flatMap((name) => [...(fields[name]?.terms.keys() ?? [])])).size;
  return { chunk, revision, terms };
}

function documentColumns(lance: Lance, segment: string, rows: readonly PlannedDocument[]): Record<string, Column> {
  const text = (read: (row: PlannedDocument) => string): Column => textColumn(lance, rows.map(read));
  const integer = (values: readonly number[]): Column => integerColumn(lance, values);
  return {
    ...filterColumns(
      lance,
      rows.map(({ change }) => change.document),
    ),
    record: text(({ change }) => JSON.stringify(change.document)),
    outline: text(({ change }) => JSON.stringify(change.outline)),
    chunk_ids: text(({ chunks }) => JSON.stringify(chunks.map(({ chunk }) => chunk.id))),
    revision: textColumn(
      lance,
      rows.map((_, number) => revisionOf(segment, number)),
    ),
    segment: text(() => segment),
    segment_size: integer(rows.map(() => rows.length)),
    number: integer([...rows.keys()]),
    chunks: integer(rows.map(({ chunks }) => chunks.length)),
    lengths: numberRowsColumn(
      lance,
      2 * FIELD_COUNT,
      rows.map(({ chunks }) => lengthsOfDocument(chunks.map(({ fields }) => fields))),
    ),
  };
}

/** The value of the column `lengths`. */
function lengthsOfDocument(chunks: readonly LexicalFields[]): number[] {
  const lengths = chunks.map(lengthsOf);
  const sums = LEXICAL_FIELDS.map((_, field) => lengths.reduce((sum, each) => sum + each[field]!, 0));
  return [...sums, ...documentLengths(lengths)];
}

/** Rows of `posting` for one segment. */
export function postingTable(lance: Lance, segment: string, postings: ReadonlyMap<string, Posting>): Arrow.Table {
  const terms = [...postings.keys()];
  const values = [...postings.values()];
  return new lance.arrow.Table(schemasOf(lance).posting, {
    term: textColumn(lance, terms),
    segment: textColumn(
      lance,
      terms.map(() => segment),
    ),
    chunks: integerColumn(
      lance,
      values.map(({ chunks }) => chunks),
    ),
    bytes: bytesColumn(
      lance,
      values.map(({ bytes }) => bytes.written),
    ),
  });
}
