import { randomUUID } from "node:crypto";
import { FIELD_COUNT } from "@docsearch/store-kit";
import type { Query } from "./database.js";

/** What changes with every write. */
export interface State {
  /** Changes when the index is made anew: everything may be different then, its schema too. */
  readonly epoch: string;
  /** Number of the last write. */
  readonly generation: number;
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: number;
  /** Whether the vectors have an HNSW index. */
  readonly hnsw: boolean;
  /** Above every slot of a document or chunk. Slots are from 1. */
  readonly nextSlot: number;
  /** Sums of the lengths of all chunks in half units, by field. */
  readonly chunkLengths: readonly number[];
  /** The same of all documents. */
  readonly documentLengths: readonly number[];
}

interface StateRow {
  readonly epoch: string;
  readonly generation: number;
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: number;
  readonly hnsw: boolean;
  readonly next_slot: number;
  readonly chunk_lengths: readonly number[];
  readonly document_lengths: readonly number[];
}

/** The state of an index without documents. */
export function emptyState(): State {
  const none = Array.from({ length: FIELD_COUNT }, () => 0);
  return {
    epoch: randomUUID(),
    generation: 0,
    documents: 0,
    chunks: 0,
    vectors: 0,
    hnsw: false,
    nextSlot: 1,
    chunkLengths: none,
    documentLengths: none,
  };
}

/** @throws Error when the row is gone */
export async function readState(query: Query, schema: string): Promise<State> {
  const [row] = await query<StateRow>(`SELECT * FROM ${schema}.state`);
  if (row === undefined) throw new Error(`${schema}.state is empty`);
  return {
    epoch: row.epoch,
    generation: row.generation,
    documents: row.documents,
    chunks: row.chunks,
    vectors: row.vectors,
    hnsw: row.hnsw,
    nextSlot: row.next_slot,
    chunkLengths: row.chunk_lengths,
    documentLengths: row.document_lengths,
  };
}

/** Puts a state in the place of the one that is there, if any. */
export async function writeState(query: Query, schema: string, state: State): Promise<void> {
  await query(`DELETE FROM ${schema}.state`);
  await query(
    `INSERT INTO ${schema}.state (epoch, generation, documents, chunks, vectors, hnsw, next_slot, chunk_lengths, document_lengths)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8::float8[], $9::float8[])`,
    [
      state.epoch,
      state.generation,
      state.documents,
      state.chunks,
      state.vectors,
      state.hnsw,
      state.nextSlot,
      state.chunkLengths,
      state.documentLengths,
    ],
  );
}
