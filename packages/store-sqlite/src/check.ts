import type { ChunkTable } from "./chunk-table.js";
import type { Connection } from "./driver.js";
import type { LexicalIndex } from "./lexical/lexical-index.js";
import type { State } from "./meta.js";
import type { VectorIndex } from "./vector-index.js";

interface ChunkSummary {
  readonly slot: number;
  readonly id: string;
  readonly document: number;
  readonly ordinal: number;
  readonly terms: number;
}

/** Everything that the tables must agree on, one sentence for each fault. Call it in a transaction. */
export function checkIndex(
  connection: Connection,
  lexical: LexicalIndex,
  vectors: VectorIndex | undefined,
  table: ChunkTable,
  state: State,
): string[] {
  const faults = checkDatabase(connection);
  const chunks = connection
    .prepare<ChunkSummary>("SELECT slot, id, document, ordinal, terms FROM chunk ORDER BY slot")
    .all();
  faults.push(...checkChunks(chunks, table, state));
  const terms = new Int32Array(table.size);
  for (const { slot, terms: count } of chunks) if (table.holds(slot)) terms[slot - table.first] = count;
  faults.push(...lexical.check(table, terms));
  if (vectors !== undefined) faults.push(...vectors.check(table));
  return faults;
}

/** Faults that SQLite finds by itself. */
function checkDatabase(connection: Connection): string[] {
  const faults: string[] = [];
  for (const { integrity_check: message } of connection
    .prepare<{ integrity_check: string }>("PRAGMA integrity_check")
    .all()) {
    if (message !== "ok") faults.push(`SQLite reports: ${message}.`);
  }
  for (const { table } of connection.prepare<{ table: string }>("PRAGMA foreign_key_check").all()) {
    faults.push(`A row of ${table} refers to one that is not there.`);
  }
  return faults;
}

/** The rows of `chunk` against the blocks, and against the counts. */
function checkChunks(chunks: readonly ChunkSummary[], table: ChunkTable, state: State): string[] {
  const faults: string[] = [];
  let postings = 0;
  let previous: ChunkSummary | undefined;
  for (const chunk of chunks) {
    const { slot, id, document, ordinal, terms } = chunk;
    postings += terms;
    if (!table.holds(slot)) faults.push(`Chunk ${id} is not in the block of its slot ${slot}.`);
    else if (table.documents[slot - table.first] !== document) {
      faults.push(`The block of chunk ${id} names document ${table.documents[slot - table.first]}, not ${document}.`);
    }
    if (previous?.document === document && previous.ordinal >= ordinal) {
      faults.push(`Chunk ${id} stands behind chunk ${previous.id} of its document and has no higher ordinal.`);
    }
    previous = chunk;
  }
  const runs = chunks.filter(({ document }, i) => document !== chunks[i - 1]?.document).length;
  if (runs !== new Set(chunks.map(({ document }) => document)).size) {
    faults.push("The chunks of a document do not follow one another.");
  }
  if (table.chunkCount !== chunks.length) {
    faults.push(`The blocks hold ${table.chunkCount} chunks, and there are ${chunks.length}.`);
  }
  if (state.chunks !== chunks.length) {
    faults.push(`${state.chunks} chunks are counted, and there are ${chunks.length}.`);
  }
  if (state.livePostings !== postings) {
    faults.push(`${state.livePostings} postings are counted, and the chunks have ${postings}.`);
  }
  return faults;
}
