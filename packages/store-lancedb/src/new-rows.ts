import { LEXICAL_FIELDS, type LexicalFields } from "@docsearch/spec";
import { documentLengths, FIELD_COUNT, lengthsOf, type PlannedChunk, type PlannedDocument } from "@docsearch/store-kit";
import type * as Arrow from "apache-arrow";
import { bytesColumn, type Column, integerColumn, numberRowsColumn, textColumn } from "./columns.js";
import type { Lance } from "./lance.js";
import { newName } from "./names.js";
import { addDocument, type Posting } from "./posting-codec.js";
import { type ChunkRow, chunkColumns, filterColumns } from "./records.js";
import { schemasOf } from "./tables.js";
import { unitVector } from "./unit-vector.js";

/** What a write adds to each table; absent where it adds nothing. */
export interface NewRows {
  readonly document?: Arrow.Table;
  readonly chunk?: Arrow.Table;
  readonly posting?: Arrow.Table;
}

/**
 * The rows of documents, in a segment of their own.
 *
 * @param dimensions of the vectors; absent in an index without
 * @param kept vectors that are there already, by chunk id
 */
export function newRows(
  lance: Lance,
  dimensions: number | undefined,
  written: readonly PlannedDocument[],
  kept: ReadonlyMap<string, Float32Array | undefined>,
): NewRows {
  if (written.length === 0) return {};
  const segment = newName();
  const postings = new Map<string, Posting>();
  const chunkRows: ChunkRow[] = [];
  const documents = written.map(({ change, chunks }, number): DocumentRow => {
    const revision = `${segment}.${number}`;
    const rows = chunks.map((planned) => chunkRow(planned, change.document, revision, kept));
    addDocument(
      postings,
      number,
      chunks.map(({ fields }) => fields),
    );
    for (const row of rows) chunkRows.push(row);
    return { change, chunks, revision, vectors: rows.filter(({ vector }) => vector !== undefined).length };
  });
  const schemas = schemasOf(lance, dimensions);
  const { Table } = lance.arrow;
  return {
    document: new Table(schemas.document, documentColumns(lance, segment, documents)),
    ...(chunkRows.length > 0 && { chunk: new Table(schemas.chunk, chunkColumns(lance, dimensions, chunkRows)) }),
    ...(postings.size > 0 && { posting: postingTable(lance, segment, postings) }),
  };
}

interface DocumentRow extends PlannedDocument {
  readonly revision: string;
  readonly vectors: number;
}

function chunkRow(
  { chunk, fields, vector }: PlannedChunk,
  document: ChunkRow["document"],
  revision: string,
  kept: ReadonlyMap<string, Float32Array | undefined>,
): ChunkRow {
  const terms = new Set(LEXICAL_FIELDS.flatMap((name) => [...(fields[name]?.terms.keys() ?? [])])).size;
  return {
    chunk,
    document,
    revision,
    terms,
    vector: vector === "stored" ? kept.get(chunk.id) : vector && unitVector(vector),
  };
}

function documentColumns(lance: Lance, segment: string, rows: readonly DocumentRow[]): Record<string, Column> {
  const text = (read: (row: DocumentRow) => string): Column => textColumn(lance, rows.map(read));
  const integer = (values: readonly number[]): Column => integerColumn(lance, values);
  return {
    ...filterColumns(
      lance,
      rows.map(({ change }) => change.document),
    ),
    record: text(({ change }) => JSON.stringify(change.document)),
    outline: text(({ change }) => JSON.stringify(change.outline)),
    chunk_ids: text(({ chunks }) => JSON.stringify(chunks.map(({ chunk }) => chunk.id))),
    revision: text(({ revision }) => revision),
    segment: text(() => segment),
    segment_size: integer(rows.map(() => rows.length)),
    number: integer([...rows.keys()]),
    chunks: integer(rows.map(({ chunks }) => chunks.length)),
    vectors: integer(rows.map(({ vectors }) => vectors)),
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
  return new lance.arrow.Table(schemasOf(lance, undefined).posting, {
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
