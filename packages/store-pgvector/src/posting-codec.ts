// An entry says how often the chunks of one document hold one term. It has all that scoring needs, so that a search
// reads nothing but entries, and those of many documents stand one after the other without borders.
//
// All numbers are varints; lengths and occurrences are in half units. The slot of the document, the number of its chunks
// that hold the term, the document's lengths of DOCUMENT_FIELDS; then for each of these chunks its slot, its fields that
// hold the term as bits (`1 << i` stands for LEXICAL_FIELDS[i]), and for each of them occurrences and length.

import { LEXICAL_FIELDS, type LexicalFields } from "@docsearch/spec";
import { ANCESTORS, documentLengths, type EntryReader, lengthsOf, occurrencesOf } from "@docsearch/store-kit";

/** Fields of a document as a whole, as indexes of LEXICAL_FIELDS: all but `ancestors`. */
const DOCUMENT_FIELDS: readonly number[] = LEXICAL_FIELDS.map((_, i) => i).filter((i) => i !== ANCESTORS);

/** A chunk as the lexical index sees it. */
export interface FieldsOfSlot {
  readonly slot: number;
  readonly fields: LexicalFields;
}

/** By field: `start` and all of `plus` less all of `minus`. */
export function addLengths(
  start: readonly number[],
  plus: readonly (readonly number[])[],
  minus: readonly (readonly number[])[],
): number[] {
  return start.map((value, field) => {
    let total = value;
    for (const lengths of plus) total += lengths[field]!;
    for (const lengths of minus) total -= lengths[field]!;
    return total;
  });
}

export interface Entry {
  /** Number of chunks that hold the term. */
  readonly chunks: number;
  readonly bytes: Uint8Array;
}

/** The entries of a document by term. */
export function encodeDocument(slot: number, chunks: readonly FieldsOfSlot[]): Map<string, Entry> {
  const chunkLengths = chunks.map(({ fields }) => lengthsOf(fields));
  const lengths = documentLengths(chunkLengths);
  /** By term: number of chunks, and their numbers. */
  const holders = new Map<string, { chunks: number; readonly numbers: number[] }>();
  chunks.forEach(({ slot: chunkSlot, fields }, i) => {
    for (const [term, [mask, numbers]] of occurrencesOf(fields, chunkLengths[i]!)) {
      let holder = holders.get(term);
      if (holder === undefined) {
        holder = { chunks: 0, numbers: [] };
        holders.set(term, holder);
      }
      holder.chunks++;
      holder.numbers.push(chunkSlot, mask, ...numbers);
    }
  });
  const entries = new Map<string, Entry>();
  for (const [term, { chunks: count, numbers }] of holders) {
    const head = [slot, count, ...DOCUMENT_FIELDS.map((field) => lengths[field]!)];
    entries.set(term, { chunks: count, bytes: varints(head, numbers) });
  }
  return entries;
}

function varints(head: readonly number[], tail: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const list of [head, tail]) {
    for (const number of list) {
      let rest = number;
      while (rest > 127) {
        bytes.push((rest % 128) + 128);
        rest = Math.floor(rest / 128);
      }
      bytes.push(rest);
    }
  }
  return Uint8Array.from(bytes);
}

/** The document's lengths, which come next, into `lengths` by field. */
export function readDocumentLengths(reader: EntryReader, lengths: Float64Array): void {
  for (const field of DOCUMENT_FIELDS) lengths[field] = reader.next();
}
