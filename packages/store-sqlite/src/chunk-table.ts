import { LEXICAL_FIELDS } from "@docsearch/spec";
import { bytesOf, FIELD_COUNT } from "./chunk-blocks.js";
import type { Connection } from "./driver.js";
import type { DocumentSet } from "./filter-sql.js";
import type { State } from "./meta.js";
import { BLOCK_SLOTS } from "./slots.js";

const TITLE = LEXICAL_FIELDS.indexOf("title");
const ANCESTORS = LEXICAL_FIELDS.indexOf("ancestors");
const PATH = LEXICAL_FIELDS.indexOf("path");

/**
 * What every query needs of all chunks, in memory: 32 bytes a chunk. It is read from `chunk_block` when it is first
 * needed; after a write only the blocks that changed are read again. Arrays by chunk are indexed by slot less `first`,
 * arrays by document by an ordinal that holds until the next refresh.
 */
export class ChunkTable {
  /** Slot of index 0. */
  first = 0;
  /** Number of slots, those not in use included. */
  size = 0;
  /** Number of chunks. */
  chunkCount = 0;
  /** Number of documents, those without chunks included. */
  documentCount = 0;
  /** Number of documents with chunks; ordinals are below it. */
  ordinalCount = 0;
  /** Slot of the document by chunk; 0 where there is no chunk. */
  documents: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Ordinal of the document by chunk; -1 where there is no chunk. */
  ordinals: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Lengths in half units, by field and chunk. */
  lengths: readonly Uint32Array[] = LEXICAL_FIELDS.map(() => new Uint32Array(0));
  /** Slot of the document by ordinal. */
  documentSlots: Int32Array<ArrayBuffer> = new Int32Array(0);
  /** Lengths in half units, by field and ordinal. */
  documentLengths: readonly Uint32Array[] = LEXICAL_FIELDS.map(() => new Uint32Array(0));
  /** Sums of the lengths of all chunks, by field, in half units. */
  readonly chunkTotals: Float64Array = new Float64Array(FIELD_COUNT);
  /** Sums of the lengths of all documents, by field, in half units. */
  readonly documentTotals: Float64Array = new Float64Array(FIELD_COUNT);
  /** Rises with every refresh that changed something. */
  version = 0;
  #generation = -1;
  #numbering = "";

  /** Brings the table up to a state. Call it in the transaction in which the state was read. */
  refresh(connection: Connection, state: State): void {
    if (state.generation === this.#generation && state.numbering === this.#numbering) return;
    if (state.numbering !== this.#numbering) {
      this.size = 0;
      this.#generation = -1;
    }
    this.#reserve(connection);
    const rows = connection.prepare<{ block: number; documents: Uint8Array; lengths: Uint8Array }>(
      "SELECT block, documents, lengths FROM chunk_block WHERE stamp > ?",
    );
    const documents = bytesOf(this.documents);
    const blockLengths = new Uint32Array(BLOCK_SLOTS * FIELD_COUNT);
    for (const row of rows.iterate(this.#generation)) {
      const chunk = row.block * BLOCK_SLOTS - this.first;
      documents.set(row.documents, chunk * 4);
      bytesOf(blockLengths).set(row.lengths);
      this.lengths.forEach((lengths, field) => {
        lengths.set(blockLengths.subarray(field * BLOCK_SLOTS, (field + 1) * BLOCK_SLOTS), chunk);
      });
    }
    this.documentCount = connection.prepare<{ n: number }>("SELECT count(*) AS n FROM document").get()!.n;
    this.#countDocuments();
    this.#generation = state.generation;
    this.#numbering = state.numbering;
    this.version++;
  }

  /** Whether there is a chunk in a slot. */
  holds(slot: number): boolean {
    const chunk = slot - this.first;
    return chunk >= 0 && chunk < this.size && this.documents[chunk] !== 0;
  }

  /** From a set of documents by slot to their chunks: 1 by chunk. */
  chunksOf(documents: DocumentSet): Uint8Array {
    const chunks = new Uint8Array(this.size);
    for (let i = 0; i < this.size; i++) chunks[i] = documents[this.documents[i]!]!;
    return chunks;
  }

  /** Makes room for every block there is. */
  #reserve(connection: Connection): void {
    const { low, high } = connection
      .prepare<{ low: number | null; high: number | null }>(
        "SELECT min(block) AS low, max(block) AS high FROM chunk_block",
      )
      .get()!;
    if (low === null || high === null) {
      this.size = 0;
      return;
    }
    if (this.size === 0) this.first = low * BLOCK_SLOTS;
    const kept = this.size;
    this.size = (high + 1) * BLOCK_SLOTS - this.first;
    if (this.size > this.documents.length) {
      const capacity = Math.ceil((this.size * 9) / 8);
      const { documents } = this;
      this.documents = new Int32Array(capacity);
      this.documents.set(documents.subarray(0, kept));
      this.lengths = this.lengths.map((lengths) => {
        const larger = new Uint32Array(capacity);
        larger.set(lengths.subarray(0, kept));
        return larger;
      });
      this.ordinals = new Int32Array(capacity);
    } else {
      this.documents.fill(0, kept, this.size);
      for (const lengths of this.lengths) lengths.fill(0, kept, this.size);
    }
  }

  /** Everything that follows from `documents` and `lengths`. */
  #countDocuments(): void {
    const { documents, ordinals, size } = this;
    const slots = new Int32Array(this.documentCount);
    let ordinal = -1;
    let chunks = 0;
    for (let chunk = 0; chunk < size; chunk++) {
      const document = documents[chunk]!;
      if (document === 0) {
        ordinals[chunk] = -1;
        continue;
      }
      // The chunks of a document follow one another.
      if (ordinal < 0 || slots[ordinal] !== document) slots[++ordinal] = document;
      ordinals[chunk] = ordinal;
      chunks++;
    }
    this.chunkCount = chunks;
    this.documentSlots = slots;
    this.ordinalCount = ordinal + 1;
    this.documentLengths = this.lengths.map((lengths, field) => this.#addLengths(lengths, field));
  }

  /** Adds up the lengths of one field by document, and its totals. */
  #addLengths(lengths: Uint32Array, field: number): Uint32Array {
    const { ordinals, size } = this;
    const sums = new Uint32Array(this.ordinalCount);
    const repeated = field === TITLE || field === PATH;
    let total = 0;
    for (let chunk = 0; chunk < size; chunk++) {
      const ordinal = ordinals[chunk]!;
      if (ordinal < 0) continue;
      const length = lengths[chunk]!;
      total += length;
      sums[ordinal] = repeated ? Math.max(sums[ordinal]!, length) : sums[ordinal]! + length;
    }
    if (field === ANCESTORS) sums.fill(0);
    this.chunkTotals[field] = total;
    this.documentTotals[field] = repeated || field === ANCESTORS ? totalOf(sums) : total;
    return sums;
  }
}

function totalOf(lengths: Uint32Array): number {
  let total = 0;
  for (let i = 0; i < lengths.length; i++) total += lengths[i]!;
  return total;
}
