import type { Chunk } from "./chunk.js";
import type { CallOptions, DocumentRecord, OutlineEntry } from "./document.js";
import type { Filter } from "./filter.js";
import type { Bm25fParameters, LexicalFields, LexicalQuery } from "./lexical.js";
import type { VectorSpaces } from "./vector-spaces.js";

/** What an index was made with. Two that differ in anything cannot answer for each other. */
export interface IndexSchema {
  /** `null`: an index without vectors. */
  readonly embedding: { readonly id: string; readonly dimensions: number } | null;
  /** Fingerprint of the chunkers and their options. */
  readonly chunking: string;
  /** Name and version of the analyzer that made the terms. */
  readonly analyzer: string;
}

/** Constant and JSON-serialisable; the same for the life of the store. */
export interface StoreCapabilities {
  /** `bm25f`: scores by the formula of `Bm25fParameters`. `bm25`: its own weights. `other`: order only. */
  readonly lexical: "bm25f" | "bm25" | "other" | "none";
  readonly vector: "exact" | "approximate" | "none";
  /** Largest error of a vector score, from storing vectors at less than full precision. */
  readonly vectorTolerance: number;
  /** `document`: a replace is all or nothing, also across a crash. */
  readonly atomicity: "document" | "none";
  /** What was written is there after the process ends. */
  readonly durable: boolean;
  /** Several processes may have it open, one of them writing. */
  readonly multiProcess: boolean;
}

export type EmbeddingWrite =
  | { readonly kind: "vector"; readonly vector: Float32Array }
  /** The chunk is stored already: keep its vector, or that it has none. */
  | { readonly kind: "keep" }
  /** The model has nothing to say about the text; `isLacking`: it could not be asked. */
  | { readonly kind: "none"; readonly isLacking?: boolean };

export interface ChunkWrite {
  readonly chunk: Chunk;
  readonly fields: LexicalFields;
  readonly embedding: EmbeddingWrite;
}

export type DocumentChange =
  | {
      readonly type: "replace";
      readonly document: DocumentRecord;
      readonly outline: readonly OutlineEntry[];
      readonly chunks: readonly ChunkWrite[];
    }
  | { readonly type: "delete"; readonly documentId: string };

export interface WriteResult {
  readonly replaced: number;
  readonly deleted: number;
  /** Chunks written by the replacements. */
  readonly chunks: number;
}

/** Lists of hits are best first; equal scores are ordered by chunk id in code unit order. */
export interface Hit {
  readonly chunkId: string;
  readonly documentId: string;
  /** Finite, higher is better. Vector search: cosine similarity. Text search: comparable within its list. */
  readonly score: number;
}

/** A document as a whole, scored over its chunks added up; ordered like `Hit`, ties by document id. */
export interface DocumentHit {
  readonly documentId: string;
  readonly score: number;
}

export interface TextSearch extends CallOptions {
  readonly query: LexicalQuery;
  readonly ranking: Bm25fParameters;
  /** Most hits in each list. */
  readonly limit: number;
  readonly filter?: Filter;
}

export interface TextHits {
  /** Chunks that match the query, scored with N and n counted over chunks. */
  readonly chunks: readonly Hit[];
  /**
   * Documents with a matching chunk. Occurrences of `heading`, `body` and `code` are added over a document's
   * chunks, those of `title` and `path` counted once, `ancestors` left out; N and n are counted over documents.
   * Empty unless `lexical` is `bm25f`.
   */
  readonly documents: readonly DocumentHit[];
  /**
   * What a chunk and a document would score in which every term of the query occurred without end:
   * `(k1 + 1) * sum of query weight * idf`, with terms that nothing holds counted too. How near a hit comes to it
   * says how much of the query it answers. Absent unless `lexical` is `bm25f`.
   */
  readonly ceiling?: { readonly chunks: number; readonly documents: number };
}

export interface VectorSearch extends CallOptions {
  /** Any length above zero; stores normalise it. */
  readonly vector: Float32Array;
  readonly limit: number;
  readonly filter?: Filter;
}

export interface StoreStats {
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: number;
}

/** What an index holds of one media type in one collection. */
export interface CollectionCount {
  readonly collection: string;
  readonly mediaType: string;
  readonly documents: number;
  readonly chunks: number;
}

export interface TermCount {
  readonly term: string;
  /** Number of chunks that hold the term. */
  readonly chunks: number;
}

export interface DocumentPage extends CallOptions {
  /** Exclusive: list the ids behind it, in code unit order. */
  readonly after?: string;
  readonly limit: number;
  readonly filter?: Filter;
}

export interface StoreCheck {
  /** One sentence for each fault; empty when the index is whole. */
  readonly faults: readonly string[];
}

/**
 * Keeps documents, their chunks, the lexical index and the vectors, and ranks. It knows nothing of files,
 * chunking, models or fusion. Errors are `DocsearchError`; cancellation is `AbortError`.
 */
export interface VectorStore {
  readonly specVersion: 1;
  readonly name: string;
  readonly capabilities: StoreCapabilities;
  readonly schema: IndexSchema;

  /**
   * Applies changes in order. Each is all or nothing: text, lexical and vector rows together. When one fails,
   * those before it stay, it leaves no trace, and the error is thrown: `VECTOR_INVALID`, `CHUNK_MISSING`,
   * `STORE_FAILED`.
   */
  write(changes: readonly DocumentChange[], options?: CallOptions): Promise<WriteResult>;
  /** Removes every document; the schema stays. */
  clear(options?: CallOptions): Promise<void>;

  /** `UNSUPPORTED` when `lexical` is `none`. */
  searchText(search: TextSearch): Promise<TextHits>;
  /** `UNSUPPORTED` when `vector` is `none` or the schema has no embedding; `VECTOR_INVALID` on a bad query. */
  searchVector(search: VectorSearch): Promise<readonly Hit[]>;

  /** As long as `ids` and in its order; a miss is `undefined`. */
  getChunks(ids: readonly string[], options?: CallOptions): Promise<readonly (Chunk | undefined)[]>;
  /** As long as `ids` and in its order; a miss is `undefined`. */
  getDocuments(ids: readonly string[], options?: CallOptions): Promise<readonly (DocumentRecord | undefined)[]>;
  /** Ids of a document's chunks by ordinal; empty for an unknown document. */
  getChunkIds(documentId: string, options?: CallOptions): Promise<readonly string[]>;
  /** Empty for an unknown document. */
  getOutline(documentId: string, options?: CallOptions): Promise<readonly OutlineEntry[]>;
  listDocuments(page: DocumentPage): Promise<readonly DocumentRecord[]>;
  /** Terms of the lexical index that begin with `prefix`, in code unit order; all of them with `""`. */
  listTerms(page: CallOptions & { readonly prefix: string; readonly limit: number }): Promise<readonly TermCount[]>;
  stats(options?: CallOptions): Promise<StoreStats>;
  /** What `stats` counts, by collection and media type, in any order. Absent: whoever asks counts by listing. */
  countByCollection?(options?: CallOptions): Promise<readonly CollectionCount[]>;

  /** Several models in one index; absent in stores that keep one. */
  readonly spaces?: VectorSpaces;

  /**
   * Puts an index that was opened with `rebuild` in the place of the one that answers, in one step, and closes the
   * store. What was replaced is kept as the previous index. `UNSUPPORTED` in other modes.
   */
  publish?(options?: CallOptions): Promise<void>;

  /** Looks for faults in what is stored. Reads everything. */
  check(options?: CallOptions): Promise<StoreCheck>;
  /** Idempotent. Every later call rejects with `CLOSED`. */
  close(): Promise<void>;
}

export interface OpenOptions extends CallOptions {
  /**
   * `read` creates nothing and rejects with `INDEX_MISSING` when there is no index. `rebuild` begins an empty index
   * beside the one that answers, which takes its place with `publish` and is dropped by `close` without it; only stores
   * with `StoreFactory.restorePrevious` are asked for it.
   */
  readonly mode: "read" | "write" | "rebuild";
  /** When the stored schema differs: reject with `INDEX_MISMATCH`, or drop the index and begin a new one. */
  readonly onMismatch: "error" | "recreate";
}

/** Inert description of a store. Creating one touches nothing and loads no driver. */
export interface StoreFactory {
  readonly specVersion: 1;
  readonly name: string;
  open(schema: IndexSchema, options: OpenOptions): Promise<VectorStore>;
  /**
   * Puts the previous index back in place of the one that answers, which becomes the previous one. Whatever schemas
   * they have; `INDEX_MISSING` when there is none. Absent in stores that cannot rebuild beside an index.
   */
  restorePrevious?(options?: CallOptions): Promise<void>;
}
