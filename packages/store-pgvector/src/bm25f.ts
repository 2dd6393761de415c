import { type Bm25fParameters, LEXICAL_FIELDS } from "@docsearch/spec";
import { ANCESTORS, EntryReader, FIELD_COUNT, PATH, TITLE } from "@docsearch/store-kit";
import { readDocumentLengths } from "./posting-codec.js";

/** What the formula needs of all chunks, or of all documents. */
export interface UnitTotals {
  /** Number of units: N. */
  readonly units: number;
  /** Sums of their lengths in half units, by field. */
  readonly lengths: readonly number[];
}

/**
 * Scores chunks and documents by the formula of `Bm25fParameters`, term by term, in double precision and in the order of
 * the formula, so that equal chunks have equal scores, and those of the memory store. One object serves one search.
 */
export class Bm25fScorer {
  /** Score by slot. */
  readonly chunkScores: Float64Array;
  /** Score by slot. */
  readonly documentScores: Float64Array;
  /** Slot of the document by slot of the chunk, for chunks that hold a term. */
  readonly documentOfChunk: Int32Array;
  readonly #k1: number;
  readonly #weights: readonly number[];
  readonly #bs: readonly number[];
  readonly #chunks: UnitTotals;
  readonly #documents: UnitTotals;
  /** Occurrences in the document at hand, and its lengths, in half units by field. */
  readonly #sums = new Float64Array(FIELD_COUNT);
  readonly #lengths = new Float64Array(FIELD_COUNT);
  #chunkSum = 0;
  #documentSum = 0;

  /** @param size above every slot */
  constructor(parameters: Bm25fParameters, chunks: UnitTotals, documents: UnitTotals, size: number) {
    this.chunkScores = new Float64Array(size);
    this.documentScores = new Float64Array(size);
    this.documentOfChunk = new Int32Array(size);
    this.#k1 = parameters.k1;
    this.#weights = LEXICAL_FIELDS.map((name) => parameters.fields[name].weight);
    this.#bs = LEXICAL_FIELDS.map((name) => parameters.fields[name].b);
    this.#chunks = chunks;
    this.#documents = documents;
  }

  /**
   * Adds one term of the query, and sets `marks` to 1 for every chunk that holds it.
   *
   * @param entries those of all documents, one after the other
   */
  addTerm(weight: number, entries: Uint8Array, marks: Uint8Array): void {
    const chunkSlots: number[] = [];
    const chunkFrequencies: number[] = [];
    const documentSlots: number[] = [];
    const documentFrequencies: number[] = [];
    const reader = new EntryReader(entries);
    const sums = this.#sums;
    while (!reader.done) {
      const document = reader.next();
      const count = reader.next();
      readDocumentLengths(reader, this.#lengths);
      let held = 0;
      sums.fill(0);
      for (let i = 0; i < count; i++) {
        const slot = reader.next();
        const mask = reader.next();
        held |= mask;
        marks[slot] = 1;
        this.documentOfChunk[slot] = document;
        chunkSlots.push(slot);
        chunkFrequencies.push(this.#readChunk(reader, mask));
      }
      held &= ~(1 << ANCESTORS);
      if (held === 0) continue;
      documentSlots.push(document);
      documentFrequencies.push(this.#documentFrequency(held));
    }
    this.#chunkSum += this.#addScores(this.chunkScores, chunkSlots, chunkFrequencies, weight, this.#chunks.units);
    this.#documentSum += this.#addScores(
      this.documentScores,
      documentSlots,
      documentFrequencies,
      weight,
      this.#documents.units,
    );
  }

  /** What a chunk and a document would score in which every term added so far occurred without end. */
  ceiling(): { chunks: number; documents: number } {
    return { chunks: (this.#k1 + 1) * this.#chunkSum, documents: (this.#k1 + 1) * this.#documentSum };
  }

  /** The frequency of the term in a chunk; adds its occurrences to those of the document. */
  #readChunk(reader: EntryReader, mask: number): number {
    const sums = this.#sums;
    let frequency = 0;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const field = 31 - Math.clz32(rest & -rest);
      const occurrences = reader.next();
      frequency += this.#part(field, occurrences, reader.next(), this.#chunks);
      if (field === TITLE || field === PATH) sums[field] = Math.max(sums[field]!, occurrences);
      else sums[field] = sums[field]! + occurrences;
    }
    return frequency;
  }

  #documentFrequency(held: number): number {
    let frequency = 0;
    for (let rest = held; rest !== 0; rest &= rest - 1) {
      const field = 31 - Math.clz32(rest & -rest);
      frequency += this.#part(field, this.#sums[field]!, this.#lengths[field]!, this.#documents);
    }
    return frequency;
  }

  /** `weight * occurrences / (1 - b + b * length / average length)` */
  #part(field: number, occurrences: number, length: number, { units, lengths }: UnitTotals): number {
    const part = this.#weights[field]! * (occurrences / 2);
    const b = this.#bs[field]!;
    if (b === 0) return part;
    const average = lengths[field]! / 2 / units;
    // An average of zero means that every length is zero, and so every length is the average.
    return part / (1 - b + b * (average === 0 ? 1 : length / 2 / average));
  }

  /** Adds `weight * idf * saturated frequency` to each unit. Returns `weight * idf`. */
  #addScores(
    scores: Float64Array,
    slots: readonly number[],
    frequencies: readonly number[],
    weight: number,
    units: number,
  ): number {
    const k1 = this.#k1;
    const factor = weight * Math.log(1 + (units - slots.length + 0.5) / (slots.length + 0.5));
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]!;
      const frequency = frequencies[i]!;
      if (frequency === 0) continue;
      scores[slot] = scores[slot]! + factor * (((k1 + 1) * frequency) / (k1 + frequency));
    }
    return factor;
  }
}
