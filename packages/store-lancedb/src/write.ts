// A document becomes visible by one commit to `document`, and its chunks and postings are there before. Those of the
// revision before are removed after it. A process that is killed in between leaves rows that belong to no document:
// they are never found, and maintenance removes them.

import type { DocumentChange, WriteResult } from "@docsearch/spec";
import { type PlannedDocument, type StoredDocument, WritePlan } from "@docsearch/store-kit";
import type * as Arrow from "apache-arrow";
import type { Lance } from "./lance.js";
import { newRows } from "./new-rows.js";
import { retryConflicts } from "./retry.js";
import { textsOf, vectorsOf } from "./rows.js";
import type { Snapshot } from "./snapshot.js";
import { isOneOf, isStorable } from "./sql.js";
import type { Tables } from "./tables.js";

/** Where changes are written. */
export interface Target {
  readonly lance: Lance;
  /** Handles that nobody else uses: a commit moves them on. */
  readonly tables: Tables;
  /** Of the vectors; absent in an index without. */
  readonly dimensions: number | undefined;
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
  const plan = new WritePlan(stored, owners, target.dimensions ?? 0);
  let error: unknown;
  try {
    for (const change of changes) plan.add(change);
  } catch (reason) {
    error = reason;
  }
  const { removed, written } = plan;
  if (removed.length + written.length === 0) return { result: plan.result, error };
  const { lance, tables, dimensions, place } = target;
  const vectors = dimensions === undefined ? new Map() : await storedVectors(snapshot, removed, written);
  const rows = newRows(lance, dimensions, written, vectors);
  for (const name of ["chunk", "posting"] as const) {
    signal?.throwIfAborted();
    const added = rows[name];
    if (added !== undefined) await retryConflicts(place, () => tables[name].add(added));
  }
  signal?.throwIfAborted();
  await commit(target, removed, rows.document);
  await removeRows(target, snapshot, removed);
  return { result: plan.result, error };
}

/** Removes every document. */
export async function clearTables({ tables, place }: Target): Promise<void> {
  // In this order, because what is in `document` is what is there.
  for (const table of [tables.document, tables.chunk, tables.posting]) {
    await retryConflicts(place, () => table.delete("TRUE"));
  }
}

interface Before {
  readonly stored: readonly StoredRows[];
  /** Document id by chunk id. */
  readonly owners: Map<string, string>;
}

/** What is there of the documents and chunks that the changes name. */
async function readBefore(snapshot: Snapshot, changes: readonly DocumentChange[]): Promise<Before> {
  const { facts, tables } = snapshot;
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
  const owners = new Map(stored.flatMap(({ id, chunkIds: ids }) => ids.map((chunkId) => [chunkId, id])));
  const others = [...chunkIds].filter((id) => !owners.has(id) && isStorable(id));
  if (others.length > 0 && facts.ids.length > 0) {
    const found = await tables.chunk
      .query()
      .where(isOneOf("id", others))
      .select(["id", "document_id", "revision"])
      .toArrow();
    const [ids, documentIds] = [textsOf(found, "id"), textsOf(found, "document_id")];
    textsOf(found, "revision").forEach((revision, row) => {
      const owner = documentIds[row]!;
      if (facts.revisions[facts.indexOfId.get(owner) ?? -1] === revision) owners.set(ids[row]!, owner);
    });
  }
  return { stored, owners };
}

/** The vectors that are kept, by chunk id. */
async function storedVectors(
  { tables }: Snapshot,
  removed: readonly StoredRows[],
  written: readonly PlannedDocument[],
): Promise<Map<string, Float32Array | undefined>> {
  const kept = written.filter(({ chunks }) => chunks.some(({ vector }) => vector === "stored"));
  const ids = new Set(kept.map(({ change }) => change.document.id));
  const revisions = removed.filter(({ id }) => ids.has(id)).map(({ revision }) => revision);
  if (revisions.length === 0) return new Map();
  const found = await tables.chunk.query().where(isOneOf("revision", revisions)).select(["id", "vector"]).toArrow();
  const vectors = vectorsOf(found, "vector");
  return new Map(textsOf(found, "id").map((id, row) => [id, vectors[row]]));
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
async function removeRows({ tables }: Target, { facts }: Snapshot, removed: readonly StoredRows[]): Promise<void> {
  if (removed.length === 0) return;
  const left = new Map<string, number>();
  for (const { segment } of removed) left.set(segment, (left.get(segment) ?? 0) + 1);
  const empty = [...left].filter(([name, count]) => count === sizeOf(facts.segments.get(name)!.documents));
  const revisions = removed.map(({ revision }) => revision);
  await Promise.allSettled([
    tables.chunk.delete(isOneOf("revision", revisions)),
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
