import type { CallOptions, SpaceEmbedding, SpaceEntry, VectorSpaces, VectorStore } from "@docsearch/spec";
import { activeSpaceDropped, assertValidVector, spaceNotFound } from "@docsearch/store-kit";
import { assertStorable } from "./extension.js";
import type { StoredSpace } from "./identity.js";
import { textColumn } from "./records.js";
import type { Snapshot } from "./snapshot.js";
import { activateSpace, addSpace, countSilent, readSpaces, readVectorCounts, removeSpace } from "./space-table.js";
import { writeState } from "./state.js";
import { isStorable } from "./storable.js";
import type { VectorTable, VectorType } from "./tables.js";
import { unitVectorText } from "./unit-vector.js";
import { insertVectors, type VectorRow } from "./vector-rows.js";

type Run = <T>(
  operation: string,
  options: CallOptions | undefined,
  body: (snapshot: Snapshot) => Promise<T>,
) => Promise<T>;

/** What the spaces of an open store need of it. */
export interface SpacesParts {
  readonly databaseName: string;
  /** Of a new space. */
  readonly vectorType: VectorType;
  /** Runs `body` on one state of the index. */
  readonly read: Run;
  /** The same, and keeps other writers out. */
  readonly change: Run;
  readonly reopen: (embedding: SpaceEmbedding) => Promise<VectorStore>;
  /** Told how many vectors were written. */
  readonly onFilled: (vectors: number) => void;
}

/** Several models in one index. See `VectorSpaces`. */
export function openSpaces({ databaseName, vectorType, read, change, reopen, onFilled }: SpacesParts): VectorSpaces {
  return {
    list: (options) =>
      read("list spaces", options, async (snapshot) => {
        const { spaces, schema } = await readSpaces(snapshot);
        const vectors = await readVectorCounts(snapshot);
        const silent = await countSilent(snapshot);
        return [...spaces]
          .sort((a, b) => (a.embedding.id < b.embedding.id ? -1 : 1))
          .map(({ number, embedding }) => {
            const own = vectors.get(number) ?? 0;
            const lacking = snapshot.state.chunks - own - (silent.get(number) ?? 0);
            return { embedding, isActive: embedding.id === schema.embedding?.id, vectors: own, lacking };
          });
      }),
    async open(embedding, { create = false, ...options } = {}) {
      const isThere = await read("open space", options, async (snapshot) => {
        const { spaces } = await readSpaces(snapshot);
        if (!create) existing(spaces, embedding.id);
        return isAmong(spaces, embedding.id);
      });
      if (!isThere) {
        assertStorable(embedding.dimensions);
        await change("create space", options, async (snapshot) => {
          // Another process may have been faster.
          if (isAmong((await readSpaces(snapshot)).spaces, embedding.id)) return;
          await addSpace(snapshot, databaseName, embedding, vectorType);
        });
      }
      return reopen(embedding);
    },
    lacking: (chunkIds, options) =>
      read("list lacking chunks", options, async (snapshot) => {
        const { vectors } = snapshot.tables;
        if (vectors === undefined) return [];
        const lacking = new Set((await readLacking(snapshot, vectors, chunkIds)).map(({ id }) => id));
        return chunkIds.filter((id) => lacking.has(id));
      }),
    fill: async (entries, options) => {
      const filled = await change("fill space", options, (snapshot) => fillSpace(snapshot, entries));
      onFilled(filled);
      return filled;
    },
    use: (embedderId, options) =>
      change("use space", options, async (snapshot) => {
        const stored = await readSpaces(snapshot);
        await activateSpace(snapshot, snapshot.tables.schema, stored, existing(stored.spaces, embedderId));
      }),
    drop: (embedderId, options) =>
      change("drop space", options, async (snapshot) => {
        const { spaces, schema } = await readSpaces(snapshot);
        const space = existing(spaces, embedderId);
        if (schema.embedding?.id === embedderId) throw activeSpaceDropped(embedderId);
        await removeSpace(snapshot, space);
      }),
  };
}

interface LackingChunk {
  readonly id: string;
  readonly slot: number;
  readonly document: number;
}

/** Those of the chunks that are stored, and that the model was not asked about. */
function readLacking(
  { query, tables: { schema, silent } }: Snapshot,
  { space, name }: VectorTable,
  chunkIds: readonly string[],
): Promise<readonly LackingChunk[]> {
  return query<LackingChunk>(
    `SELECT ${textColumn("chunk.id", "id")}, chunk.slot, chunk.document FROM ${schema}.chunk
     WHERE chunk.id = ANY ($1::text[]) AND $2::int <> ALL (${silent})
       AND NOT EXISTS (SELECT 1 FROM ${schema}.${name} AS stored WHERE stored.chunk = chunk.slot)`,
    [chunkIds.filter(isStorable), space],
  );
}

/** Stores what is known of lacking chunks. Returns how many no longer are. */
async function fillSpace(snapshot: Snapshot, entries: readonly SpaceEntry[]): Promise<number> {
  const { query, tables, state } = snapshot;
  const { schema, vectors } = tables;
  if (vectors === undefined) return 0;
  for (const { chunkId, vector } of entries) {
    if (vector !== undefined) assertValidVector(vector, vectors.dimensions, `chunk ${chunkId}`);
  }
  const wanted = new Map(entries.map(({ chunkId, vector }) => [chunkId, vector]));
  const rows: VectorRow[] = [];
  const silent: number[] = [];
  const lacking = await readLacking(snapshot, vectors, [...wanted.keys()]);
  for (const { id, slot, document } of lacking) {
    const vector = wanted.get(id);
    if (vector === undefined) silent.push(slot);
    else rows.push([slot, document, unitVectorText(vector)]);
  }
  await insertVectors(query, schema, vectors, rows);
  if (silent.length > 0) {
    await query(`UPDATE ${schema}.chunk SET silent = silent || $2::int WHERE slot = ANY ($1::int[])`, [
      silent,
      vectors.space,
    ]);
  }
  // The words are as before, so the generation is too.
  if (rows.length > 0) await writeState(query, tables, { ...state, vectors: state.vectors + rows.length });
  return lacking.length;
}

function isAmong(spaces: readonly StoredSpace[], embedderId: string): boolean {
  return spaces.some(({ embedding }) => embedding.id === embedderId);
}

/** @throws `NOT_FOUND` */
function existing(spaces: readonly StoredSpace[], embedderId: string): StoredSpace {
  const space = spaces.find(({ embedding }) => embedding.id === embedderId);
  if (space === undefined) throw spaceNotFound(embedderId, spaces);
  return space;
}
