import { LEXICAL_FIELDS, type TermCount, type TextSearch } from "@docsearch/spec";
import type { Scored } from "@docsearch/store-kit";

import type { ChunkTable } from "../chunk-table.js";
import type { Connection } from "../driver.js";
import type { SlotMap } from "../slots.js";
import { ftsExpression, termOf, tokenOf } from "./fts5-terms.js";
import type { LexicalHits, LexicalIndex, LexicalWriter } from "./lexical-index.js";

/** Weight below which a term is looked for only when the others do not find enough: FTS5 would count it in full. */
const HEAVY = 0.3;

/**
 * The lexical index as a table of FTS5, which other programs can query too. It finds the same chunks as the postings
 * do and ranks them by the BM25 of SQLite, which knows weights of fields, but neither their lengths, k1 and b, nor
 * weights of terms.
 */
export class Fts5Index implements LexicalIndex {
  readonly capability = "bm25";
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  writer(): LexicalWriter {
    const insert = this.#connection.prepare(
      "INSERT INTO chunk_fts (rowid, title, ancestors, heading, path, body, code) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    const remove = this.#connection.prepare("DELETE FROM chunk_fts WHERE rowid = ?");
    return {
      add: (slot, fields) => {
        insert.run(slot, ...LEXICAL_FIELDS.map((name) => fieldText(fields[name]?.terms)));
        return new Set(LEXICAL_FIELDS.flatMap((name) => [...(fields[name]?.terms.keys() ?? [])])).size;
      },
      remove: (slot) => remove.run(slot),
      finish: () => {},
    };
  }

  renumber(map: SlotMap): void {
    const move = this.#connection.prepare("UPDATE chunk_fts SET rowid = ? WHERE rowid = ?");
    map.targets.forEach((target, index) => {
      // FTS5 takes a new rowid as a 64-bit integer alone.
      if (target !== 0) move.run(BigInt(target), BigInt(map.first + index));
    });
  }

  search({ query, ranking, limit }: TextSearch, table: ChunkTable, allowed: Uint8Array | undefined): LexicalHits {
    const weights = LEXICAL_FIELDS.map((name) => ranking.fields[name].weight);
    const mayBeFound = (slot: number): boolean =>
      allowed === undefined || allowed[table.documents[slot - table.first]!] === 1;
    const heavy = ftsExpression(query, HEAVY);
    const chunks = this.#find(heavy, weights, limit, mayBeFound);
    const all = ftsExpression(query, 0);
    if (chunks.length >= limit || all === heavy) return { chunks, documents: [] };
    // Chunks that hold light terms alone follow behind all others.
    const found = new Set(chunks.map(({ index }) => index));
    const least = chunks.at(-1)?.score ?? 1;
    const rest = this.#find(all, weights, limit - found.size, (slot) => !found.has(slot) && mayBeFound(slot));
    const behind = rest.map(({ index, score }) => ({ index, score: (least * score) / (1 + score) }));
    return { chunks: [...chunks, ...behind], documents: [] };
  }

  /** The best `limit` chunks of an expression, best first, and all that tie with the last. */
  #find(
    expression: string | undefined,
    weights: readonly number[],
    limit: number,
    mayBeFound: (slot: number) => boolean,
  ): Scored[] {
    const chunks: Scored[] = [];
    if (expression === undefined || !(limit >= 1)) return chunks;
    // bm25 of SQLite is negative, and the smaller the better.
    const rows = this.#connection.prepare<{ slot: number; score: number }>(
      `SELECT rowid AS slot, -bm25(chunk_fts, ?, ?, ?, ?, ?, ?) AS score
       FROM chunk_fts WHERE chunk_fts MATCH ? ORDER BY score DESC`,
    );
    for (const { slot, score } of rows.iterate(...weights, expression)) {
      if (chunks.length + 1 > limit && score < chunks.at(-1)!.score) break;
      if (mayBeFound(slot)) chunks.push({ index: slot, score });
    }
    return chunks;
  }

  listTerms(prefix: string, limit: number): TermCount[] {
    const token = prefix === "" ? "" : tokenOf(prefix);
    return this.#connection
      .prepare<{ term: string; doc: number }>("SELECT term, doc FROM chunk_vocabulary WHERE instr(term, ?) = 1")
      .all(token)
      .map(({ term, doc }) => ({ term: termOf(term), chunks: doc }))
      .sort((a, b) => (a.term < b.term ? -1 : 1))
      .slice(0, limit);
  }

  check(table: ChunkTable): string[] {
    const faults: string[] = [];
    const slots = new Set(
      this.#connection
        .prepare<{ slot: number }>("SELECT rowid AS slot FROM chunk_fts")
        .all()
        .map(({ slot }) => slot),
    );
    for (let chunk = 0; chunk < table.size; chunk++) {
      const slot = table.first + chunk;
      if (table.ordinals[chunk]! >= 0 && !slots.delete(slot))
        faults.push(`The chunk in slot ${slot} is not in chunk_fts.`);
    }
    for (const slot of slots) faults.push(`chunk_fts has a row for slot ${slot}, where no chunk is.`);
    return faults;
  }
}

/** Every term as often as it occurs, halves rounded up. */
function fieldText(terms: ReadonlyMap<string, number> | undefined): string {
  const tokens: string[] = [];
  for (const [term, occurrences] of terms ?? []) {
    for (let i = 0; i < occurrences; i++) tokens.push(tokenOf(term));
  }
  return tokens.join(" ");
}
