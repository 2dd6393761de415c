import type { DocumentRecord, SpaceEntry } from "@docsearch/spec";
import type { Connection } from "@lancedb/lancedb";
import { readRecords } from "./document-rows.js";
import type { Lance } from "./lance.js";
import { retryConflicts } from "./retry.js";
import { unitVector } from "./unit-vector.js";
import type { VectorState } from "./vector-state.js";
import { GUARD, openVectors, readAnswered, type VectorRow, vectorRows } from "./vector-table.js";

/** Where a space is filled. */
interface FillTarget {
  readonly lance: Lance;
  readonly connection: Connection;
  /** For messages. */
  readonly place: string;
}

/** Those of the chunks that are there and that the model was not asked about, in their order. */
export async function lackingChunks(state: VectorState, chunkIds: readonly string[]): Promise<string[]> {
  const { facts } = state.snapshot;
  const documents = await state.snapshot.documentsOf(chunkIds);
  const { answeredOf } = await state.coverage();
  const answeredIn = (document: number): number => answeredOf.get(facts.revisions[document]!) ?? 0;
  const chunksIn = (document: number): number => facts.firstChunk[document + 1]! - facts.firstChunk[document]!;
  const partly = [...new Set(documents.values())].filter(
    (document) => answeredIn(document) > 0 && answeredIn(document) < chunksIn(document),
  );
  const answered = await readAnswered(
    state.table,
    partly.map((document) => facts.revisions[document]!),
  );
  return chunkIds.filter((id) => {
    const document = documents.get(id);
    return document !== undefined && answeredIn(document) < chunksIn(document) && !answered.has(id);
  });
}

/**
 * Adds what a model says about chunks that it lacks, by one commit. It changes the guard too, and so conflicts with every
 * other filling: the one that comes second looks again which rows are there. Chunks that a write replaces meanwhile are
 * lacking again: the rows are those of a revision that is gone.
 *
 * @param entries with valid vectors
 * @returns the number of chunks
 */
export async function fillSpace(
  { lance, connection, place }: FillTarget,
  state: VectorState,
  entries: readonly SpaceEntry[],
): Promise<number> {
  const { snapshot, space } = state;
  const wanted = new Map(entries.map(({ chunkId, vector }) => [chunkId, vector]));
  const lacking = await lackingChunks(state, [...wanted.keys()]);
  if (lacking.length === 0) return 0;
  const { facts } = snapshot;
  const documents = await snapshot.documentsOf(lacking);
  const ids = [...new Set(documents.values())].map((document) => facts.ids[document]!);
  const records = new Map<string, DocumentRecord>();
  for (const [id, record] of await readRecords(snapshot, ids)) records.set(id, JSON.parse(record) as DocumentRecord);
  const rows = lacking.map((chunkId): VectorRow => {
    const document = documents.get(chunkId)!;
    const vector = wanted.get(chunkId);
    return {
      chunkId,
      document: records.get(facts.ids[document]!)!,
      revision: facts.revisions[document]!,
      vector: vector && unitVector(vector),
    };
  });
  const { table } = await openVectors(connection, snapshot.generation, space);
  const added = vectorRows(lance, space.embedding.dimensions, [GUARD, ...rows]);
  const { numInsertedRows } = await retryConflicts(place, () =>
    table
      .mergeInsert(["revision", "id"])
      .whenMatchedUpdateAll({ where: "target.revision = ''" })
      .whenNotMatchedInsertAll()
      .execute(added),
  );
  return numInsertedRows;
}
