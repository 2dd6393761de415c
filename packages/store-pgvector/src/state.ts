import { randomUUID } from "node:crypto";
import { FIELD_COUNT } from "@docsearch/store-kit";
import type { Query } from "./database.js";
import type { Tables } from "./tables.js";

/** What changes with every write. */
export interface State {
  /** Changes when the index is made anew, and when a model comes or goes: everything may be different then. */
  readonly epoch: string;
  /** Number of the last write. */
  readonly generation: number;
  readonly documents: number;
  readonly chunks: number;
  /** Number of the vectors of the store's own model. */
  readonly vectors: number;
  /** Whether they have an HNSW index. */
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

/** Columns of `state` that hold for all spaces. */
const COLUMNS = "epoch, generation, documents, chunks, next_slot, chunk_lengths, document_lengths";

/** @throws Error when the row is gone */
export async function readState(query: Query, { schema, vectors, hasSpaceTable }: Tables): Promise<State> {
  const [row] = hasSpaceTable
    ? await query<StateRow>(
        `SELECT ${COLUMNS}, coalesce(own.vectors, 0) AS vectors, coalesce(own.hnsw, FALSE) AS hnsw
         FROM ${schema}.state LEFT JOIN ${schema}.vector_space AS own ON own.number = $1::int`,
        [vectors?.space ?? null],
      )
    : await query<StateRow>(`SELECT ${COLUMNS}, vectors, hnsw FROM ${schema}.state`);
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
export async function writeState(
  query: Query,
  { schema, vectors, hasSpaceTable }: Pick<Tables, "schema" | "vectors" | "hasSpaceTable">,
  state: State,
): Promise<void> {
  await query(`DELETE FROM ${schema}.state`);
  await query(
    `INSERT INTO ${schema}.state (${COLUMNS}, vectors, hnsw)
     VALUES ($1, $2, $3, $4, $5, $6::float8[], $7::float8[], $8, $9)`,
    [
      state.epoch,
      state.generation,
      state.documents,
      state.chunks,
      state.nextSlot,
      state.chunkLengths,
      state.documentLengths,
      hasSpaceTable ? 0 : state.vectors,
      hasSpaceTable ? false : state.hnsw,
    ],
  );
  if (!hasSpaceTable || vectors === undefined) return;
  await query(`UPDATE ${schema}.vector_space SET vectors = $2, hnsw = $3 WHERE number = $1`, [
    vectors.space,
    state.vectors,
    state.hnsw,
  ]);
}

/** Makes whoever has the index open look again what it is. */
export async function renewEpoch(query: Query, schema: string): Promise<void> {
  await query(`UPDATE ${schema}.state SET epoch = $1`, [randomUUID()]);
}
