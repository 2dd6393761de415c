import type { Registry } from "@docsearch/core";
import type { Embedder, Provider } from "@docsearch/spec";

/** Called around each call of an embedder. */
export interface EmbedderHooks {
  readonly documents?: <T>(embedder: Embedder, embed: () => Promise<T>) => Promise<T>;
  readonly query?: <T>(embedder: Embedder, embed: () => Promise<T>) => Promise<T>;
}

/** The registry with embedders whose calls go through the hooks. */
export function wrapEmbedder(inner: Registry, hooks: EmbedderHooks): Registry {
  return {
    ...inner,
    async load(kind, name) {
      const provider = await inner.load(kind, name);
      return provider.kind === "embedder" ? (wrapProvider(provider as unknown as Embedding, hooks) as never) : provider;
    },
  };
}

type Embedding = Provider<"embedder">;

function wrapProvider(provider: Embedding, hooks: EmbedderHooks): Embedding {
  return {
    specVersion: provider.specVersion,
    kind: provider.kind,
    name: provider.name,
    fromEnv(env) {
      const factory = provider.fromEnv(env);
      return { ...factory, load: async (call) => wrap(await factory.load(call), hooks) };
    },
  };
}

function wrap(embedder: Embedder, { documents = direct, query = direct }: EmbedderHooks): Embedder {
  return {
    specVersion: embedder.specVersion,
    id: embedder.id,
    dimensions: embedder.dimensions,
    maxBatchSize: embedder.maxBatchSize,
    maxParallelCalls: embedder.maxParallelCalls,
    embedDocuments: (texts, call) => documents(embedder, () => embedder.embedDocuments(texts, call)),
    embedQuery: (text, call) => query(embedder, () => embedder.embedQuery(text, call)),
    close: () => embedder.close(),
  };
}

function direct<T>(_embedder: Embedder, embed: () => Promise<T>): Promise<T> {
  return embed();
}
