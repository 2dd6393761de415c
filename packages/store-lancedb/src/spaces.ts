import type { CallOptions, IndexSchema, SpaceEmbedding, VectorSpace, VectorSpaces, VectorStore } from "@docsearch/spec";
import { activeSpaceDropped, assertValidVector, spaceNotFound } from "@docsearch/store-kit";
import type { Connection } from "@lancedb/lancedb";
import type { Catalog } from "./catalog.js";
import { chunkCount } from "./facts.js";
import { fillSpace, lackingChunks } from "./fill-space.js";
import { findSpace, newSpace } from "./generation.js";
import type { Lance } from "./lance.js";
import type { Latest } from "./latest.js";
import { createVectorTable, dropVectors } from "./vector-table.js";

/** What the spaces of an open store need of it. */
export interface SpacesParts {
  readonly lance: Lance;
  readonly connection: Connection;
  readonly catalog: Catalog;
  readonly latest: Latest;
  readonly schema: IndexSchema;
  /** For messages. */
  readonly place: string;
  /** Runs `body` on what is there, once more when another process removed some of it meanwhile. */
  readonly read: <T>(operation: string, options: CallOptions | undefined, body: () => Promise<T>) => Promise<T>;
  /** Runs `body` after the writes that were begun before; it rejects in a store that was opened for reading. */
  readonly change: <T>(operation: string, options: CallOptions | undefined, body: () => Promise<T>) => Promise<T>;
  readonly reopen: (embedding: SpaceEmbedding, options: CallOptions) => Promise<VectorStore>;
  /** Told of each filling with the number of its chunks. */
  readonly onFilled: (chunks: number) => void;
}

/** Several models in one index. See `VectorSpaces`. */
export function openSpaces(parts: SpacesParts): VectorSpaces {
  const { catalog, connection, latest, schema, read, change } = parts;
  return {
    list: (options) => read("list spaces", options, () => listSpaces(latest)),
    async open(embedding, { create = false, ...options } = {}) {
      const { generation } = await read("open space", options, () => latest.current());
      if (findSpace(generation, embedding.id) === undefined) {
        if (!create) throw spaceNotFound(embedding.id, generation.spaces);
        await change("create space", options, () => createSpace(parts, embedding));
      }
      return parts.reopen(embedding, options);
    },
    lacking: (chunkIds, options) =>
      read("list lacking chunks", options, async () => {
        const state = await latest.vectors();
        return state === undefined ? [] : lackingChunks(state, chunkIds);
      }),
    fill: (entries, options) =>
      change("fill space", options, async () => {
        for (const { chunkId, vector } of entries) {
          if (vector !== undefined) assertValidVector(vector, schema.embedding?.dimensions ?? 0, `chunk ${chunkId}`);
        }
        for (;;) {
          const state = await latest.vectors();
          if (state === undefined) return 0;
          const filled = await fillSpace(parts, state, entries);
          parts.onFilled(filled);
          // Another process may have put another index in the place of this one.
          if ((await latest.current()).generation.name === state.snapshot.generation) return filled;
        }
      }),
    async use(embedderId, options) {
      await change("use space", options, async () => {
        await latest.current();
        await catalog.change((generation) => {
          if (findSpace(generation, embedderId) === undefined) throw spaceNotFound(embedderId, generation.spaces);
          return { ...generation, active: embedderId };
        });
      });
    },
    async drop(embedderId, options) {
      await change("drop space", options, async () => {
        const { generation: before } = await latest.current();
        await catalog.change((generation) => {
          const space = findSpace(generation, embedderId);
          if (space === undefined) throw spaceNotFound(embedderId, generation.spaces);
          if (generation.active === embedderId) throw activeSpaceDropped(embedderId);
          return { ...generation, spaces: generation.spaces.filter((each) => each !== space) };
        });
        const space = findSpace(before, embedderId);
        // The table of one that another process added meanwhile is left to maintenance.
        if (space !== undefined) await dropVectors(connection, before.name, space.name);
      });
    },
  };
}

async function listSpaces(latest: Latest): Promise<VectorSpace[]> {
  const { generation, states } = await latest.allVectors();
  const spaces = states.map(async (state): Promise<VectorSpace> => {
    const { embedding } = state.space;
    const { vectors, answered } = await state.coverage();
    const lacking = chunkCount(state.snapshot.facts) - answered;
    return { embedding: { ...embedding }, isActive: embedding.id === generation.active, vectors, lacking };
  });
  return (await Promise.all(spaces)).sort((a, b) => (a.embedding.id < b.embedding.id ? -1 : 1));
}

/** Adds a space without vectors to the index that answers, unless another process does. */
async function createSpace(
  { lance, connection, catalog, latest }: SpacesParts,
  embedding: SpaceEmbedding,
): Promise<void> {
  for (;;) {
    const { generation } = await latest.current();
    if (findSpace(generation, embedding.id) !== undefined) return;
    const space = newSpace(embedding);
    await createVectorTable(connection, lance, generation.name, space);
    const isAdded = await catalog.change((current) =>
      current.name === generation.name && findSpace(current, embedding.id) === undefined
        ? { ...current, spaces: [...current.spaces, space] }
        : undefined,
    );
    if (isAdded) return;
    await dropVectors(connection, generation.name, space.name);
  }
}
