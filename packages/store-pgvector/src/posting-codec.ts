// An entry says how often the chunks of one document hold one term. It has all that scoring needs, so that a search
// reads nothing but entries, and those of many documents stand one after the other without borders.
//
// All numbers are varints; lengths and occurrences are in half units. The slot of the document, the number of its chunks
// that hold the term, the document's lengths of DOCUMENT_FIELDS; then for each of these chunks its slot, its fields that
// hold the term as bits (`1 << i` stands for LEXICAL_FIELDS[i]), and for each of them occurrences and length.

import { LEXICAL_FIELDS, type LexicalFields } from "@docsearch/spec";

export const FIELD_COUNT: number = LEXICAL_FIELDS.length;
export const TITLE: number = LEXICAL_FIELDS.indexOf("title");
export const ANCESTORS: number = LEXICAL_FIELDS.indexOf("ancestors");
export const PATH: number = LEXICAL_FIELDS.indexOf("path");

/** Fields of a document as a whole, as indexes of LEXICAL_FIELDS: all but `ancestors`. */
const DOCUMENT_FIELDS: readonly number[] = LEXICAL_FIELDS.map((_, i) => i).filter((i) => i !== ANCESTORS);

/** A chunk as the lexical index sees it. */
export interface FieldsOfSlot {
  readonly slot: number;
  readonly fields: LexicalFields;
}

/** Lengths in half units by field. */
export function lengthsOf(fields: LexicalFields): number[] {
  return LEXICAL_FIELDS.map((name) => (fields[name]?.length ?? 0) * 2);
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

/** Lengths of a document as a whole, from those of its chunks: see `TextHits.documents`. */
export function documentLengths(chunks: readonly (readonly number[])[]): number[] {
  return LEXICAL_FIELDS.map((_, field) => {
    const lengths = chunks.map((chunk) => chunk[field]!);
    if (field === ANCESTORS) return 0;
    if (field === TITLE || field === PATH) return lengths.reduce((most, length) => Math.max(most, length), 0);
    return lengths.reduce((sum, length) => sum + length, 0);
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

/** By term the fields that hold it as bits, and occurrences and length in each of them. */
function occurrencesOf(fields: LexicalFields, lengths: readonly number[]): Map<string, [mask: number, number[]]> {
  const found = new Map<string, [number, number[]]>();
  LEXICAL_FIELDS.forEach((name, field) => {
    for (const [term, occurrences] of fields[name]?.terms ?? []) {
      let entry = found.get(term);
      if (entry === undefined) {
        entry = [0, []];
        found.set(term, entry);
      }
      entry[0] |= 1 << field;
      entry[1].push(occurrences * 2, lengths[field]!);
    }
  });
  return found;
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

/** Reads the varints of entries one after the other. */
export class EntryReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++]!;
    if (byte < 128) return byte;
    let value = byte - 128;
    let unit = 128;
    do {
      byte = bytes[this.#at++]!;
      value += (byte & 127) * unit;
      unit *= 128;
    } while (byte > 127);
    return value;
  }

  /** The document's lengths, into `lengths` by field. */
  readDocumentLengths(lengths: Float64Array): void {
    for (const field of DOCUMENT_FIELDS) lengths[field] = this.next();
  }
}
