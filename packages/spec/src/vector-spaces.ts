import type { CallOptions } from "./document.js";
import type { IndexSchema, VectorStore } from "./store.js";

/** A model of an index: its id and the length of its vectors. */
export type SpaceEmbedding = NonNullable<IndexSchema["embedding"]>;

/** The vectors of one model. */
export interface VectorSpace {
  readonly embedding: SpaceEmbedding;
  /** Whether the index answers with it: `StoreFactory.open` takes a schema with the model of this space alone. */
  readonly isActive: boolean;
  readonly vectors: number;
  /** Chunks for which the model was not asked yet. One that it has nothing to say about is not among them. */
  readonly lacking: number;
}

/** What a model says about a chunk. */
export interface SpaceEntry {
  readonly chunkId: string;
  /** `undefined`: it has nothing to say. */
  readonly vector: Float32Array | undefined;
}

/**
 * Several models in one index, each with a space of vectors of its own. A `VectorStore` belongs to one of them, the one
 * of its `schema.embedding`: it searches, checks and counts those vectors alone. A write leaves the vectors of the other
 * spaces as they are: those of chunks that stay are kept, those of chunks that go are gone, and a new chunk is lacking.
 */
export interface VectorSpaces {
  /** By embedder id, in code unit order. */
  list(options?: CallOptions): Promise<readonly VectorSpace[]>;
  /**
   * The same index, open in the space of another model. Each of the two is closed by itself.
   *
   * @throws `NOT_FOUND` when there is no such space and `create` is not set
   */
  open(embedding: SpaceEmbedding, options?: CallOptions & { readonly create?: boolean }): Promise<VectorStore>;
  /** Those of `chunkIds` that are stored and lacking in this space, in their order. */
  lacking(chunkIds: readonly string[], options?: CallOptions): Promise<readonly string[]>;
  /**
   * Stores what is known of chunks that are lacking in this space, and changes nothing else. Ids that are not stored, or
   * not lacking, are passed over, so that it does not matter what others have written since. All or nothing; returns
   * how many chunks are no longer lacking.
   *
   * @throws `VECTOR_INVALID`
   */
  fill(entries: readonly SpaceEntry[], options?: CallOptions): Promise<number>;
  /** Makes another space the active one, in one step. Stores that are open go on in theirs. `NOT_FOUND` for none. */
  use(embedderId: string, options?: CallOptions): Promise<void>;
  /** Removes a space with its vectors. `NOT_FOUND` for none, `UNSUPPORTED` for the active one. */
  drop(embedderId: string, options?: CallOptions): Promise<void>;
}
