import type { DocumentChange, WriteResult } from "@docsearch/spec";
import { WritePlan } from "@docsearch/store-kit";
import type { Query } from "./database.js";
import { insertRows } from "./insert.js";
import { addLengths } from "./posting-codec.js";
import { textColumn } from "./records.js";
import { placeDocuments, type StoredChunk, type StoredSlots } from "./slots.js";
import type { Snapshot } from "./snapshot.js";
import { emptyState, writeState } from "./state.js";
import { isStorable } from "./storable.js";
import { vectorTableName } from "./tables.js";
import { replaceVectors } from "./vector-rows.js";

export interface Written {
  readonly result: WriteResult;
  /** What stopped the changes; those before it are written. */
  readonly error: unknown;
}

/**
 * Applies changes in one transaction that holds the writers' lock. A change that must be refused ends the list: those
 * before it are written, and its error is returned. What Postgres refuses is thrown, and the transaction is void then.
 */
export async function writeChanges(
  { query, tables, state }: Snapshot,
  changes: readonly DocumentChange[],
): Promise<Written> {
  const { stored, owners, rows } = await readBefore(query, tables.schema, changes);
  const plan = new WritePlan(stored, owners, tables.vectors?.dimensions ?? 0);
  let error: unknown;
  try {
    for (const change of changes) plan.add(change);
  } catch (reason) {
    error = reason;
  }
  const { removed, written } = plan;
  if (removed.length + written.length === 0) return { result: plan.result, error };
  const { documents, nextSlot } = placeDocuments(removed, written, state.nextSlot, tables.vectors?.space);
  const vectors = await replaceVectors(query, tables, removed, documents);
  await removeRows(query, tables.schema, removed);
  const added = await insertRows(query, tables.schema, documents);
  const lost = removed.map(({ id }) => rows.get(id)!);
  await writeState(query, tables, {
    ...state,
    generation: state.generation + 1,
    documents: state.documents + documents.length - removed.length,
    chunks: sum(
      [state.chunks],
      added.map(({ chunks }) => chunks),
      lost.map(({ chunks }) => -chunks),
    ),
    vectors: state.vectors + vectors,
    nextSlot,
    chunkLengths: addLengths(
      state.chunkLengths,
      added.map((row) => row.chunkLengths),
      lost.map((row) => row.chunk_lengths),
    ),
    documentLengths: addLengths(
      state.documentLengths,
      added.map((row) => row.documentLengths),
      lost.map((row) => row.document_lengths),
    ),
  });
  return { result: plan.result, error };
}

/** Removes everything but the identity, and the models. */
export async function clearTables({ query, tables, state }: Snapshot): Promise<void> {
  const { schema, vectors, others } = tables;
  const spaces = vectors === undefined ? others : [vectors.space, ...others];
  for (const table of [...spaces.map(vectorTableName), "posting", "chunk", "document"]) {
    // TRUNCATE would empty the tables for readers too whose transaction began before.
    await query(`DELETE FROM ${schema}.${table}`);
  }
  if (tables.hasSpaceTable) await query(`UPDATE ${schema}.vector_space SET vectors = 0`);
  const { epoch, generation, hnsw } = state;
  await writeState(query, tables, { ...emptyState(), epoch, generation: generation + 1, hnsw });
}

interface DocumentCounts {
  readonly id: string;
  readonly slot: number;
  readonly chunks: number;
  readonly chunk_lengths: readonly number[];
  readonly document_lengths: readonly number[];
}

interface Before {
  readonly stored: readonly StoredSlots[];
  /** Document id by chunk id. */
  readonly owners: Map<string, string>;
  readonly rows: ReadonlyMap<string, DocumentCounts>;
}

/** What is there of the documents and chunks that the changes name. */
async function readBefore(query: Query, schema: string, changes: readonly DocumentChange[]): Promise<Before> {
  const documentIds = new Set<string>();
  const chunkIds = new Set<string>();
  for (const change of changes) {
    documentIds.add(change.type === "delete" ? change.documentId : change.document.id);
    if (change.type === "replace") for (const { chunk } of change.chunks) chunkIds.add(chunk.id);
  }
  const documents = await query<DocumentCounts>(
    `SELECT ${textColumn("id", "id")}, slot, chunks, chunk_lengths, document_lengths FROM ${schema}.document WHERE id = ANY ($1::text[])`,
    [[...documentIds].filter(isStorable)],
  );
  const chunks = await query<StoredChunk & { id: string; document: number; owner: string }>(
    `SELECT ${textColumn("chunk.id", "id")}, chunk.slot, chunk.silent, chunk.document, ${textColumn("document.id", "owner")}
     FROM (
       SELECT * FROM ${schema}.chunk WHERE document = ANY ($1::int[])
       UNION ALL
       SELECT * FROM ${schema}.chunk WHERE id = ANY ($2::text[]) AND document <> ALL ($1::int[])
     ) AS chunk JOIN ${schema}.document ON document.slot = chunk.document`,
    [documents.map(({ slot }) => slot), [...chunkIds].filter(isStorable)],
  );
  const slots = new Map(documents.map(({ slot }) => [slot, new Map<string, StoredChunk>()]));
  for (const { id, slot, silent, document } of chunks) slots.get(document)?.set(id, { slot, silent });
  return {
    stored: documents.map(({ id, slot }) => {
      const chunks = slots.get(slot)!;
      return { id, slot, chunks, chunkIds: [...chunks.keys()] };
    }),
    owners: new Map(chunks.map(({ id, owner }) => [id, owner])),
    rows: new Map(documents.map((row) => [row.id, row])),
  };
}

async function removeRows(query: Query, schema: string, removed: readonly StoredSlots[]): Promise<void> {
  if (removed.length === 0) return;
  const slots = removed.map(({ slot }) => slot);
  await query(`DELETE FROM ${schema}.posting WHERE document = ANY ($1::int[])`, [slots]);
  await query(`DELETE FROM ${schema}.chunk WHERE document = ANY ($1::int[])`, [slots]);
  await query(`DELETE FROM ${schema}.document WHERE slot = ANY ($1::int[])`, [slots]);
}

function sum(...lists: readonly (readonly number[])[]): number {
  return lists.flat().reduce((total, value) => total + value, 0);
}
