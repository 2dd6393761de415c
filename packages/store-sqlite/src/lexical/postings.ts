import { LEXICAL_FIELDS, type LexicalFields, type TermCount, type TextSearch } from "@docsearch/spec";
import {
  bestScores,
  codeUnitKey,
  endOfPrefix,
  matchesAnyTerm,
  matchingChunks,
  termWeights,
  textOfKey,
} from "@docsearch/store-kit";

import { slotsInUse } from "../chunk-blocks.js";
import type { ChunkTable } from "../chunk-table.js";

import type { Connection } from "../driver.js";
import type { SlotMap } from "../slots.js";
import { Bm25fScorer } from "./bm25f.js";
import type { LexicalHits, LexicalIndex, LexicalWriter } from "./lexical-index.js";
import { DecodedPostings } from "./postings-codec.js";

import { SegmentWriter } from "./segment-writer.js";
import { dueForMerge, isMostlyDead, listSegments, mergeSegments } from "./segments.js";
import { type TermList, termsOf } from "./term-cursor.js";

/** The default lexical index: packed postings, scored by BM25F. */
export class PostingsIndex implements LexicalIndex {
  readonly capability = "bm25f";
  readonly #connection: Connection;
  readonly #scorer = new Bm25fScorer();
  readonly #decoded = new DecodedPostings();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  writer(): LexicalWriter {
    return new PostingsWriter(this.#connection);
  }

  renumber(map: SlotMap): void {
    mergeSegments(this.#connection, listSegments(this.#connection), map);
  }

  search(search: TextSearch, table: ChunkTable, allowed: Uint8Array | undefined): LexicalHits {
    const { query, ranking, limit } = search;
    const scorer = this.#scorer;
    scorer.begin(table, ranking);
    const anyTerm = matchesAnyTerm(query);
    const found = new Uint8Array(table.size);
    const holding = new Map<string, Uint8Array>();
    for (const [term, weight] of termWeights(query)) {
      const holders = anyTerm ? found : new Uint8Array(table.size);
      scorer.addTerm(term, weight, holders, (absent) => this.#decode(absent));
      holding.set(term, holders);
    }
    const matching = anyTerm ? found : matchingChunks(query, (term) => holding.get(term)!, table.size);
    const documents = restrict(matching, table, allowed);
    return {
      chunks: bestScores(scorer.chunkScores, matching, table.size, limit).map(({ index, score }) => ({
        index: index + table.first,
        score,
      })),
      documents: bestScores(scorer.documentScores, documents, table.ordinalCount, limit).map(({ index, score }) => ({
        index: table.documentSlots[index]!,
        score,
      })),
      ceiling: scorer.ceiling(),
    };
  }

  listTerms(prefix: string, limit: number, table: ChunkTable): TermCount[] {
    const from = codeUnitKey(prefix);
    const counts: TermCount[] = [];
    if (!(limit >= 1)) return counts;
    const segments = listSegments(this.#connection);
    for (const { term, lists } of termsOf(this.#connection, segments, from, endOfPrefix(from), Math.ceil(limit))) {
      const chunks = this.#countLive(lists, table);
      if (chunks > 0) counts.push({ term: textOfKey(term), chunks });
      if (counts.length + 1 > limit) break;
    }
    return counts;
  }

  check(table: ChunkTable, terms: Int32Array): string[] {
    const faults: string[] = [];
    const segments = listSegments(this.#connection);
    const found = new Int32Array(table.size);
    for (const segment of segments) {
      let postings = 0;
      for (const { term, lists } of termsOf(this.#connection, [segment])) {
        for (const list of lists) {
          postings += list.chunks;
          if (!this.#isSound(list, segment.last_slot)) {
            faults.push(`The postings of "${textOfKey(term)}" in segment ${segment.id} are damaged.`);
            continue;
          }
          for (let entry = 0; entry < this.#decoded.length; entry++) {
            const chunk = this.#decoded.slots[entry]! - table.first;
            if (table.ordinals[chunk]! >= 0) found[chunk] = found[chunk]! + 1;
          }
        }
      }
      if (postings !== segment.postings) {
        faults.push(`Segment ${segment.id} holds ${postings} postings and should hold ${segment.postings}.`);
      }
    }
    for (let chunk = 0; chunk < table.size; chunk++) {
      if (table.ordinals[chunk]! < 0 || found[chunk] === terms[chunk]) continue;
      faults.push(`The chunk in slot ${table.first + chunk} has ${terms[chunk]} terms, and ${found[chunk]} postings.`);
    }
    return faults;
  }

  /** A term's postings of all segments. */
  #decode(term: string): DecodedPostings {
    const lists = this.#connection.prepare<TermList>(
      `SELECT first_slot AS firstSlot, chunks, bytes
       FROM segment CROSS JOIN posting ON posting.segment = segment.id AND term = ?
       ORDER BY segment.id`,
    );
    this.#decoded.clear();
    for (const { bytes, firstSlot, chunks } of lists.all(codeUnitKey(term))) {
      this.#decoded.append(bytes, firstSlot, chunks);
    }
    return this.#decoded;
  }

  #countLive(lists: readonly TermList[], table: ChunkTable): number {
    const decoded = this.#decoded;
    decoded.clear();
    for (const { bytes, firstSlot, chunks } of lists) decoded.append(bytes, firstSlot, chunks);
    let live = 0;
    for (let entry = 0; entry < decoded.length; entry++) {
      if (table.ordinals[decoded.slots[entry]! - table.first]! >= 0) live++;
    }
    return live;
  }

  /** Decodes a list and tells whether it is as long as it says, with slots that rise and end in the segment. */
  #isSound({ bytes, firstSlot, chunks }: TermList, lastSlot: number): boolean {
    const decoded = this.#decoded;
    decoded.clear();
    decoded.append(bytes, firstSlot, chunks);
    for (let entry = 1; entry < decoded.length; entry++) {
      if (decoded.slots[entry]! <= decoded.slots[entry - 1]!) return false;
    }
    return decoded.length === chunks && chunks > 0 && decoded.slots[chunks - 1]! <= lastSlot;
  }
}

/** Takes the chunks that may not be found out of `matching`. Returns the documents of the others, 1 by ordinal. */
function restrict(matching: Uint8Array, table: ChunkTable, allowed: Uint8Array | undefined): Uint8Array {
  const { size, documents, ordinals } = table;
  const found = new Uint8Array(table.ordinalCount);
  for (let chunk = 0; chunk < size; chunk++) {
    if (matching[chunk] === 0) continue;
    if (allowed === undefined || allowed[documents[chunk]!] === 1) found[ordinals[chunk]!] = 1;
    else matching[chunk] = 0;
  }
  return found;
}

class PostingsWriter implements LexicalWriter {
  readonly #connection: Connection;
  readonly #segment: SegmentWriter;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#segment = new SegmentWriter(connection);
  }

  add(slot: number, fields: LexicalFields): number {
    let terms = 0;
    LEXICAL_FIELDS.forEach((name, field) => {
      for (const [term, occurrences] of fields[name]?.terms ?? []) {
        if (this.#segment.add(term, slot, field, occurrences * 2)) terms++;
      }
    });
    return terms;
  }

  /** Nothing to do: postings of a chunk that is not there count nowhere, and the next merge leaves them out. */
  remove(): void {}

  finish(livePostings: number): void {
    this.#segment.finish();
    const all = listSegments(this.#connection);
    if (isMostlyDead(all, livePostings)) {
      mergeSegments(this.#connection, all, slotsInUse(this.#connection));
      return;
    }
    for (let due = dueForMerge(all); due.length > 0; due = dueForMerge(listSegments(this.#connection))) {
      mergeSegments(this.#connection, due, slotsInUse(this.#connection));
    }
  }
}
