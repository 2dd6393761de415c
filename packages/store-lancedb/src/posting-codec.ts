// The postings of a term in one segment: an entry for each document that holds it, one after the other.
//
// All numbers are varints; occurrences and lengths are in half units. The document's number in the segment and how many
// of its chunks hold the term; then for each of these chunks its place in the document, its fields that hold the term
// as bits (`1 << i` stands for LEXICAL_FIELDS[i]), and for each of them occurrences and length.

import type { LexicalFields } from "@docsearch/spec";
import { lengthsOf, occurrencesOf } from "@docsearch/store-kit";

/** The postings of a term. */
export interface Posting {
  /** Number of chunks that hold it. */
  chunks: number;
  readonly bytes: ByteList;
}

/** Adds the entries of a document to the postings of its terms. */
export function addDocument(postings: Map<string, Posting>, number: number, chunks: readonly LexicalFields[]): void {
  const holders = new Map<string, { chunks: number; readonly numbers: number[] }>();
  chunks.forEach((fields, place) => {
    for (const [term, [mask, numbers]] of occurrencesOf(fields, lengthsOf(fields))) {
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
