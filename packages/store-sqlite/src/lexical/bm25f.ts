import { type Bm25fParameters, LEXICAL_FIELDS } from "@docsearch/spec";
import { FIELD_COUNT } from "../chunk-blocks.js";
import type { ChunkTable } from "../chunk-table.js";
import { Holders, HoldersCache, type TermHolders } from "./holders.js";
import { BODY, type DecodedPostings, ONE } from "./postings-codec.js";

const TITLE = LEXICAL_FIELDS.indexOf("title");
const ANCESTORS = LEXICAL_FIELDS.indexOf("ancestors");
const PATH = LEXICAL_FIELDS.indexOf("path");

/** Room for some ten terms that every chunk holds, and for many more in a small index. */
const CACHE_BYTES_PER_CHUNK = 128;
const LEAST_CACHE_BYTES = 32 * 1024 * 1024;

/** What the formula of `Bm25fParameters` needs of all chunks, or of all documents, by field. */
interface Formula {
  readonly weights: Float64Array;
  /** Fields whose length counts, as bits: those where b is not 0. */
  readonly normalized: number;
  /** `1 - b + b * length / average` by unit; empty for the other fields. */
  readonly norms: readonly Float64Array[];
}

function formulaOf(
  parameters: Bm25fParameters,
  totals: Float64Array,
  units: number,
  lengths: readonly Uint32Array[],
): Formula {
  const fields = LEXICAL_FIELDS.map((name) => parameters.fields[name]);
  return {
    weights: Float64Array.from(fields, ({ weight }) => weight),
    normalized: fields.reduce((bits, { b }, field) => (b === 0 ? bits : bits | (1 << field)), 0),
    norms: fields.map(({ b }, field) => normsOf(b, units === 0 ? 0 : totals[field]! / units, lengths[field]!)),
  };
}

function normsOf(b: number, average: number, lengths: Uint32Array): Float64Array {
  if (b === 0) return new Float64Array(0);
  const norms = new Float64Array(lengths.length);
  for (let unit = 0; unit < norms.length; unit++) {
    // An average of 0 means that every length is 0, and so the average.
    norms[unit] = 1 - b + b * (average === 0 ? 1 : lengths[unit]! / average);
  }
  return norms;
}

/** `(k1 + 1) * tf / (k1 + tf)` */
function saturate(frequency: number, k1: number): number {
  return frequency === 0 ? 0 : ((k1 + 1) * frequency) / (k1 + frequency);
}

/**
 * Scores chunks and documents by BM25F, term by term, in double precision and in the order of the formula, so that
 * equal chunks have equal scores. One object serves one search after another.
 */
export class Bm25fScorer {
  /** Score by chunk. */
  chunkScores: Float64Array = new Float64Array(0);
  /** Score by document ordinal. */
  documentScores: Float64Array = new Float64Array(0);
  #table!: ChunkTable;
  #k1 = 0;
  #chunkFormula!: Formula;
  #documentFormula!: Formula;
  readonly #cache = new HoldersCache();
  /** Of the term at hand. */
  readonly #chunks = new Holders();
  readonly #documents = new Holders();
  /** Sums of weight and inverse document frequency over the terms. */
  #chunkSum = 0;
  #documentSum = 0;
  /** Saturated frequency of one occurrence in the body by chunk: what most entries of all lists come to. */
  #simple = new Float64Array(0);
  /** What the formulas and `#simple` were worked out for. */
  #key = "";
  /** Occurrences in the document at hand, by field, in half units. */
  readonly #sums = new Float64Array(FIELD_COUNT);

  /** Starts a search: every score is 0. */
  begin(table: ChunkTable, parameters: Bm25fParameters): void {
    this.#table = table;
    this.#prepare(parameters);
    this.chunkScores = zeros(this.chunkScores, table.size);
    this.documentScores = zeros(this.documentScores, table.ordinalCount);
    this.#chunkSum = 0;
    this.#documentSum = 0;
  }

  /**
   * Adds one term of the query and sets `marks` to 1 for every chunk that holds it.
   *
   * @param decode gives the term's postings; called unless the term is known
   */
  addTerm(term: string, weight: number, marks: Uint8Array, decode: (term: string) => DecodedPostings): void {
    let holders: TermHolders | undefined = this.#cache.get(term);
    if (holders === undefined) {
      this.#count(decode(term));
      holders = { chunks: this.#chunks, documents: this.#documents };
      this.#cache.add(term, holders);
    }
    const { chunkCount, documentCount } = this.#table;
    holders.chunks.mark(marks);
    this.#chunkSum += holders.chunks.addScores(this.chunkScores, chunkCount, weight);
    this.#documentSum += holders.documents.addScores(this.documentScores, documentCount, weight);
  }

  /** What a chunk and a document would score in which every term added so far occurred without end. */
  ceiling(): { chunks: number; documents: number } {
    return { chunks: (this.#k1 + 1) * this.#chunkSum, documents: (this.#k1 + 1) * this.#documentSum };
  }

  /** Finds the chunks and documents that hold a term. */
  #count(postings: DecodedPostings): void {
    const { first, ordinals } = this.#table;
    const { length, slots, masks, occurrences } = postings;
    const { weights, normalized, norms } = this.#chunkFormula;
    const k1 = this.#k1;
    const simple = this.#simple;
    const sums = this.#sums;
    this.#chunks.begin(length);
    this.#documents.begin(length);
    const { indexes, values } = this.#chunks;
    let count = 0;
    let document = -1;
    /** Fields with occurrences in the document at hand, as bits. */
    let held = 0;
    let at = 0;
    for (let entry = 0; entry < length; entry++) {
      let mask = masks[entry]!;
      const chunk = slots[entry]! - first;
      const ordinal = ordinals[chunk]!;
      if (ordinal < 0) {
        for (; mask !== 0; mask &= mask - 1) at++;
        continue;
      }
      if (ordinal !== document) {
        if (held !== 0) this.#addDocument(document, held);
        document = ordinal;
        held = 0;
      }
      let value: number;
      if (mask === 0) {
        value = simple[chunk]!;
        sums[BODY] = sums[BODY]! + ONE;
        held |= 1 << BODY;
      } else {
        held |= mask;
        let frequency = 0;
        for (; mask !== 0; mask &= mask - 1) {
          const field = 31 - Math.clz32(mask & -mask);
          const occurrence = occurrences[at++]!;
          const part = weights[field]! * (occurrence / 2);
          frequency += (normalized >> field) & 1 ? part / norms[field]![chunk]! : part;
          if (field === TITLE || field === PATH) sums[field] = Math.max(sums[field]!, occurrence);
          else sums[field] = sums[field]! + occurrence;
        }
        value = saturate(frequency, k1);
      }
      indexes[count] = chunk;
      values[count++] = value;
    }
    this.#chunks.length = count;
    if (held !== 0) this.#addDocument(document, held);
  }

  /** Takes over the sums of a document whose chunks are all counted. */
  #addDocument(ordinal: number, held: number): void {
    const sums = this.#sums;
    const { weights, normalized, norms } = this.#documentFormula;
    let frequency = 0;
    for (let mask = held & ~(1 << ANCESTORS); mask !== 0; mask &= mask - 1) {
      const field = 31 - Math.clz32(mask & -mask);
      const part = weights[field]! * (sums[field]! / 2);
      frequency += (normalized >> field) & 1 ? part / norms[field]![ordinal]! : part;
    }
    for (let field = 0; field < FIELD_COUNT; field++) sums[field] = 0;
    if (held === 1 << ANCESTORS) return;
    const documents = this.#documents;
    documents.indexes[documents.length] = ordinal;
    documents.values[documents.length++] = saturate(frequency, this.#k1);
  }

  /** Works out what is the same for all searches between two writes. */
  #prepare(parameters: Bm25fParameters): void {
    const table = this.#table;
    const key = `${table.version} ${JSON.stringify(parameters)}`;
    if (key === this.#key) return;
    this.#cache.clear(Math.max(LEAST_CACHE_BYTES, CACHE_BYTES_PER_CHUNK * table.size));
    this.#k1 = parameters.k1;
    this.#chunkFormula = formulaOf(parameters, table.chunkTotals, table.chunkCount, table.lengths);
    this.#documentFormula = formulaOf(parameters, table.documentTotals, table.documentCount, table.documentLengths);
    const { weights, norms } = this.#chunkFormula;
    if (this.#simple.length < table.size) this.#simple = new Float64Array(table.size);
    for (let chunk = 0; chunk < table.size; chunk++) {
      this.#simple[chunk] = saturate(weights[BODY]! / (norms[BODY]![chunk] ?? 1), parameters.k1);
    }
    this.#key = key;
  }
}

function zeros(scores: Float64Array, size: number): Float64Array {
  if (size > scores.length) return new Float64Array(size);
  scores.fill(0, 0, size);
  return scores;
}
