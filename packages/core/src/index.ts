export { type Analyzer, type AnalyzerOptions, createAnalyzer } from "./analyzer/analyze.js";
export { type AnalyzedQuery, analyzeQuery, type QueryTerm } from "./analyzer/query.js";
export {
  type ChunkingOptions,
  createDocsearch,
  type Docsearch,
  type DocsearchOptions,
  type IndexStatus,
  type Neighbourhood,
} from "./docsearch.js";
export { cachedEmbedder } from "./embedding/cached-embedder.js";
export type { EmbedReport, EmbedRequest } from "./embedding/embed-space.js";
export {
  embedderSettings,
  type KnownEmbedder,
  knownEmbeddersFile,
  namesEmbedder,
  readKnownEmbedders,
  rememberEmbedder,
} from "./embedding/known-embedders.js";
export { openStored, type SpaceChoice, storedSchema } from "./embedding/open-space.js";
export {
  chunkersFromEnv,
  docsearchFromEnv,
  type EnvOptions,
  embedderFromEnv,
  storeFromEnv,
  unknownVariables,
} from "./env.js";
export { chunkDocument } from "./indexing/chunk-document.js";
export { chunkIds } from "./indexing/chunk-id.js";
export { composeEmbedText } from "./indexing/embed-text.js";
export type { IndexEvent, IndexFailure, IndexReport, IndexRequest } from "./indexing/indexer.js";
export { memoryStore } from "./memory-store/memory-store.js";
export {
  type Contribution,
  convexFusion,
  type FusedHit,
  type RankedList,
  RRF_K,
  reciprocalRankFusion,
} from "./ranking/fusion.js";
export { type LinkResolver, linkResolver, type ResolvedLink } from "./ranking/link-target.js";
export { RULES, type RuleEffect, type RuleName } from "./ranking/rules.js";
export { createRegistry, type Registry, SCOPE } from "./registry.js";
export type {
  Passage,
  RetrieverContribution,
  ScoreBreakdown,
  SearchResponse,
  SearchResult,
  SearchWarning,
  Snippet,
  Suggestion,
} from "./search/results.js";
export type { FusionOptions, SearchRequest } from "./search/search-request.js";
export { isWeak, type Nearness, nearnessOf } from "./search/weak-match.js";
export type { WhyFacts, WhyReport, WhyRequest, WhyStage, WhyStep, WhyTarget } from "./search/why.js";
export { SETTINGS, type Setting } from "./settings.js";
export type { SymbolLinks } from "./symbols/symbol-links.js";
export type { SymbolHit, SymbolRequest, SymbolResponse } from "./symbols/symbols.js";
export { textChunker } from "./text-chunker/text-chunker.js";
