import {
  type CallOptions,
  type Chunk,
  type Chunker,
  type ChunkerFactory,
  type CollectionCount,
  DocsearchError,
  type DocumentPage,
  type DocumentRecord,
  type Embedder,
  type EmbedderFactory,
  type IndexSchema,
  type OpenOptions,
  type OutlineEntry,
  type RerankerFactory,
  type StoreCapabilities,
  type StoreCheck,
  type StoreFactory,
  type StoreStats,
  type VectorSpace,
  type VectorStore,
} from "@docsearch/spec";
import { type Analyzer, createAnalyzer } from "./analyzer/analyze.js";
import { type EmbedReport, type EmbedRequest, embedSpace } from "./embedding/embed-space.js";
import { isOutage, lateEmbedder } from "./embedding/late-embedder.js";
import { openSpace, type SpaceChoice, storedSchema } from "./embedding/open-space.js";
import { withQueryCache } from "./embedding/query-cache.js";
import { EMBED_TEXT_VERSION } from "./indexing/embed-text.js";
import { type IndexReport, type IndexRequest, runIndexer } from "./indexing/indexer.js";
import { lazyReranker } from "./ranking/lazy-reranker.js";
import { countByCollection } from "./search/count-by-collection.js";
import type { SearchResponse } from "./search/results.js";
import type { SearcherParts } from "./search/retrieve.js";
import type { SearchRequest } from "./search/search-request.js";
import { runSearch } from "./search/searcher.js";
import { explainWhy, type WhyReport, type WhyRequest } from "./search/why.js";
import { getSymbolLinks, type SymbolLinks } from "./symbols/symbol-links.js";
import { findSymbols, type SymbolRequest, type SymbolResponse } from "./symbols/symbols.js";
import { textChunker } from "./text-chunker/text-chunker.js";

export interface ChunkingOptions {
  /** Largest chunk, in characters. Default 1,500. */
  readonly maxSize?: number;
  /** How much of the end of a chunk the next one repeats, in characters. Default 0. */
  readonly overlap?: number;
}

export interface DocsearchOptions {
  readonly store: StoreFactory;
  /** Absent: an index of words only. */
  readonly embedder?: EmbedderFactory;
  /** Reads the best results together with the query and orders them anew; absent: no such stage. */
  readonly reranker?: RerankerFactory;
  /** The first one that supports a document takes it; plain text is the last resort. */
  readonly chunkers?: readonly ChunkerFactory[];
  readonly chunking?: ChunkingOptions;
  /** What a search request that does not say otherwise gets. */
  readonly searchDefaults?: Pick<SearchRequest, "candidates" | "fusion" | "limit" | "rerank">;
  /**
   * `read` never creates or changes an index. `rebuild` begins an empty one beside the one that answers; it takes its
   * place with `publish` and is dropped by `close` without it. Default `write`.
   */
  readonly mode?: OpenOptions["mode"];
  /** What to do with an index that was made with another model, chunker or analyzer. Default `error`. */
  readonly onMismatch?: "error" | "recreate";
  /** Which of the models of the index `embedder` may be. Default `existing`. */
  readonly space?: SpaceChoice;
}

export interface IndexStatus {
  readonly store: string;
  readonly schema: IndexSchema;
  readonly capabilities: StoreCapabilities;
  readonly stats: StoreStats;
}

/** A chunk with those around it, in document order. */
export interface Neighbourhood {
  readonly document: DocumentRecord;
  readonly chunks: readonly Chunk[];
}

/** An open index. */
export interface Docsearch {
  /** See `runIndexer` for what is done in which order and when it rejects. */
  index(request: IndexRequest): Promise<IndexReport>;
  search(request: SearchRequest): Promise<SearchResponse>;
  /** Walks a document, or a line of it, through a search and names the step that made or lost it as a result. */
  why(request: WhyRequest): Promise<WhyReport>;
  /** The chunk and so many before and behind it; `undefined` for an unknown id. */
  getChunk(
    id: string,
    options?: CallOptions & { readonly before?: number; readonly after?: number },
  ): Promise<Neighbourhood | undefined>;
  getDocument(id: string, options?: CallOptions): Promise<DocumentRecord | undefined>;
  /** All chunks of a document, in its order; empty for an unknown id. */
  getDocumentChunks(documentId: string, options?: CallOptions): Promise<readonly Chunk[]>;
  getOutline(documentId: string, options?: CallOptions): Promise<readonly OutlineEntry[]>;
  listDocuments(page: DocumentPage): Promise<readonly DocumentRecord[]>;
  /** Documents and chunks by collection and media type, in code unit order of both. */
  countByCollection(options?: CallOptions): Promise<readonly CollectionCount[]>;
  /** Definitions in code by their name. */
  findSymbols(request: SymbolRequest): Promise<SymbolResponse>;
  /** Definitions that a chunk of text names, or the text that names the definitions of a chunk of code. */
  getSymbolLinks(chunk: Chunk, options?: CallOptions): Promise<SymbolLinks>;
  /** Deletes documents; unknown ids are passed over. Returns how many there were. */
  remove(documentIds: readonly string[], options?: CallOptions): Promise<number>;
  /** Removes every document, of all collections, in one step; what the index was made with stays. */
  clear(options?: CallOptions): Promise<void>;
  status(options?: CallOptions): Promise<IndexStatus>;
  /** The models of the index, by id; empty for a store that keeps one. */
  listSpaces(options?: CallOptions): Promise<readonly VectorSpace[]>;
  /** Embeds the chunks that this model lacks; see `embedSpace`. */
  embed(request: EmbedRequest): Promise<EmbedReport>;
  /**
   * Puts an index that was opened with `rebuild` in the place of the one that answers, in one step, and closes it. The
   * one before can be brought back. Rejects with `UNSUPPORTED` in other modes.
   */
  publish(options?: CallOptions): Promise<void>;
  /** Looks for faults in the index. Reads everything. */
  check(options?: CallOptions): Promise<StoreCheck>;
  /** Idempotent; later calls reject with `CLOSED`. */
  close(): Promise<void>;
}

/**
 * Opens an index. The options describe it; nothing is opened or loaded before this call.
 *
 * @throws `CONFIG_INVALID` for chunking options that make no sense, and what the store and the models throw:
 * `INDEX_MISMATCH`, `INDEX_MISSING`, `BACKEND_LOAD_FAILED` and others. In the mode `read` an embedder that is away
 * (`EMBEDDER_FAILED`) is no reason: searches answer by words, with a warning, until it is back
 */
export async function createDocsearch(options: DocsearchOptions): Promise<Docsearch> {
  const chunking = checkedChunking(options.chunking ?? {});
  if (options.mode === "rebuild" && options.store.restorePrevious === undefined) {
    const message = `the store "${options.store.name}" cannot make an index beside another; open it with the mode "write" and onMismatch "recreate"`;
    throw new DocsearchError("UNSUPPORTED", message, { operation: "rebuild" });
  }
  const loaded = options.embedder === undefined ? undefined : await loadEmbedder(options.embedder, options);
  const embedder = loaded === undefined ? null : withQueryCache(loaded);
  const reranker = lazyReranker(options.reranker);
  const analyzer = createAnalyzer();
  const chunkers = options.chunkers ?? [];
  try {
    const schema = schemaOf(embedder, analyzer, chunkers, chunking);
    const { mode = "write", onMismatch = "error" } = options;
    const store = await openSpace(options.store, schema, { mode, onMismatch }, options.space ?? "existing");
    return docsearch(
      { store, embedder, ...(reranker && { reranker }), analyzer },
      chunkers,
      chunking,
      options.searchDefaults ?? {},
    );
  } catch (error) {
    await embedder?.close();
    throw error;
  }
}

/** The model, or one that stands for it while it is away: an index that is only read answers by words then. */
async function loadEmbedder(factory: EmbedderFactory, { store, mode }: DocsearchOptions): Promise<Embedder> {
  try {
    return await factory.load();
  } catch (error) {
    if (mode !== "read" || !isOutage(error)) throw error;
    const stored = await storedSchema(store);
    if (stored.embedding === null) throw error;
    return lateEmbedder(factory, stored.embedding, error, ({ id, dimensions }) => {
      const requested: IndexSchema = { ...stored, embedding: { id, dimensions } };
      const command = "docsearch index --rebuild";
      const message = `the index answers with ${stored.embedding?.id}, and the model that is there now is ${id}. Use the settings of the index, or make it anew: ${command}`;
      return new DocsearchError("INDEX_MISMATCH", message, { stored, requested, command });
    });
  }
}

type Chunking = Required<ChunkingOptions>;

function docsearch(
  parts: SearcherParts,
  factories: readonly ChunkerFactory[],
  chunking: Chunking,
  defaults: NonNullable<DocsearchOptions["searchDefaults"]>,
): Docsearch {
  const { store, embedder } = parts;
  let loaded: Promise<readonly Chunker[]> | undefined;
  const load = (): Promise<readonly Chunker[]> => {
    loaded ??= loadChunkers(factories);
    return loaded;
  };
  const indexing = { ...parts, loadChunkers: load, chunking: { ...chunking, measure: lengthOf } };
  return {
    index: (request) => runIndexer(indexing, request),
    search: (request) => runSearch(parts, { ...defaults, ...request }),
    why: (request) => explainWhy(parts, { ...defaults, ...request }),
    getChunk: (id, { before = 0, after = 0, ...call } = {}) => getNeighbourhood(store, id, before, after, call),
    getDocument: async (id, call) => (await store.getDocuments([id], call))[0],
    async getDocumentChunks(documentId, call) {
      const chunks = await store.getChunks(await store.getChunkIds(documentId, call), call);
      return chunks.filter((chunk) => chunk !== undefined);
    },
    getOutline: (documentId, call) => store.getOutline(documentId, call),
    listDocuments: (page) => store.listDocuments(page),
    countByCollection: (call = {}) => countByCollection(store, call),
    findSymbols: (request) => findSymbols(store, request),
    getSymbolLinks: (chunk, call) => getSymbolLinks(store, parts.analyzer, chunk, call),
    async remove(documentIds, call) {
      const changes = documentIds.map((documentId) => ({ type: "delete", documentId }) as const);
      return (await store.write(changes, call)).deleted;
    },
    clear: (call) => store.clear(call),
    status: async (call) => ({
      store: store.name,
      schema: store.schema,
      capabilities: store.capabilities,
      stats: await store.stats(call),
    }),
    listSpaces: async (call) => (await store.spaces?.list(call)) ?? [],
    embed: (request) => embedSpace(indexing, request),
    async publish(call) {
      if (store.publish === undefined) {
        const message = `the store "${store.name}" cannot put one index in the place of another`;
        throw new DocsearchError("UNSUPPORTED", message, { operation: "publish" });
      }
      await store.publish(call);
      await Promise.all([embedder?.close(), parts.reranker?.close()]);
    },
    check: (call) => store.check(call),
    async close() {
      await Promise.all([store.close(), embedder?.close(), parts.reranker?.close()]);
    },
  };
}

function loadChunkers(factories: readonly ChunkerFactory[]): Promise<readonly Chunker[]> {
  return Promise.all([...factories, textChunker()].map((factory) => factory.load()));
}

async function getNeighbourhood(
  store: VectorStore,
  id: string,
  before: number,
  after: number,
  call: CallOptions,
): Promise<Neighbourhood | undefined> {
  const [chunk] = await store.getChunks([id], call);
  if (chunk === undefined) return undefined;
  const [[document], ids] = await Promise.all([
    store.getDocuments([chunk.documentId], call),
    store.getChunkIds(chunk.documentId, call),
  ]);
  if (document === undefined) return undefined;
  const wanted = ids.slice(Math.max(0, chunk.ordinal - before), chunk.ordinal + after + 1);
  const chunks = await store.getChunks(wanted, call);
  return { document, chunks: chunks.filter((found) => found !== undefined) };
}

function schemaOf(
  embedder: Embedder | null,
  analyzer: Analyzer,
  chunkers: readonly ChunkerFactory[],
  chunking: Chunking,
): IndexSchema {
  const ids = [...chunkers, textChunker()].map(({ id }) => id).join("+");
  return {
    embedding: embedder === null ? null : { id: embedder.id, dimensions: embedder.dimensions },
    chunking: `${ids};size=${chunking.maxSize};overlap=${chunking.overlap};embed-text=${EMBED_TEXT_VERSION}`,
    analyzer: analyzer.id,
  };
}

function checkedChunking({ maxSize = 1500, overlap = 0 }: ChunkingOptions): Chunking {
  const reject = (setting: string, value: number, expected: string): never => {
    throw new DocsearchError("CONFIG_INVALID", `chunking.${setting} is ${value}; expected ${expected}`, {
      setting: `chunking.${setting}`,
      value: String(value),
      expected,
    });
  };
  if (!Number.isInteger(maxSize) || maxSize < 100) reject("maxSize", maxSize, "a whole number of at least 100");
  if (!Number.isInteger(overlap) || overlap < 0 || overlap > maxSize / 2) {
    reject("overlap", overlap, `a whole number from 0 to half of maxSize (${maxSize / 2})`);
  }
  return { maxSize, overlap };
}

function lengthOf(text: string): number {
  return text.length;
}
