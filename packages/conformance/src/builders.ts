import type {
  Bm25fParameters,
  Chunk,
  ChunkWrite,
  DocumentChange,
  DocumentRecord,
  EmbeddingWrite,
  Filter,
  IndexSchema,
  LexicalField,
  LexicalFieldName,
  LexicalFields,
  LexicalQuery,
  OutlineEntry,
  TextHits,
  VectorStore,
} from "@docsearch/spec";

/** What the cases index with, unless they say otherwise: vectors of four dimensions. */
export const SCHEMA: IndexSchema = {
  embedding: { id: "conformance@1", dimensions: 4 },
  chunking: "conformance@1",
  analyzer: "conformance@1",
};

/** k1 1.2; title and headings 3, path 2, without length normalisation; body and code 1 with b .5. */
export const RANKING: Bm25fParameters = {
  k1: 1.2,
  fields: {
    title: { weight: 3, b: 0 },
    ancestors: { weight: 3, b: 0 },
    heading: { weight: 3, b: 0 },
    path: { weight: 2, b: 0 },
    body: { weight: 1, b: 0.5 },
    code: { weight: 1, b: 0.5 },
  },
};

/** Words, separated by blanks, as a field: each counts 1, the length is their number. */
function lexicalField(words: string): LexicalField {
  const list = words.split(" ").filter((word) => word !== "");
  const terms = new Map<string, number>();
  for (const word of list) terms.set(word, (terms.get(word) ?? 0) + 1);
  return { terms, length: list.length };
}

/** A field from its terms and their occurrences, with a length of its own. */
export function weightedField(terms: Readonly<Record<string, number>>, length: number): LexicalField {
  return { terms: new Map(Object.entries(terms)), length };
}

/** Fields from words, or from what `weightedField` makes. */
export function lexicalFields(
  words: Readonly<Partial<Record<LexicalFieldName, string | LexicalField>>>,
): LexicalFields {
  return Object.fromEntries(
    Object.entries(words).map(([name, value]) => [name, typeof value === "string" ? lexicalField(value) : value]),
  );
}

/** One chunk of `page`. */
export interface Piece {
  /** Text of the chunk, and the words of its body. */
  readonly words?: string;
  /** The fields of the lexical index, in place of `words` as its body. */
  readonly fields?: LexicalFields;
  /** Absent: no vector. */
  readonly vector?: readonly number[] | "keep";
  /** What differs from the usual chunk. */
  readonly chunk?: Partial<Chunk>;
}

/** A change that replaces a document. Its chunks are called `ID#0`, `ID#1` and so on. */
export function page(
  id: string,
  pieces: readonly Piece[],
  { outline = [], ...record }: Partial<DocumentRecord> & { readonly outline?: readonly OutlineEntry[] } = {},
): Extract<DocumentChange, { type: "replace" }> {
  return {
    type: "replace",
    document: documentRecord(id, record),
    outline,
    chunks: pieces.map((piece, ordinal) => chunkWrite(id, ordinal, piece)),
  };
}

/** A change that deletes a document. */
export function removal(documentId: string): DocumentChange {
  return { type: "delete", documentId };
}

export function documentRecord(id: string, different: Partial<DocumentRecord> = {}): DocumentRecord {
  return { id, collection: "docs", contentHash: "0", mediaType: "text/plain", metadata: {}, ...different };
}

function chunkWrite(documentId: string, ordinal: number, { words = "word", fields, vector, chunk }: Piece): ChunkWrite {
  return {
    chunk: {
      id: `${documentId}#${ordinal}`,
      documentId,
      ordinal,
      text: words,
      span: { startOffset: 0, endOffset: words.length, startLine: 1, endLine: 1 },
      headingPath: [],
      metadata: {},
      ...chunk,
    },
    fields: fields ?? { body: lexicalField(words) },
    embedding: embeddingWrite(vector),
  };
}

function embeddingWrite(vector: readonly number[] | "keep" | undefined): EmbeddingWrite {
  if (vector === undefined) return { kind: "none" };
  if (vector === "keep") return { kind: "keep" };
  return { kind: "vector", vector: Float32Array.from(vector) };
}

export function term(word: string, weight = 1): LexicalQuery {
  return { op: "term", term: word, weight };
}

export function and(...clauses: readonly LexicalQuery[]): LexicalQuery {
  return { op: "and", clauses };
}

export function or(...clauses: readonly LexicalQuery[]): LexicalQuery {
  return { op: "or", clauses };
}

/** What a case may say of a search; the rest is the same for all. */
export interface SearchSettings {
  readonly limit?: number;
  readonly filter?: Filter;
  readonly ranking?: Bm25fParameters;
}

export function searchText(store: VectorStore, query: LexicalQuery, settings: SearchSettings = {}): Promise<TextHits> {
  return store.searchText({ query, ranking: RANKING, limit: 10, ...settings });
}

/** Ids of the chunks that a text search finds, in order. */
export async function textIds(store: VectorStore, query: LexicalQuery, settings?: SearchSettings): Promise<string[]> {
  return (await searchText(store, query, settings)).chunks.map((hit) => hit.chunkId);
}

/** Ids of the chunks that a vector search finds, in order. */
export async function vectorIds(
  store: VectorStore,
  vector: readonly number[],
  { limit = 10, filter }: SearchSettings = {},
): Promise<string[]> {
  const hits = await store.searchVector({
    vector: Float32Array.from(vector),
    limit,
    ...(filter !== undefined && { filter }),
  });
  return hits.map((hit) => hit.chunkId);
}

/** Ids of the first documents that a listing gives. */
export async function documentIds(store: VectorStore, filter?: Filter, limit = 10_000): Promise<string[]> {
  const records = await store.listDocuments({ limit, ...(filter !== undefined && { filter }) });
  return records.map((record) => record.id);
}
