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
 */
export function* termsOf(
  connection: Connection,
  segments: readonly Segment[],
  from: Uint8Array = new Uint8Array(0),
  end?: Uint8Array,
): Generator<TermLists> {
  const cursors = segments.map((segment) => new TermCursor(connection, segment, from, end));
  for (;;) {
    let least: Uint8Array | undefined;
    for (const { row } of cursors) {
      if (row !== undefined && (least === undefined || Buffer.compare(row.term, least) < 0)) least = row.term;
    }
    if (least === undefined) return;
    const lists: TermList[] = [];
    for (const cursor of cursors) {
      const { row } = cursor;
      if (row === undefined || Buffer.compare(row.term, least) !== 0) continue;
      lists.push({ firstSlot: cursor.firstSlot, chunks: row.chunks, bytes: row.bytes });
      cursor.next();
    }
    yield { term: least, lists };
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
  #index = 0;

  constructor(connection: Connection, segment: Segment, from: Uint8Array, end: Uint8Array | undefined) {
    this.firstSlot = segment.first_slot;
    this.#connection = connection;
    this.#segment = segment.id;
    this.#end = end;
    this.#read(">=", from);
  }

  next(): void {
    this.#index++;
    if (this.#index === this.#page.length && this.#index === PAGE_ROWS) this.#read(">", this.row!.term);
    else this.row = this.#page[this.#index];
  }

  #read(comparison: ">=" | ">", term: Uint8Array): void {
    const select = this.#connection.prepare<PostingRow>(
      `SELECT term, chunks, bytes FROM posting
       WHERE segment = ? AND term ${comparison} ? ${this.#end === undefined ? "" : "AND term < ?"}
       ORDER BY term LIMIT ${PAGE_ROWS}`,
    );
    this.#page = this.#end === undefined ? select.all(this.#segment, term) : select.all(this.#segment, term, this.#end);
    this.#index = 0;
    this.row = this.#page[0];
  }
}
