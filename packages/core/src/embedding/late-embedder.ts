import {
  type Embedder,
  type EmbedderFactory,
  type EmbedResult,
  isDocsearchError,
  type SpaceEmbedding,
} from "@docsearch/spec";

/** After a failure the model is not asked for again for so long: each search would wait for it. */
const PAUSE_MS = 10_000;

/**
 * Stands for a model that could not be loaded, as a server that is away, so that the index is open and answers by words
 * meanwhile. Its calls reject with what was in the way, until loading succeeds.
 *
 * @param wanted the model of the index
 * @param mismatch what is thrown when another one is loaded then
 */
export function lateEmbedder(
  factory: EmbedderFactory,
  wanted: SpaceEmbedding,
  failure: unknown,
  mismatch: (loaded: Embedder) => Error,
): Embedder {
  let last = { failure, until: performance.now() + PAUSE_MS };
  let loading: Promise<Embedder> | undefined;
  const load = async (): Promise<Embedder> => {
    const embedder = await factory.load();
    if (embedder.id === wanted.id) return embedder;
    await embedder.close();
    throw mismatch(embedder);
  };
  const loaded = async (): Promise<Embedder> => {
    if (loading === undefined && performance.now() < last.until) throw last.failure;
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      last = { failure: error, until: performance.now() + PAUSE_MS };
      throw error;
    }
  };
  return {
    specVersion: 1,
    id: wanted.id,
    dimensions: wanted.dimensions,
    maxBatchSize: 1,
    maxParallelCalls: 1,
    embedDocuments: async (texts, call): Promise<EmbedResult> => (await loaded()).embedDocuments(texts, call),
    embedQuery: async (text, call): Promise<EmbedResult> => (await loaded()).embedQuery(text, call),
    async close() {
      await (await loading?.catch(() => undefined))?.close();
    },
  };
}

/** Whether a model that could not be loaded may be there later, or matters to vectors alone. */
export function isOutage(error: unknown): boolean {
  return isDocsearchError(error, "EMBEDDER_FAILED");
}
