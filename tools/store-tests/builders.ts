// What the tests of the stores write and search with.
import type {
  Bm25fParameters,
  ChunkWrite,
  DocumentChange,
  DocumentRecord,
  EmbeddingWrite,
  IndexSchema,
  LexicalField,
  LexicalFields,
  LexicalQuery,
  OpenOptions,
  VectorStore,
} from "@docsearch/spec";

export const SCHEMA: IndexSchema = {
  embedding: { id: "test@1", dimensions: 4 },
  chunking: "test@1",
  analyzer: "test@1",
};

export const WRITE: OpenOptions = { mode: "write", onMismatch: "error" };
export const READ: OpenOptions = { mode: "read", onMismatch: "error" };
export const RECREATE: OpenOptions = { mode: "write", onMismatch: "recreate" };
export const REBUILD: OpenOptions = { mode: "rebuild", onMismatch: "recreate" };

export const RANKING: Bm25fParameters = {
  k1: 1.2,
  fields: {
    title: { weight: 3, b: 0 },
    ancestors: { weight: 1, b: 0.25 },
    heading: { weight: 3, b: 0 },
    path: { weight: 2, b: 0 },
    body: { weight: 1, b: 0.5 },
    code: { weight: 0.5, b: 0.75 },
  },
};

function field(words: string): LexicalField {
  const terms = new Map<string, number>();
  const list = words.split(" ").filter((word) => word !== "");
  for (const word of list) terms.set(word, (terms.get(word) ?? 0) + 1);
  return { terms, length: list.length };
}

/** A chunk: the words of its body, or all its fields; a vector, `keep` or nothing. */
interface Piece {
  readonly words?: string;
  readonly fields?: LexicalFields;
  readonly vector?: readonly number[] | "keep";
  readonly id?: string;
}

export function page(id: string, pieces: readonly Piece[], record: Partial<DocumentRecord> = {}): DocumentChange {
  return {
    type: "replace",
    document: { id, collection: "docs", contentHash: "0", mediaType: "text/plain", metadata: {}, ...record },
    outline: [],
    chunks: pieces.map((piece, ordinal) => chunkWrite(id, ordinal, piece)),
  };
}

function chunkWrite(documentId: string, ordinal: number, { words = "word", fields, vector, id }: Piece): ChunkWrite {
  const embedding: EmbeddingWrite =
    vector === undefined
      ? { kind: "none" }
      : vector === "keep"
        ? { kind: "keep" }
        : { kind: "vector", vector: Float32Array.from(vector) };
  return {
    chunk: {
      id: id ?? `${documentId}#${ordinal}`,
      documentId,
      ordinal,
      text: words,
      span: { startOffset: 0, endOffset: words.length, startLine: 1, endLine: 1 },
      headingPath: [],
      metadata: {},
    },
    fields: fields ?? { body: field(words) },
    embedding,
  };
}

export function removal(documentId: string): DocumentChange {
  return { type: "delete", documentId };
}

export function term(word: string, weight = 1): LexicalQuery {
  return { op: "term", term: word, weight };
}

export function or(...clauses: readonly LexicalQuery[]): LexicalQuery {
  return { op: "or", clauses };
}

/** Ids of the chunks that a query finds, best first. */
export async function textIds(store: VectorStore, query: LexicalQuery, limit = 100): Promise<string[]> {
  const { chunks } = await store.searchText({ query, ranking: RANKING, limit });
  return chunks.map(({ chunkId }) => chunkId);
}

export async function vectorIds(store: VectorStore, vector: readonly number[], limit = 100): Promise<string[]> {
  const hits = await store.searchVector({ vector: Float32Array.from(vector), limit });
  return hits.map(({ chunkId }) => chunkId);
}
