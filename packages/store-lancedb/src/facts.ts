import { compareCodeUnits, FIELD_COUNT } from "@docsearch/store-kit";
import type { Table } from "@lancedb/lancedb";
import { numberRowsOf, numbersOf, rowIdsOf, textsOf } from "./rows.js";

/** Of all documents at one time what every search needs. A document is known by its index here. */
export interface Facts {
  readonly ids: readonly string[];
  readonly indexOfId: ReadonlyMap<string, number>;
  readonly revisions: readonly string[];
  /** Revisions in the table that count for nothing, because there is a later one of the same document. */
  readonly shadowed: readonly string[];
  /** By which LanceDB finds the row again, in the same version of the table. */
  readonly rowIds: readonly bigint[];
  /**
   * Number of the first chunk; one more at the end. The chunks of all documents are numbered one after the other in the
   * order of the documents and of their ordinals.
   */
  readonly firstChunk: Int32Array;
  readonly segments: ReadonlyMap<string, Segment>;
  /** Sums of the lengths of all chunks, and of all documents, in half units by field. */
  readonly chunkLengths: readonly number[];
  readonly documentLengths: readonly number[];
  /** Of each document as a whole, one document after the other. */
  readonly lengths: Float64Array;
}

/** Documents whose postings are written together. */
export interface Segment {
  /** Index of the document by its number in the segment; -1 where none is. */
  readonly documents: Int32Array;
  readonly chunks: number;
  /** Whether all documents are there that it was written with. */
  readonly isWhole: boolean;
}

const FACT_COLUMNS: readonly string[] = [
  "document_id",
  "revision",
  "segment",
  "segment_size",
  "number",
  "chunks",
  "lengths",
  "_rowid",
];

/** Reads the facts of the state that a handle shows. */
export async function readFacts(document: Table): Promise<Facts> {
  const found = await document
    .query()
    .withRowId()
    .select([...FACT_COLUMNS])
    .toArrow();
  const allIds = textsOf(found, "document_id");
  const allRevisions = textsOf(found, "revision");
  const rows = latestRows(allIds, allRevisions);
  const pick = <T>(values: readonly T[]): readonly T[] =>
    rows.length === values.length ? values : rows.map((row) => values[row]!);
  const counts = pick(numbersOf(found, "chunks"));
  const firstChunk = new Int32Array(rows.length + 1);
  counts.forEach((count, i) => {
    firstChunk[i + 1] = firstChunk[i]! + count;
  });
  const ids = pick(allIds);
  const alive = new Set(rows);
  return {
    ids,
    indexOfId: new Map(ids.map((id, i) => [id, i])),
    revisions: pick(allRevisions),
    shadowed: allRevisions.filter((_, row) => !alive.has(row)),
    rowIds: pick(rowIdsOf(found)),
    firstChunk,
    segments: segmentsOf(
      pick(textsOf(found, "segment")),
      pick(numbersOf(found, "number")),
      pick(numbersOf(found, "segment_size")),
      counts,
    ),
    ...lengthsOfRows(numberRowsOf(found, "lengths"), rows),
  };
}

/** Rows of documents. Of two with one id, which two processes wrote at the same time, the one that was begun later. */
function latestRows(ids: readonly string[], revisions: readonly string[]): number[] {
  const rows = new Map<string, number>();
  ids.forEach((id, row) => {
    const other = rows.get(id);
    if (other === undefined || revisions[other]! < revisions[row]!) rows.set(id, row);
  });
  return [...rows.values()];
}

/** @param all values of the column `lengths`, one row after the other */
function lengthsOfRows(
  all: Float64Array,
  rows: readonly number[],
): Pick<Facts, "chunkLengths" | "documentLengths" | "lengths"> {
  const lengths = new Float64Array(rows.length * FIELD_COUNT);
  const [chunkLengths, documentLengths] = [zeros(), zeros()];
  rows.forEach((row, i) => {
    for (let field = 0; field < FIELD_COUNT; field++) {
      const at = row * 2 * FIELD_COUNT + field;
      chunkLengths[field]! += all[at]!;
      documentLengths[field]! += all[at + FIELD_COUNT]!;
      lengths[i * FIELD_COUNT + field] = all[at + FIELD_COUNT]!;
    }
  });
  return { chunkLengths, documentLengths, lengths };
}

export function chunkCount({ ids, firstChunk }: Facts): number {
  return firstChunk[ids.length]!;
}

/** Index of the document that a chunk belongs to, by the number of the chunk. */
export function documentOfChunk({ firstChunk }: Facts, chunk: number): number {
  let low = 0;
  let high = firstChunk.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (firstChunk[middle]! <= chunk) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether a row of a document's revision is there: others are on their way in or out. */
export function isThere({ indexOfId, revisions }: Facts, documentId: string, revision: string): boolean {
  return revisions[indexOfId.get(documentId) ?? -1] === revision;
}

/** The ids in code unit order. */
export function sortedIds({ ids }: Facts): string[] {
  return [...ids].sort(compareCodeUnits);
}

function segmentsOf(
  names: readonly string[],
  numbers: readonly number[],
  sizes: readonly number[],
  counts: readonly number[],
): Map<string, Segment> {
  const ends = new Map<string, number>();
  names.forEach((name, i) => {
    ends.set(name, Math.max(ends.get(name) ?? 0, numbers[i]! + 1));
  });
  const segments = new Map<string, { readonly documents: Int32Array; chunks: number; isWhole: boolean }>();
  const missing = new Map<string, number>();
  names.forEach((name, i) => {
    let segment = segments.get(name);
    if (segment === undefined) {
      segment = { documents: new Int32Array(ends.get(name)!).fill(-1), chunks: 0, isWhole: false };
      segments.set(name, segment);
    }
    segment.documents[numbers[i]!] = i;
    segment.chunks += counts[i]!;
    missing.set(name, (missing.get(name) ?? sizes[i]!) - 1);
  });
  for (const [name, segment] of segments) segment.isWhole = missing.get(name) === 0;
  return segments;
}

function zeros(): number[] {
  return Array.from({ length: FIELD_COUNT }, () => 0);
}
