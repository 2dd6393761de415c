import type { Reranker, RerankerFactory } from "@docsearch/spec";

/** A reranker that is loaded with the first query, so that indexing never waits for it. */
export function lazyReranker(factory: RerankerFactory | undefined): Reranker | undefined {
  if (factory === undefined) return undefined;
  let loaded: Promise<Reranker> | undefined;
  return {
    specVersion: 1,
    id: factory.name,
    async rerank(request) {
      loaded ??= factory.load();
      // What failed to load may load at the next query: a server that was down.
      loaded.catch(() => {
        loaded = undefined;
      });
      return (await loaded).rerank(request);
    },
    async close() {
      const reranker = await loaded?.catch(() => undefined);
      await reranker?.close();
    },
  };
}
