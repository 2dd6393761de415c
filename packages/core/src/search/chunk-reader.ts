import type { CallOptions, Chunk, VectorStore } from "@docsearch/spec";

/** Reads chunks of a store, each once in a search. */
export class ChunkReader {
  readonly #store: VectorStore;
  readonly #call: CallOptions;
  readonly #chunks = new Map<string, Chunk | undefined>();

  constructor(store: VectorStore, call: CallOptions) {
    this.#store = store;
    this.#call = call;
  }

  /** As long as `ids` and in its order; a miss is `undefined`. */
  async read(ids: readonly string[]): Promise<readonly (Chunk | undefined)[]> {
    const wanted = [...new Set(ids.filter((id) => !this.#chunks.has(id)))];
    if (wanted.length > 0) {
      const chunks = await this.#store.getChunks(wanted, this.#call);
      for (const [index, id] of wanted.entries()) this.#chunks.set(id, chunks[index]);
    }
    return ids.map((id) => this.#chunks.get(id));
  }
}
