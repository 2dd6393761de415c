import type { IndexSchema, SpaceEmbedding } from "@docsearch/spec";
import { newName } from "./names.js";

/** The vectors of one model: a table that has this name in its own. */
export interface StoredSpace {
  readonly name: string;
  readonly embedding: SpaceEmbedding;
}

/** An index: the tables that have its name in theirs, and what it was made with. */
export interface Generation {
  readonly name: string;
  /** What it began with. The model that it answers with now may be another one. */
  readonly schema: IndexSchema;
  readonly spaces: readonly StoredSpace[];
  /** Embedder id of the space that it answers with; `null`: with words alone. */
  readonly active: string | null;
}

/** Makes a generation's name. It holds its time: see `timeOfName`. */
export function newGeneration(schema: IndexSchema): Generation {
  const { embedding } = schema;
  const spaces = embedding === null ? [] : [newSpace(embedding)];
  return { name: `g${newName()}`, schema, spaces, active: embedding?.id ?? null };
}

export function newSpace(embedding: SpaceEmbedding): StoredSpace {
  return { name: newName(), embedding: { ...embedding } };
}

/** The space of a model, by its id. */
export function findSpace({ spaces }: Generation, embedderId: string | null): StoredSpace | undefined {
  return spaces.find(({ embedding }) => embedding.id === embedderId);
}

/** What an index answers with now. */
export function activeSchema(generation: Generation): IndexSchema {
  const { schema, active } = generation;
  return { ...schema, embedding: findSpace(generation, active)?.embedding ?? null };
}
