import { checksumOfBlobs, checksumOfRow } from "./checksum.js";
import { FIELD_COUNT } from "./chunk-blocks.js";
import { ChunkTable } from "./chunk-table.js";
import type { Connection, SqlValue } from "./driver.js";
import { isBusy } from "./errors.js";
import type { LexicalIndex } from "./lexical/lexical-index.js";
import type { State } from "./meta.js";
import { BLOCK_SLOTS } from "./slots.js";
import type { VectorIndex } from "./vector-index.js";

/** A row with all its columns; those that the check uses are named. */
interface Row {
  readonly slot: number;
  readonly id: string;
  readonly checksum: number;
  readonly [column: string]: SqlValue;
}

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
  vectors: readonly VectorIndex[],
  state: State,
): string[] {
  const faults: string[] = [];
  /** What cannot even be read is a fault too, and the other parts are looked at all the same. */
  const look = (part: string, body: () => readonly string[]): boolean => {
    try {
      faults.push(...body());
      return true;
    } catch (error) {
      if (isBusy(error)) throw error;
      faults.push(`The ${part} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
      return false;
    }
  };
  // Read anew: what is in memory proves nothing.
  const table = new ChunkTable();
  let chunks: readonly ChunkSummary[] = [];
  look("file", () => checkDatabase(connection));
  look("documents", () => checkRows(connection, "document"));
  look("chunks", () => checkRows(connection, "chunk"));
  look("blocks of chunks", () => checkBlocks(connection));
  const isLoaded = look("blocks of chunks", () => {
    table.refresh(connection, state);
    return [];
  });
  if (!isLoaded) return faults;
  look("chunks", () => {
    chunks = connection
      .prepare<ChunkSummary>("SELECT slot, id, document, ordinal, terms FROM chunk ORDER BY slot")
      .all();
    return checkChunks(chunks, table, state);
  });
  look("lexical index", () => {
    const terms = new Int32Array(table.size);
    for (const { slot, terms: count } of chunks) if (table.holds(slot)) terms[slot - table.first] = count;
    return lexical.check(table, terms);
  });
  for (const index of vectors) look("vectors", () => index.check(table));
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

/** Rows of `document` or `chunk` against their checksums. */
function checkRows(connection: Connection, table: "document" | "chunk"): string[] {
  const faults: string[] = [];
  for (const row of connection.prepare<Row>(`SELECT * FROM ${table} ORDER BY slot`).iterate()) {
    const { slot: _slot, checksum, ...values } = row;
    if (checksumOfRow(Object.values(values)) !== checksum)
      faults.push(`The ${table} ${row.id} is not what was written.`);
  }
  return faults;
}

function checkBlocks(connection: Connection): string[] {
  const faults: string[] = [];
  const rows = connection.prepare<{
    readonly block: number;
    readonly checksum: number;
    readonly documents: Uint8Array;
    readonly lengths: Uint8Array;
  }>("SELECT block, checksum, documents, lengths FROM chunk_block");
  for (const { block, checksum, documents, lengths } of rows.iterate()) {
    if (documents.length !== BLOCK_SLOTS * 4 || lengths.length !== BLOCK_SLOTS * 4 * FIELD_COUNT) {
      faults.push(`Block ${block} of chunks has blobs of the wrong size.`);
    } else if (checksumOfBlobs(documents, lengths) !== checksum) {
      faults.push(`Block ${block} of chunks is not what was written.`);
    }
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
