import type { LexicalFields, TermCount, TextHits, TextSearch } from "@docsearch/spec";
import type { Scored } from "@docsearch/store-kit";

import type { ChunkTable } from "../chunk-table.js";
import type { SlotMap } from "../slots.js";

/** What a search finds. Slots in no order, best of each list and all that tie with the last; see `bestScores`. */
export interface LexicalHits {
  /** `index` is the slot of a chunk. */
  readonly chunks: readonly Scored[];
  /** `index` is the slot of a document. */
  readonly documents: readonly Scored[];
  readonly ceiling?: NonNullable<TextHits["ceiling"]>;
}

/** Changes the lexical index within one write. */
export interface LexicalWriter {
  /** Adds the chunk in `slot`, which is above all slots added before. Returns the number of its distinct terms. */
  add(slot: number, fields: LexicalFields): number;
  /** Removes a chunk that was written before this write or in it. */
  remove(slot: number): void;
  /** Stores what was gathered. `livePostings` counts the terms of all chunks that are there now. */
  finish(livePostings: number): void;
}

/** Keeps the terms of all chunks and ranks by them. Every call needs an open transaction. */
export interface LexicalIndex {
  readonly capability: "bm25f" | "bm25";
  writer(): LexicalWriter;
  /** Moves every chunk to its new slot. */
  renumber(map: SlotMap): void;
  /** @param allowed by slot of the document, 0 where it may not be found; absent: all may */
  search(search: TextSearch, chunks: ChunkTable, allowed: Uint8Array | undefined): LexicalHits;
  listTerms(prefix: string, limit: number, chunks: ChunkTable): TermCount[];
  /** One sentence for each fault. `terms` holds the number of distinct terms by slot, less `chunks.first`. */
  check(chunks: ChunkTable, terms: Int32Array): string[];
}
