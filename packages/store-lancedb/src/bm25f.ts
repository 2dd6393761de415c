import { type Bm25fParameters, LEXICAL_FIELDS } from "@docsearch/spec";
import { ANCESTORS, EntryReader, FIELD_COUNT, PATH, TITLE } from "@docsearch/store-kit";
import { chunkCount, type Facts } from "./facts.js";

/** The postings of a term in one segment. */
export interface SegmentPostings {
  readonly segment: string;
  readonly bytes: Uint8Array;
}

/** What the formula needs of all chunks, or of all documents. */
interface UnitTotals {
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
  /** Score by number of the chunk. */
  readonly chunkScores: Float64Array;
  /** Score by index of the document. */
  readonly documentScores: Float64Array;
  readonly #facts: Facts;
  readonly #k1: number;
  readonly #weights: readonly number[];
  readonly #bs: readonly number[];
  readonly #chunks: UnitTotals;
  readonly #documents: UnitTotals;
  /** Occurrences in the document at hand, in half units by field. */
  readonly #sums = new Float64Array(FIELD_COUNT);
  #chunkSum = 0;
  #documentSum = 0;

  constructor(parameters: Bm25fParameters, facts: Facts) {
    this.#facts = facts;
    this.#chunks = { units: chunkCount(facts), lengths: facts.chunkLengths };
    this.#documents = { units: facts.ids.length, lengths: facts.documentLengths };
    this.chunkScores = new Float64Array(this.#chunks.units);
    this.documentScores = new Float64Array(this.#documents.units);
    this.#k1 = parameters.k1;
    this.#weights = LEXICAL_FIELDS.map((name) => parameters.fields[name].weight);
    this.#bs = LEXICAL_FIELDS.map((name) => parameters.fields[name].b);
  }

  /** Adds one term of the query, and sets `marks` to 1 for every chunk that holds it. */
  addTerm(weight: number, postings: readonly SegmentPostings[], marks: Uint8Array): void {
    const chunks: number[] = [];
    const chunkFrequencies: number[] = [];
    const documents: number[] = [];
    const documentFrequencies: number[] = [];
    const { segments, firstChunk } = this.#facts;
    const sums = this.#sums;
    for (const { segment, bytes } of postings) {
      const indexOf = segments.get(segment)!.documents;
      const reader = new EntryReader(bytes);
      while (!reader.done) {
        const document = indexOf[reader.next()] ?? -1;
        const count = reader.next();
        // What was deleted or replaced stays in its segment until that is merged with others.
        const isThere = document >= 0;
        let held = 0;
        sums.fill(0);
        for (let i = 0; i < count; i++) {
          const place = reader.next();
          const mask = reader.next();
          const frequency = this.#readChunk(reader, mask);
          if (!isThere) continue;
          held |= mask;
          const chunk = firstChunk[document]! + place;
          marks[chunk] = 1;
          chunks.push(chunk);
          chunkFrequencies.push(frequency);
        }
        held &= ~(1 << ANCESTORS);
        if (held === 0) continue;
        documents.push(document);
        documentFrequencies.push(this.#documentFrequency(document, held));
      }
    }
    this.#chunkSum += this.#addScores(this.chunkScores, chunks, chunkFrequencies, weight, this.#chunks.units);
    this.#documentSum += this.#addScores(
      this.documentScores,
      documents,
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
      else sums[field]! += occurrences;
    }
    return frequency;
  }

  #documentFrequency(document: number, held: number): number {
    let frequency = 0;
    for (let rest = held; rest !== 0; rest &= rest - 1) {
      const field = 31 - Math.clz32(rest & -rest);
      const length = this.#facts.lengths[document * FIELD_COUNT + field]!;
      frequency += this.#part(field, this.#sums[field]!, length, this.#documents);
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
    units: readonly number[],
    frequencies: readonly number[],
    weight: number,
    total: number,
  ): number {
    const k1 = this.#k1;
    const factor = weight * Math.log(1 + (total - units.length + 0.5) / (units.length + 0.5));
    for (let i = 0; i < units.length; i++) {
      const frequency = frequencies[i]!;
      if (frequency === 0) continue;
      scores[units[i]!]! += factor * (((k1 + 1) * frequency) / (k1 + frequency));
    }
    return factor;
  }
}
