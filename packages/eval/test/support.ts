import { createDocsearch, type Docsearch, memoryStore } from "@docsearch/core";
import type { ChunkerFactory, Document, EmbedderFactory } from "@docsearch/spec";

/** A plain text document; its hash is its text. */
export function textDocument(id: string, text: string, over: Partial<Document> = {}): Document {
  return { id, path: id, collection: "test", text, contentHash: text, mediaType: "text/plain", metadata: {}, ...over };
}

/** A chunk for each line, so that tests can say where chunks start. */
const lines: ChunkerFactory = {
  specVersion: 1,
  name: "lines",
  id: "lines@1",
  load: async () => ({
    specVersion: 1,
    id: "lines@1",
    supports: ({ mediaType }) => mediaType === "text/plain",
    chunk: ({ text }) => ({
      chunks: [...text.matchAll(/\S[^\n]*/g)].map((match) => {
        const line = text.slice(0, match.index).split("\n").length;
        const span = {
          startOffset: match.index,
          endOffset: match.index + match[0].length,
          startLine: line,
          endLine: line,
        };
        return { text: match[0], span, headingPath: [], metadata: {} };
      }),
      outline: [],
      diagnostics: [],
    }),
  }),
};

/** An open index in memory that holds the documents, each line of plain text a chunk. */
export async function indexOf(
  documents: readonly Document[],
  parts: { readonly embedder?: EmbedderFactory; readonly chunkers?: readonly ChunkerFactory[] } = {},
): Promise<Docsearch> {
  const docsearch = await createDocsearch({ store: memoryStore(), chunkers: [lines], ...parts });
  await docsearch.index({ documents });
  return docsearch;
}

/** Two dimensions: cats and dogs. Knows `feline`, which no document of the tests says. */
export const petEmbedder: EmbedderFactory = {
  specVersion: 1,
  name: "pets",
  load: async () => {
    const embed = async (texts: readonly string[]) => ({
      vectors: texts.map((text) => {
        const counts = [/cat|feline/gi, /dog/gi].map((topic) => text.match(topic)?.length ?? 0);
        const norm = Math.hypot(...counts);
        return norm === 0 ? undefined : Float32Array.from(counts, (count) => count / norm);
      }),
      truncated: [],
    });
    return {
      specVersion: 1,
      id: "pets@1",
      dimensions: 2,
      maxBatchSize: 8,
      maxParallelCalls: 1,
      embedDocuments: embed,
      embedQuery: (text) => embed([text]),
      close: async () => {},
    };
  },
};
