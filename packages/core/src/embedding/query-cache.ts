import type { Embedder, EmbedResult } from "@docsearch/spec";
import { vectorFault } from "./vector-fault.js";

/** Queries whose vectors are kept: people page through results, and programs ask again. */
const QUERIES = 256;

/** The embedder with its last queries in memory: what was asked before is not embedded again. */
export function withQueryCache(embedder: Embedder): Embedder {
  const results = new Map<string, EmbedResult>();
  return {
    specVersion: 1,
    id: embedder.id,
    dimensions: embedder.dimensions,
    maxBatchSize: embedder.maxBatchSize,
    maxParallelCalls: embedder.maxParallelCalls,
    embedDocuments: (texts, call) => embedder.embedDocuments(texts, call),
    async embedQuery(text, call) {
      const known = results.get(text);
      const result = known ?? (await embedder.embedQuery(text, call));
      call?.signal?.throwIfAborted();
      // A map keeps the order of insertion: the first key is the one that was used longest ago.
      results.delete(text);
      // What cannot be searched with is asked for again, as after a call that failed.
      const [vector] = result.vectors;
      if (vector !== undefined && vectorFault(vector, embedder.dimensions) !== undefined) return result;
      results.set(text, result);
      if (results.size > QUERIES) results.delete(results.keys().next().value as string);
      return result;
    },
    async close() {
      results.clear();
      await embedder.close();
    },
  };
}
