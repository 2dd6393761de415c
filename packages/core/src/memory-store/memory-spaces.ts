import { DocsearchError, type SpaceEmbedding, type VectorSpace } from "@docsearch/spec";

/** Vectors of one model by chunk id; `null`: the model has nothing to say about the chunk. A chunk that is not in it is lacking. */
export type SpaceVectors = Map<string, Float32Array | null>;

interface Space {
  readonly embedding: SpaceEmbedding;
  readonly vectors: SpaceVectors;
}

/** The spaces of a memory store, which all its openings share. */
export class MemorySpaces {
  readonly #spaces = new Map<string, Space>();
  #active: string | undefined;

  constructor(embedding: SpaceEmbedding | null) {
    if (embedding === null) return;
    this.add(embedding);
    this.#active = embedding.id;
  }

  /** Begins a space, unless it is there. */
  add(embedding: SpaceEmbedding): void {
    if (!this.#spaces.has(embedding.id)) this.#spaces.set(embedding.id, { embedding, vectors: new Map() });
  }

  /** @throws `NOT_FOUND` */
  get(embedderId: string): Space {
    const space = this.#spaces.get(embedderId);
    if (space !== undefined) return space;
    const known = [...this.#spaces.keys()].join(", ") || "none";
    throw new DocsearchError("NOT_FOUND", `the index has no vectors of ${embedderId}; it has those of: ${known}`, {
      what: "vector space",
      name: embedderId,
    });
  }

  /** @param chunks number of chunks in the index */
  list(chunks: number): VectorSpace[] {
    return [...this.#spaces.values()]
      .sort((a, b) => (a.embedding.id < b.embedding.id ? -1 : 1))
      .map(({ embedding, vectors }) => ({
        embedding: { ...embedding },
        isActive: embedding.id === this.#active,
        vectors: [...vectors.values()].filter((vector) => vector !== null).length,
        lacking: chunks - vectors.size,
      }));
  }

  use(embedderId: string): void {
    this.#active = this.get(embedderId).embedding.id;
  }

  drop(embedderId: string): void {
    this.get(embedderId);
    if (embedderId === this.#active) {
      const message = `the index answers with the vectors of ${embedderId}; make another space the active one first`;
      throw new DocsearchError("UNSUPPORTED", message, { operation: "drop" });
    }
    this.#spaces.delete(embedderId);
  }

  /** Forgets a chunk in all spaces. */
  remove(chunkId: string): void {
    for (const { vectors } of this.#spaces.values()) vectors.delete(chunkId);
  }

  clear(): void {
    for (const { vectors } of this.#spaces.values()) vectors.clear();
  }
}
