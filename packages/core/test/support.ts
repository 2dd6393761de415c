import type { ChunkerFactory, Document, Embedder, EmbedderFactory, StoreFactory, VectorStore } from "@docsearch/spec";

/** A plain text document; its hash is its text. */
export function textDocument(id: string, text: string, over: Partial<Document> = {}): Document {
  return { id, path: id, collection: "test", text, contentHash: text, mediaType: "text/plain", metadata: {}, ...over };
}

export interface FakeEmbedder extends Embedder {
  /** Every text that was embedded, in order. */
  readonly embedded: string[];
  /** Set to make calls that contain the text fail. */
  failOn: string | undefined;
}

/**
 * An embedder of three dimensions that counts the words of three topics. A text with none of them has no vector.
 */
export function topicEmbedder(maxBatchSize = 4): { factory: EmbedderFactory; embedder: FakeEmbedder } {
  const topics = [/cat|feline/gi, /dog|hound/gi, /fish|salmon/gi];
  const vectorOf = (text: string): Float32Array | undefined => {
    const counts = topics.map((topic) => text.match(topic)?.length ?? 0);
    const norm = Math.hypot(...counts);
    return norm === 0 ? undefined : Float32Array.from(counts, (count) => count / norm);
  };
  const embed = async (texts: readonly string[]) => {
    const failing = texts.find((text) => embedder.failOn !== undefined && text.includes(embedder.failOn));
    if (failing !== undefined) throw new Error(`cannot embed ${failing}`);
    return { vectors: texts.map(vectorOf), truncated: [] };
  };
  const embedder: FakeEmbedder = {
    specVersion: 1,
    id: "topics@1",
    dimensions: 3,
    maxBatchSize,
    maxParallelCalls: 2,
    embedded: [],
    failOn: undefined,
    embedDocuments: (texts) => {
      embedder.embedded.push(...texts);
      return embed(texts);
    },
    embedQuery: (text) => embed([text]),
    close: async () => {},
  };
  return { factory: { specVersion: 1, name: "topics", load: async () => embedder }, embedder };
}

/** A chunker that makes a chunk of each paragraph, so that tests can say what the chunks are. */
export const paragraphs: ChunkerFactory = {
  specVersion: 1,
  name: "paragraphs",
  id: "paragraphs@1",
  load: async () => ({
    specVersion: 1,
    id: "paragraphs@1",
    supports: () => true,
    chunk: ({ text }) => ({
      chunks: [...text.matchAll(/\S[^\n]*/g)].map((match) => ({
        text: match[0],
        span: { startOffset: match.index, endOffset: match.index + match[0].length, startLine: 1, endLine: 1 },
        headingPath: [],
        metadata: {},
      })),
      outline: [],
      diagnostics: [],
    }),
  }),
};

/** A store factory that lets a test get at the store, and that opens it once. */
export function captured(factory: StoreFactory): { factory: StoreFactory; store: () => VectorStore } {
  let store: VectorStore | undefined;
  return {
    factory: {
      ...factory,
      open: async (schema, options) => {
        store ??= await factory.open(schema, options);
        return store;
      },
    },
    store: () => {
      if (store === undefined) throw new Error("not opened yet");
      return store;
    },
  };
}
