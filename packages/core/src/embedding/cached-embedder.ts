import type { EmbedderFactory, EmbeddingCacheFactory } from "@docsearch/spec";
import { hashParts } from "../indexing/hash.js";
import { assertOneForEach } from "./vector-count.js";
import { vectorFault } from "./vector-fault.js";

/**
 * An embedder that takes from the cache what is there and embeds the rest. The key of a vector is a hash of the
 * embedder's id and the text as it is embedded, so one cache serves all models and all indexes. Texts that the model
 * had to cut, and those it gives no vector or one that cannot be compared, are not kept.
 */
export function cachedEmbedder(factory: EmbedderFactory, cacheFactory: EmbeddingCacheFactory): EmbedderFactory {
  return {
    specVersion: 1,
    name: factory.name,
    async load(options) {
      const cache = await cacheFactory.load(options);
      const embedder = await factory.load(options).catch(async (error: unknown) => {
        await cache.close();
        throw error;
      });
      const isSound = (vector: Float32Array | undefined): vector is Float32Array =>
        vector !== undefined && vectorFault(vector, embedder.dimensions) === undefined;
      return {
        specVersion: 1,
        id: embedder.id,
        dimensions: embedder.dimensions,
        maxBatchSize: embedder.maxBatchSize,
        maxParallelCalls: embedder.maxParallelCalls,
        embedQuery: (text, call) => embedder.embedQuery(text, call),
        async embedDocuments(texts, call) {
          const keys = texts.map((text) => hashParts([embedder.id, text]));
          const vectors = (await cache.get(keys, call)).map((vector) => (isSound(vector) ? vector : undefined));
          const missing = texts.flatMap((_, index) => (vectors[index] === undefined ? [index] : []));
          if (missing.length === 0) return { vectors, truncated: [] };
          const asked = missing.map((index) => texts[index]!);
          const made = await embedder.embedDocuments(asked, call);
          assertOneForEach(made, asked, embedder.id);
          const cut = new Set(made.truncated);
          const entries = missing.flatMap((index, i) => {
            const vector = made.vectors[i];
            vectors[index] = vector;
            return isSound(vector) && !cut.has(i) ? [{ key: keys[index]!, vector }] : [];
          });
          if (entries.length > 0) await cache.put(entries, call);
          return { vectors, truncated: made.truncated.map((i) => missing[i]!) };
        },
        async close() {
          await Promise.all([embedder.close(), cache.close()]);
        },
      };
    },
  };
}
