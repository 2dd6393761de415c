import { codeUnitKey } from "@docsearch/store-kit";
import type { Connection } from "../driver.js";
import { PostingListWriter } from "./postings-codec.js";
import { insertList, insertSegment } from "./segments.js";

const INITIAL_POSTINGS = 1 << 14;
/** Room for the field beside its occurrences. */
const FIELD_BITS = 3;

/**
 * Gathers the postings of one write and adds them as a segment. They are kept in the order in which they come, as
 * numbers in three columns, and sorted by term at the end: a list for each of ten thousands of terms would cost more
 * to make and collect than all its postings.
 */
export class SegmentWriter {
  readonly #connection: Connection;
  /** Number of the term, from 0, in the order of their first occurrence. */
  readonly #terms = new Map<string, number>();
  /** The last slot by term. */
  #lastSlots = new Int32Array(INITIAL_POSTINGS);
  /** Postings by term: one for each slot and field. */
  #counts = new Int32Array(INITIAL_POSTINGS);
  /** By posting: the term, the slot, and occurrences with the field below them. */
  #termOf = new Int32Array(INITIAL_POSTINGS);
  #slotOf = new Int32Array(INITIAL_POSTINGS);
  #contentOf = new Int32Array(INITIAL_POSTINGS);
  #length = 0;
  #entries = 0;
  #firstSlot = 0;
  #lastSlot = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * @param slot rises from call to call; the fields of one come one after the other
   * @param field index in LEXICAL_FIELDS
   * @param occurrences in half units
   * @returns true when the slot is new to the term's list
   */
  add(term: string, slot: number, field: number, occurrences: number): boolean {
    if (this.#length === 0) this.#firstSlot = slot;
    this.#lastSlot = slot;
    let number = this.#terms.get(term);
    if (number === undefined) {
      number = this.#terms.size;
      this.#terms.set(term, number);
      if (number === this.#counts.length) this.#growTerms();
      this.#lastSlots[number] = -1;
      this.#counts[number] = 0;
    }
    if (this.#length === this.#termOf.length) this.#growPostings();
    const posting = this.#length++;
    this.#termOf[posting] = number;
    this.#slotOf[posting] = slot;
    this.#contentOf[posting] = (occurrences << FIELD_BITS) | field;
    this.#counts[number]!++;
    if (this.#lastSlots[number] === slot) return false;
    this.#lastSlots[number] = slot;
    this.#entries++;
    return true;
  }

  finish(): void {
    if (this.#length === 0) return;
    const segment = insertSegment(this.#connection, this.#firstSlot, this.#lastSlot, this.#entries);
    const { order, starts } = this.#sortedByTerm();
    const list = new PostingListWriter();
    // Strings sort as their keys do.
    for (const term of [...this.#terms.keys()].sort()) {
      const number = this.#terms.get(term)!;
      list.begin(this.#firstSlot);
      for (let i = starts[number]!; i < starts[number + 1]!; i++) {
        const content = this.#contentOf[order[i]!]!;
        list.add(this.#slotOf[order[i]!]!, content & (2 ** FIELD_BITS - 1), content >>> FIELD_BITS);
      }
      insertList(this.#connection, segment, codeUnitKey(term), list);
    }
    this.#terms.clear();
    this.#length = 0;
    this.#entries = 0;
  }

  /** The postings in the order of their terms, those of a term as they came; and where those of each term begin. */
  #sortedByTerm(): { readonly order: Int32Array; readonly starts: Int32Array } {
    const terms = this.#terms.size;
    const starts = new Int32Array(terms + 1);
    for (let term = 0; term < terms; term++) starts[term + 1] = starts[term]! + this.#counts[term]!;
    const next = starts.slice();
    const order = new Int32Array(this.#length);
    for (let posting = 0; posting < this.#length; posting++) order[next[this.#termOf[posting]!]!++] = posting;
    return { order, starts };
  }

  #growTerms(): void {
    this.#lastSlots = larger(this.#lastSlots);
    this.#counts = larger(this.#counts);
  }

  #growPostings(): void {
    this.#termOf = larger(this.#termOf);
    this.#slotOf = larger(this.#slotOf);
    this.#contentOf = larger(this.#contentOf);
  }
}

function larger(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(numbers.length * 2);
  copy.set(numbers);
  return copy;
}
