export { type Analyzer, type AnalyzerOptions, createAnalyzer } from "./analyzer/analyze.js";
export { type AnalyzedQuery, analyzeQuery, type QueryTerm } from "./analyzer/query.js";
export { cachedEmbedder } from "./cached-embedder.js";
export { chunkDocument } from "./chunk-document.js";
export { chunkIds } from "./chunk-id.js";
export {
  type ChunkingOptions,
  createDocsearch,
  type Docsearch,
  type DocsearchOptions,
  type IndexStatus,
  type Neighbourhood,
} from "./docsearch.js";
export { composeEmbedText } from "./embed-text.js";
export { chunkersFromEnv, docsearchFromEnv, type EnvOptions, storeFromEnv, unknownVariables } from "./env.js";
export {
  type Contribution,
  convexFusion,
  type FusedHit,
  type RankedList,
  RRF_K,
  reciprocalRankFusion,
} from "./fusion.js";
export type { IndexEvent, IndexFailure, IndexReport, IndexRequest } from "./indexer.js";
export { memoryStore } from "./memory-store.js";
export { createRegistry, type Registry, SCOPE } from "./registry.js";
export type {
  RetrieverContribution,
  ScoreBreakdown,
  SearchResponse,
  SearchResult,
  SearchWarning,
  Snippet,
  Suggestion,
} from "./results.js";
export { RULES, type RuleEffect, type RuleName } from "./rules.js";
export type { FusionOptions, SearchRequest } from "./search-request.js";
export { SETTINGS, type Setting } from "./settings.js";
export type { SymbolLinks } from "./symbol-links.js";
export type { SymbolHit, SymbolRequest, SymbolResponse } from "./symbols.js";
export { textChunker } from "./text-chunker/text-chunker.js";
export { isWeak, type Nearness, nearnessOf } from "./weak-match.js";
export type { WhyFacts, WhyReport, WhyRequest, WhyStage, WhyStep, WhyTarget } from "./why.js";
