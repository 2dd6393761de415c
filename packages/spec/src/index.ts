export { isBlankText } from "./blank-text.js";
export type {
  Chunk,
  ChunkDraft,
  Chunker,
  ChunkOptions,
  ChunkResult,
  ChunkSymbol,
  Diagnostic,
  Link,
  Zone,
} from "./chunk.js";
export type {
  CallOptions,
  Document,
  DocumentRecord,
  DocumentSource,
  Metadata,
  OutlineEntry,
  ReadItem,
  SourceItem,
  Span,
} from "./document.js";
export { DocsearchError, type ErrorCode, type ErrorDetails, isDocsearchError } from "./error.js";
export type { Filter } from "./filter.js";
export {
  type Bm25fParameters,
  LEXICAL_FIELDS,
  type LexicalField,
  type LexicalFieldName,
  type LexicalFields,
  type LexicalQuery,
} from "./lexical.js";
export type {
  CachedEmbedding,
  Embedder,
  EmbeddingCache,
  EmbedResult,
  Reranker,
  RerankRequest,
  RerankResult,
} from "./models.js";
export type {
  ChunkerFactory,
  EmbedderFactory,
  EmbeddingCacheFactory,
  Env,
  Loader,
  Provider,
  ProviderKinds,
  RerankerFactory,
} from "./provider.js";
export type {
  ChunkWrite,
  CollectionCount,
  DocumentChange,
  DocumentHit,
  DocumentPage,
  EmbeddingWrite,
  Hit,
  IndexSchema,
  OpenOptions,
  StoreCapabilities,
  StoreCheck,
  StoreFactory,
  StoreStats,
  TermCount,
  TextHits,
  TextSearch,
  VectorSearch,
  VectorStore,
  WriteResult,
} from "./store.js";
export type { SpaceEmbedding, SpaceEntry, VectorSpace, VectorSpaces } from "./vector-spaces.js";
