// What the tests of several models in one index share: a second model, and an embedder that counts letters.
import type { Embedder, EmbedderFactory, SpaceEmbedding, VectorSpaces, VectorStore } from "@docsearch/spec";
import { page } from "./builders.js";

/** The model beside that of `SCHEMA`. */
export const OTHER: SpaceEmbedding = { id: "other@1", dimensions: 3 };

export function spacesOf(store: VectorStore): VectorSpaces {
  if (store.spaces === undefined) throw new Error("the store has no spaces");
  return store.spaces;
}

/** Writes the document `d` of two chunks, and adds `OTHER` with a vector for each. Returns the store of that model. */
export async function addSecondModel(store: VectorStore): Promise<VectorStore> {
  await store.write([
    page("d", [
      { words: "alpha", vector: [1, 0, 0, 0] },
      { words: "beta", vector: [0, 1, 0, 0] },
    ]),
  ]);
  const other = await spacesOf(store).open(OTHER, { create: true });
  const filled = await spacesOf(other).fill([
    { chunkId: "d#0", vector: Float32Array.of(1, 0, 0) },
    { chunkId: "d#1", vector: Float32Array.of(0, 1, 0) },
  ]);
  if (filled !== 2) throw new Error(`${filled} of 2 chunks were filled`);
  return other;
}

/**
 * A model that counts the letters a, b, c and so on.
 *
 * @param embed told each text before it is embedded
 */
export function letters(id: string, dimensions: number, embed: (text: string) => void = () => {}): EmbedderFactory {
  const vectorOf = (text: string): Float32Array =>
    Float32Array.from({ length: dimensions }, (_, i) => 0.1 + text.split("abcdef"[i] as string).length);
  const embedder: Embedder = {
    specVersion: 1,
    id,
    dimensions,
    maxBatchSize: 10,
    maxParallelCalls: 1,
    embedDocuments: async (texts) => {
      for (const text of texts) embed(text);
      return { vectors: texts.map(vectorOf), truncated: [] };
    },
    embedQuery: async (text) => ({ vectors: [vectorOf(text)], truncated: [] }),
    close: async () => {},
  };
  return { specVersion: 1, name: id, load: async () => embedder };
}
