// A document becomes visible by one commit to `document`, and its chunks, postings and vectors are there before. Those of
// the revision before are removed after it. A process that is killed in between leaves rows that belong to no document:
// they are never found, and maintenance removes them.

import type { DocumentChange, WriteResult } from "@docsearch/spec";
import { type PlannedChunk, type PlannedDocument, type StoredDocument, WritePlan } from "@docsearch/store-kit";
import type { Table } from "@lancedb/lancedb";
import type * as Arrow from "apache-arrow";
import type { StoredSpace } from "./generation.js";
import type { Lance } from "./lance.js";
import { newName } from "./names.js";
import { newRows, revisionOf } from "./new-rows.js";
import { retryConflicts } from "./retry.js";
import type { Snapshot } from "./snapshot.js";
import { isOneOf } from "./sql.js";
import type { Tables } from "./tables.js";
import { unitVector } from "./unit-vector.js";
import { readAnswers, type VectorRow, type VectorTable, vectorRows } from "./vector-table.js";

/** Where changes are written. The handles show one state, and nobody else uses them: a commit moves them on. */
export interface Target {
  readonly lance: Lance;
  readonly tables: Tables;
  /** Of all models. */
  readonly vectors: readonly VectorTable[];
  /** The space of the store that writes, one of `vectors`; `undefined` in a store without. */
  readonly own: StoredSpace | undefined;
  /** For messages. */
  readonly place: string;
}

/** A document that is there, with what its rows are found by. */
interface StoredRows extends StoredDocument {
  readonly revision: string;
  readonly segment: string;
}

export interface Written {
  readonly result: WriteResult;
  /** What stopped the changes; those before it are written. */
  readonly error: unknown;
}

/**
 * Applies changes, all of them by one commit. A change that must be refused ends the list: those before it are written,
 * and its error is returned.
 *
 * @param snapshot the latest
 */
export async function writeChanges(
  target: Target,
  snapshot: Snapshot,
  changes: readonly DocumentChange[],
  signal: AbortSignal | undefined,
): Promise<Written> {
  const { stored, owners } = await readBefore(snapshot, changes);
  const plan = new WritePlan(stored, owners, target.own?.embedding.dimensions ?? 0);
  let error: unknown;
  try {
    for (const change of changes) plan.add(change);
  } catch (reason) {
    error = reason;
  }
  const { removed, written } = plan;
  if (removed.length + written.length === 0) return { result: plan.result, error };
  const { lance, tables, vectors, place } = target;
  const segment = newName();
  const rows = newRows(lance, segment, written);
  const added: (readonly [Table, Arrow.Table])[] = [];
  for (const name of ["chunk", "posting"] as const) {
    const table = rows[name];
    if (table !== undefined) added.push([tables[name], table]);
  }
  for (const { space, table } of vectors) {
    const isOwn = space.name === target.own?.name;
    const answers = await newVectorRows(table, isOwn, segment, removed, written);
    if (answers.length > 0) added.push([table, vectorRows(lance, space.embedding.dimensions, answers)]);
  }
  for (const [table, more] of added) {
    signal?.throwIfAborted();
    await retryConflicts(place, () => table.add(more));
  }
  signal?.throwIfAborted();
  await commit(target, removed, rows.document);
  await removeRows(target, snapshot, removed);
  return { result: plan.result, error };
}

/** Removes every document. */
export async function clearTables({ tables, vectors, place }: Target): Promise<void> {
  // In this order, because what is in `document` is what is there.
  for (const table of [tables.document, tables.chunk, tables.posting]) {
    await retryConflicts(place, () => table.delete("TRUE"));
  }
  for (const { table } of vectors) await retryConflicts(place, () => table.delete("revision <> ''"));
}

interface Before {
  readonly stored: readonly StoredRows[];
  /** Document id by chunk id. */
  readonly owners: Map<string, string>;
}

/** What is there of the documents and chunks that the changes name. */
async function readBefore(snapshot: Snapshot, changes: readonly DocumentChange[]): Promise<Before> {
  const { facts } = snapshot;
  const indexes = new Set<number>();
  const chunkIds = new Set<string>();
  for (const change of changes) {
    const index = facts.indexOfId.get(change.type === "delete" ? change.documentId : change.document.id);
    if (index !== undefined) indexes.add(index);
    if (change.type === "replace") for (const { chunk } of change.chunks) chunkIds.add(chunk.id);
  }
  const names = await snapshot.names(indexes);
  const segmentOf = new Map<number, string>();
  for (const [name, { documents }] of facts.segments) {
    for (const index of documents) if (indexes.has(index)) segmentOf.set(index, name);
  }
  const stored = [...indexes].map((index): StoredRows => {
    const { id, chunkIds: ids } = names.get(index)!;
    return { id, revision: facts.revisions[index]!, segment: segmentOf.get(index)!, chunkIds: ids };
  });
  const owners = new Map<string, string>();
  for (const [chunkId, index] of await snapshot.documentsOf(chunkIds)) owners.set(chunkId, facts.ids[index]!);
  for (const { id, chunkIds: ids } of stored) for (const chunkId of ids) owners.set(chunkId, id);
  return { stored, owners };
}

/**
 * What a model says about the chunks that are written. Of another model than the store's own it is what it said before,
 * as far as the chunks stay.
 */
async function newVectorRows(
  table: Table,
  isOwn: boolean,
  segment: string,
  removed: readonly StoredRows[],
  written: readonly PlannedDocument[],
): Promise<VectorRow[]> {
  const isKept = ({ vector, stays }: PlannedChunk): boolean => (isOwn ? vector === "stored" : stays);
  const kept = new Set(written.filter(({ chunks }) => chunks.some(isKept)).map(({ change }) => change.document.id));
  const revisions = removed.filter(({ id }) => kept.has(id)).map(({ revision }) => revision);
  const stored = await readAnswers(table, revisions);
  return written.flatMap(({ change: { document }, chunks }, number) => {
    const row = (chunkId: string, vector: Float32Array | undefined): VectorRow[] => [
      { chunkId, document, revision: revisionOf(segment, number), vector },
    ];
    return chunks.flatMap((planned) => {
      const { id } = planned.chunk;
      if (isKept(planned)) return stored.has(id) ? row(id, stored.get(id)) : [];
      if (!isOwn || planned.isLacking) return [];
      return row(id, planned.vector instanceof Float32Array ? unitVector(planned.vector) : undefined);
    });
  });
}

/** The commit by which the new documents are there and the old ones are not. */
async function commit(
  { tables, place }: Target,
  removed: readonly StoredRows[],
  rows: Arrow.Table | undefined,
): Promise<void> {
  const { document } = tables;
  const gone = isOneOf(
    "document_id",
    removed.map(({ id }) => id),
  );
  await retryConflicts<unknown>(place, () => {
    if (rows === undefined) return document.delete(gone);
    if (removed.length === 0) return document.add(rows);
    return document
      .mergeInsert("revision")
      .whenNotMatchedInsertAll()
      .whenNotMatchedBySourceDelete({ where: gone })
      .execute(rows);
  });
}

/** Removes what is not there any more. What cannot be removed now is left to maintenance. */
async function removeRows(
  { tables, vectors }: Target,
  { facts }: Snapshot,
  removed: readonly StoredRows[],
): Promise<void> {
  if (removed.length === 0) return;
  const left = new Map<string, number>();
  for (const { segment } of removed) left.set(segment, (left.get(segment) ?? 0) + 1);
  const empty = [...left].filter(([name, count]) => count === sizeOf(facts.segments.get(name)!.documents));
  const revisions = removed.map(({ revision }) => revision);
  await Promise.allSettled([
    ...[tables.chunk, ...vectors.map(({ table }) => table)].map((table) =>
      table.delete(isOneOf("revision", revisions)),
    ),
    ...(empty.length === 0
      ? []
      : [
          tables.posting.delete(
            isOneOf(
              "segment",
              empty.map(([name]) => name),
            ),
          ),
        ]),
  ]);
}

function sizeOf(documents: Int32Array): number {
  return documents.reduce((count, index) => (index < 0 ? count : count + 1), 0);
}
