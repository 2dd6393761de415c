import type { CallOptions, SpaceEmbedding, VectorSpaces, VectorStore } from "@docsearch/spec";
import { activeSpaceDropped, assertValidVector, spaceNotFound } from "@docsearch/store-kit";
import type { Connection } from "./driver.js";
import { newNumbering, readIdentity, type State, writeState } from "./meta.js";
import { activateSpace, addSpace, readSpaces, removeSpace, type StoredSpace } from "./space-table.js";
import { VectorBlocks } from "./vector-blocks.js";
import type { VectorTable } from "./vector-table.js";

/** What the spaces of an open store need of it. */
export interface SpacesParts {
  readonly connection: Connection;
  /** Number of the store's own space; `undefined` in one without vectors. */
  readonly own: number | undefined;
  /** Runs `body` on one state of the index. */
  readonly read: <T>(operation: string, options: CallOptions | undefined, body: (state: State) => T) => T;
  /** The same, with the lock for writing. */
  readonly change: <T>(operation: string, options: CallOptions | undefined, body: (state: State) => T) => T;
  readonly reopen: (embedding: SpaceEmbedding, options: CallOptions) => Promise<VectorStore>;
}

/** Several models in one index. See `VectorSpaces`. */
export function openSpaces({ connection, own, read, change, reopen }: SpacesParts): VectorSpaces {
  const ownTable = (): VectorTable | undefined => readSpaces(connection).find(({ number }) => number === own)?.table;
  const slotOf = (chunkId: string): number | undefined =>
    connection.prepare<{ slot: number }>("SELECT slot FROM chunk WHERE id = ?").get(chunkId)?.slot;
  return {
    list: async (options) =>
      read("list spaces", options, ({ chunks }) => {
        const active = readIdentity(connection).schema.embedding?.id;
        return [...readSpaces(connection)]
          .sort((a, b) => (a.embedding.id < b.embedding.id ? -1 : 1))
          .map(({ embedding, table }) => {
            const { vectors, asked } = new VectorBlocks(connection, table, "int8").coverage();
            return { embedding, isActive: embedding.id === active, vectors, lacking: chunks - asked };
          });
      }),
    async open(embedding, { create = false, ...options } = {}) {
      const isThere = read("open space", options, () => findSpace(connection, embedding.id) !== undefined);
      if (!isThere && !create) throw spaceNotFound(embedding.id, readSpaces(connection));
      if (!isThere) {
        change("create space", options, () => {
          // Another process may have been faster.
          if (findSpace(connection, embedding.id) === undefined) addSpace(connection, embedding);
        });
      }
      return reopen(embedding, options);
    },
    lacking: async (chunkIds, options) =>
      read("list lacking chunks", options, () => {
        const table = ownTable();
        if (table === undefined) return [];
        const vectors = new VectorBlocks(connection, table, "int8");
        return chunkIds.filter((id) => {
          const slot = slotOf(id);
          return slot !== undefined && vectors.isLacking(slot);
        });
      }),
    fill: async (entries, options) =>
      change("fill space", options, (state) => {
        const table = ownTable();
        if (table === undefined) return 0;
        for (const { chunkId, vector } of entries) {
          if (vector !== undefined) assertValidVector(vector, table.dimensions, `chunk ${chunkId}`);
        }
        const vectors = new VectorBlocks(connection, table, "int8");
        const writer = vectors.writer();
        const slots = new Map(entries.map((entry) => [slotOf(entry.chunkId), entry.vector]));
        let filled = 0;
        for (const [slot, vector] of slots) {
          if (slot === undefined || !vectors.isLacking(slot)) continue;
          if (vector === undefined) writer.putNone(slot);
          else writer.put(slot, vector);
          filled++;
        }
        if (filled === 0) return 0;
        const generation = state.generation + 1;
        writer.finish(generation);
        writeState(connection, { ...state, generation });
        return filled;
      }),
    async use(embedderId, options) {
      change("use space", options, () => activateSpace(connection, existing(connection, embedderId)));
    },
    async drop(embedderId, options) {
      change("drop space", options, (state) => {
        const space = existing(connection, embedderId);
        if (readIdentity(connection).schema.embedding?.id === embedderId) throw activeSpaceDropped(embedderId);
        removeSpace(connection, space);
        // Whoever has it open looks again what the index is.
        writeState(connection, { ...state, numbering: newNumbering() });
      });
    },
  };
}

function findSpace(connection: Connection, embedderId: string): StoredSpace | undefined {
  return readSpaces(connection).find(({ embedding }) => embedding.id === embedderId);
}

function existing(connection: Connection, embedderId: string): StoredSpace {
  const space = findSpace(connection, embedderId);
  if (space === undefined) throw spaceNotFound(embedderId, readSpaces(connection));
  return space;
}
