// The postings of a term in one segment: an entry for each document that holds it, one after the other.
//
// All numbers are varints; occurrences and lengths are in half units. The document's number in the segment and how many
// of its chunks hold the term; then for each of these chunks its place in the document, its fields that hold the term
// as bits (`1 << i` stands for LEXICAL_FIELDS[i]), and for each of them occurrences and length.

import { LEXICAL_FIELDS, type LexicalFields } from "@docsearch/spec";

export const FIELD_COUNT: number = LEXICAL_FIELDS.length;
export const TITLE: number = LEXICAL_FIELDS.indexOf("title");
export const ANCESTORS: number = LEXICAL_FIELDS.indexOf("ancestors");
export const PATH: number = LEXICAL_FIELDS.indexOf("path");

/** The postings of a term. */
export interface Posting {
  /** Number of chunks that hold it. */
  chunks: number;
  readonly bytes: ByteList;
}

/** Lengths in half units by field. */
export function lengthsOf(fields: LexicalFields): number[] {
  return LEXICAL_FIELDS.map((name) => (fields[name]?.length ?? 0) * 2);
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

/** Adds the entries of a document to the postings of its terms. */
export function addDocument(postings: Map<string, Posting>, number: number, chunks: readonly LexicalFields[]): void {
  const holders = new Map<string, { chunks: number; readonly numbers: number[] }>();
  chunks.forEach((fields, place) => {
    for (const [term, [mask, numbers]] of occurrencesOf(fields)) {
      let holder = holders.get(term);
      if (holder === undefined) {
        holder = { chunks: 0, numbers: [] };
        holders.set(term, holder);
      }
      holder.chunks++;
      holder.numbers.push(place, mask, ...numbers);
    }
  });
  for (const [term, holder] of holders) {
    const posting = postingOf(postings, term);
    posting.chunks += holder.chunks;
    posting.bytes.push(number);
    posting.bytes.push(holder.chunks);
    for (const each of holder.numbers) posting.bytes.push(each);
  }
}

export function postingOf(postings: Map<string, Posting>, term: string): Posting {
  let posting = postings.get(term);
  if (posting === undefined) {
    posting = { chunks: 0, bytes: new ByteList() };
    postings.set(term, posting);
  }
  return posting;
}

/** By term the fields that hold it as bits, and occurrences and length in each of them. */
function occurrencesOf(fields: LexicalFields): Map<string, [mask: number, number[]]> {
  const lengths = lengthsOf(fields);
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

/** Bytes that grow, written as varints. */
export class ByteList {
  #bytes = new Uint8Array(16);
  #length = 0;

  push(number: number): void {
    if (this.#length + 8 > this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#bytes.length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    let rest = number;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** Reads varints. */
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
}
