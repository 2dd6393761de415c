import type { Connection } from "../driver.js";
import type { Segment } from "./segments.js";

/** One term's postings in one segment. */
export interface TermList {
  /** Slot from which the first distance is counted. */
  readonly firstSlot: number;
  /** Number of entries. */
  readonly chunks: number;
  readonly bytes: Uint8Array;
}

/** A term and its lists in all segments that hold it, by age of the segment. */
export interface TermLists {
  readonly term: Uint8Array;
  readonly lists: readonly TermList[];
}

interface PostingRow {
  readonly term: Uint8Array;
  readonly chunks: number;
  readonly bytes: Uint8Array;
}

/** Rows that are read from a segment at a time. */
const PAGE_ROWS = 256;

/**
 * The terms of several segments in order, each once. Between two terms the connection is free for other statements.
 *
 * @param from the first term, inclusive
 * @param end the end of the terms, exclusive; without it to the last
 * @param wanted how many terms will do, most often: no more are read at first
 */
export function* termsOf(
  connection: Connection,
  segments: readonly Segment[],
  from: Uint8Array = new Uint8Array(0),
  end?: Uint8Array,
  wanted: number = PAGE_ROWS,
): Generator<TermLists> {
  const cursors = segments.map((segment) => new TermCursor(connection, segment, from, end, wanted));
  for (;;) {
    let least: Uint8Array | undefined;
    for (const { row } of cursors) {
      if (row !== undefined && (least === undefined || Buffer.compare(row.term, least) < 0)) least = row.term;
    }
    if (least === undefined) return;
    const lists: TermList[] = [];
    const read: TermCursor[] = [];
    for (const cursor of cursors) {
      const { row } = cursor;
      if (row === undefined || Buffer.compare(row.term, least) !== 0) continue;
      lists.push({ firstSlot: cursor.firstSlot, chunks: row.chunks, bytes: row.bytes });
      read.push(cursor);
    }
    yield { term: least, lists };
    // Not before the next term is wanted: it may have to be read.
    for (const cursor of read) cursor.next();
  }
}

/** Walks through the terms of one segment. */
class TermCursor {
  readonly firstSlot: number;
  /** The current row; `undefined` at the end. */
  row: PostingRow | undefined;
  readonly #connection: Connection;
  readonly #segment: number;
  readonly #end: Uint8Array | undefined;
  #page: readonly PostingRow[] = [];
  #isLastPage = false;
  #index = 0;

  constructor(connection: Connection, segment: Segment, from: Uint8Array, end: Uint8Array | undefined, wanted: number) {
    this.firstSlot = segment.first_slot;
    this.#connection = connection;
    this.#segment = segment.id;
    this.#end = end;
    this.#read(">=", from, Math.min(wanted, PAGE_ROWS));
  }

  next(): void {
    this.#index++;
    if (this.#index === this.#page.length && !this.#isLastPage) this.#read(">", this.row!.term, PAGE_ROWS);
    else this.row = this.#page[this.#index];
  }

  #read(comparison: ">=" | ">", term: Uint8Array, rows: number): void {
    const select = this.#connection.prepare<PostingRow>(
      `SELECT term, chunks, bytes FROM posting
       WHERE segment = ? AND term ${comparison} ? ${this.#end === undefined ? "" : "AND term < ?"}
       ORDER BY term LIMIT ?`,
    );
    this.#page =
      this.#end === undefined
        ? select.all(this.#segment, term, rows)
        : select.all(this.#segment, term, this.#end, rows);
    this.#isLastPage = this.#page.length < rows;
    this.#index = 0;
    this.row = this.#page[0];
  }
}
