import {
  type CallOptions,
  type Chunk,
  DocsearchError,
  type Embedder,
  type Filter,
  type Hit,
  isDocsearchError,
  type TextHits,
  type VectorStore,
} from "@docsearch/spec";
import type { Analyzer } from "./analyzer/analyze.js";
import { containsPhrase } from "./analyzer/phrases.js";
import { type AnalyzedQuery, addTerms, analyzeQuery } from "./analyzer/query.js";
import { correctUnknown } from "./analyzer/unknown-words.js";
import { convexFusion, type RankedList, RRF_K, reciprocalRankFusion } from "./fusion.js";
import { CANDIDATES, CONVEX_WEIGHTS, DOCUMENT_SHARE, PROSE_RANKING, RRF_WEIGHTS } from "./ranking.js";
import type { ScoreBreakdown, SearchResponse, SearchResult, SearchWarning } from "./results.js";
import { applyRules, type RankedHit, withoutRules } from "./rules.js";
import { makeSnippet } from "./snippet.js";

export interface FusionOptions {
  /** `convex`: weighted sum of normalised scores. `rrf`: reciprocal rank fusion. Default `convex`. */
  readonly method?: "convex" | "rrf";
  /** Constant of reciprocal rank fusion. Default 60. */
  readonly k?: number;
  /** Weights of the two retrievers; both at least 0. Default .67 and .33 for `convex`, 1 and 1 for `rrf`. */
  readonly weights?: { readonly lexical?: number; readonly vector?: number };
}

export interface SearchRequest extends CallOptions {
  /** As a person would type it. Text in double quotes must stand in the result as it is. */
  readonly query: string;
  /** `keyword`: lexical only. `semantic`: vectors only. Default `hybrid`. */
  readonly mode?: "hybrid" | "keyword" | "semantic";
  /** Most results. Default 10. */
  readonly limit?: number;
  readonly filter?: Filter;
  /** `document`: only the best chunk of each document. Default `chunk`. */
  readonly groupBy?: "chunk" | "document";
  /** Hits that each retriever returns before fusion; at least `limit` are taken. Default 200. */
  readonly candidates?: number;
  readonly fusion?: FusionOptions;
  /** Longest snippet, in characters. Default 300. */
  readonly snippetChars?: number;
}

export interface SearcherParts {
  readonly store: VectorStore;
  readonly embedder: Embedder | null;
  readonly analyzer: Analyzer;
}

/**
 * Analyses the query, asks the store for chunks by words and by vector at the same time, fuses the two lists and
 * fills in the best. When one of them fails the other answers and a warning says so; when both fail the first
 * error is thrown.
 */
export async function runSearch(parts: SearcherParts, request: SearchRequest): Promise<SearchResponse> {
  const { limit, mode } = checked(request);
  const call: CallOptions = request.signal === undefined ? {} : { signal: request.signal };
  const candidates = Math.max(request.candidates ?? CANDIDATES, limit);
  const search = { limit: candidates, ...(request.filter !== undefined && { filter: request.filter }), ...call };
  const clock = new Stopwatch();
  const warnings: SearchWarning[] = [];

  const query = await clock.time("analyze", async () => {
    const analyzed = analyzeQuery(parts.analyzer, request.query);
    return mode === "semantic" ? analyzed : withCorrections(parts.store, analyzed, warnings, call);
  });

  const [text, vector] = await Promise.allSettled([
    mode === "semantic" ? null : clock.time("lexical", () => searchText(parts.store, query, search, warnings)),
    mode === "keyword" ? null : clock.time("vector", () => searchVector(parts, request.query, search, mode, warnings)),
  ]);
  request.signal?.throwIfAborted();
  const textHits = settled(text, "lexical", vector, warnings);
  const vectorHits = settled(vector, "vector", text, warnings);

  const ranked = clock.timeSync("fuse", () => fuse(textHits, vectorHits, candidates, request.fusion));
  const results = await clock.time("hydrate", async () => {
    const chosen = await choose(parts.store, ranked, query.phrases, request.groupBy ?? "chunk", limit, call);
    return hydrate(parts, chosen, query, textHits, request, call);
  });
  return { results, warnings, timings: clock.timings };
}

interface Search extends CallOptions {
  readonly limit: number;
  readonly filter?: Filter;
}

/** The query with terms of the index in place of words that the index does not have. */
async function withCorrections(
  store: VectorStore,
  analyzed: AnalyzedQuery,
  warnings: SearchWarning[],
  call: CallOptions,
): Promise<AnalyzedQuery> {
  if (analyzed.isTruncated)
    warnings.push({ code: "QUERY_CUT", message: "the query was too long; its end was left out" });
  if (store.capabilities.lexical === "none") return analyzed;
  const corrections = await correctUnknown(analyzed.terms, (prefix, limit) =>
    store.listTerms({ prefix, limit, ...call }),
  );
  for (const { surface, terms } of corrections) {
    const found = terms.map(({ term }) => term).join(", ");
    warnings.push({ code: "WORD_REPLACED", message: `no text has "${surface}"; searched for ${found} instead` });
  }
  return addTerms(
    analyzed,
    corrections.flatMap(({ terms }) => terms),
  );
}

async function searchText(
  store: VectorStore,
  query: AnalyzedQuery,
  search: Search,
  warnings: SearchWarning[],
): Promise<TextHits> {
  if (query.query === null) {
    warnings.push({ code: "NO_QUERY_TERMS", message: "the query has no word to look for" });
    return { chunks: [], documents: [] };
  }
  return store.searchText({ query: query.query, ranking: PROSE_RANKING, ...search });
}

async function searchVector(
  { store, embedder }: SearcherParts,
  query: string,
  search: Search,
  mode: "hybrid" | "semantic",
  warnings: SearchWarning[],
): Promise<readonly Hit[] | null> {
  if (embedder === null) {
    if (mode === "semantic") {
      throw new DocsearchError(
        "UNSUPPORTED",
        "semantic search needs vectors, and this index has none; set DOCS_EMBEDDER_BACKEND and index again",
        { operation: "semantic search" },
      );
    }
    return null;
  }
  const { vectors } = await embedder.embedQuery(query, search.signal === undefined ? {} : { signal: search.signal });
  const vector = vectors[0];
  if (vector === undefined) {
    const message = "the embedding model knows no word of the query; only the words themselves were searched";
    warnings.push({ code: "NO_QUERY_VECTOR", message });
    return null;
  }
  return store.searchVector({ vector, ...search });
}

/** The value of a retriever; when it failed and the other did not, a warning and nothing. */
function settled<T>(
  outcome: PromiseSettledResult<T>,
  retriever: string,
  other: PromiseSettledResult<unknown>,
  warnings: SearchWarning[],
): T | null {
  if (outcome.status === "fulfilled") return outcome.value;
  const otherAnswered = other.status === "fulfilled" && other.value !== null;
  if (!otherAnswered || isDocsearchError(outcome.reason, "CLOSED")) throw outcome.reason;
  const reason = outcome.reason instanceof Error ? outcome.reason.message : String(outcome.reason);
  warnings.push({ code: "RETRIEVER_FAILED", message: `${retriever} search failed and was left out: ${reason}` });
  return null;
}

function fuse(
  text: TextHits | null,
  vector: readonly Hit[] | null,
  candidates: number,
  options: FusionOptions = {},
): RankedHit[] {
  const method = options.method ?? "convex";
  const weights = { ...(method === "convex" ? CONVEX_WEIGHTS : RRF_WEIGHTS), ...options.weights };
  const lists: RankedList[] = [];
  if (text !== null) {
    const hits = withDocumentShare(text);
    lists.push({ retriever: "lexical", hits, weight: weights.lexical, unit: lexicalUnit(text, hits), absentScore: 0 });
  }
  if (vector !== null) {
    // A chunk behind the end of a full list is not opposite to the query, only less near than the last one.
    const absentScore = vector.length >= candidates ? (vector.at(-1)?.score ?? 0) : 0;
    lists.push({ retriever: "vector", hits: vector, weight: weights.vector, unit: 1, absentScore });
  }
  if (method === "convex") return applyRules(convexFusion(lists));
  return withoutRules(reciprocalRankFusion(lists, options.k ?? RRF_K));
}

/**
 * The lexical score that counts as 1: that of a chunk with all of the query. Where a store does not say it, the
 * best hit's; then the best hit counts as a full answer, however little of the query it holds.
 */
function lexicalUnit({ ceiling }: TextHits, hits: readonly Hit[]): number {
  const unit = ceiling === undefined ? hits[0]?.score : ceiling.chunks + DOCUMENT_SHARE * ceiling.documents;
  return unit === undefined || unit <= 0 ? 1 : unit;
}

/** Chunk hits scored with a share of their document's score: a page that is about the query lifts its sections. */
function withDocumentShare({ chunks, documents }: TextHits): Hit[] {
  const shareOf = new Map(documents.map(({ documentId, score }) => [documentId, DOCUMENT_SHARE * score]));
  return chunks
    .map((hit) => ({ ...hit, score: hit.score + (shareOf.get(hit.documentId) ?? 0) }))
    .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}

/** The first `limit` hits that hold every phrase, one per document when grouped. */
async function choose(
  store: VectorStore,
  ranked: readonly RankedHit[],
  phrases: readonly string[],
  groupBy: "chunk" | "document",
  limit: number,
  call: CallOptions,
): Promise<RankedHit[]> {
  let chosen = [...ranked];
  if (phrases.length > 0) {
    const chunks = await store.getChunks(
      chosen.map(({ chunkId }) => chunkId),
      call,
    );
    chosen = chosen.filter((_, index) => holdsPhrases(chunks[index], phrases));
  }
  if (groupBy === "document") {
    const seen = new Set<string>();
    chosen = chosen.filter(({ documentId }) => !seen.has(documentId) && seen.add(documentId));
  }
  return chosen.slice(0, limit);
}

function holdsPhrases(chunk: Chunk | undefined, phrases: readonly string[]): boolean {
  if (chunk === undefined) return false;
  const text = [...chunk.headingPath, chunk.text].join("\n");
  return phrases.every((phrase) => containsPhrase(text, phrase));
}

async function hydrate(
  { store, analyzer }: SearcherParts,
  chosen: readonly RankedHit[],
  query: AnalyzedQuery,
  text: TextHits | null,
  request: SearchRequest,
  call: CallOptions,
): Promise<SearchResult[]> {
  const [chunks, documents] = await Promise.all([
    store.getChunks(
      chosen.map(({ chunkId }) => chunkId),
      call,
    ),
    store.getDocuments(
      chosen.map(({ documentId }) => documentId),
      call,
    ),
  ]);
  const chunkScore = new Map(text?.chunks.map(({ chunkId, score }) => [chunkId, score]));
  const documentScore = new Map(text?.documents.map(({ documentId, score }) => [documentId, score]));
  const results: SearchResult[] = [];
  for (const [index, hit] of chosen.entries()) {
    const chunk = chunks[index];
    const document = documents[index];
    // Both are missing only when another process replaced the document between the search and now.
    if (chunk === undefined || document === undefined) continue;
    const method = request.fusion?.method ?? "convex";
    const breakdown: ScoreBreakdown = {
      retrievers: hit.contributions,
      lexical: { chunk: chunkScore.get(hit.chunkId) ?? 0, document: documentScore.get(hit.documentId) ?? 0 },
      fusion: {
        method,
        ...(method === "rrf" && { k: request.fusion?.k ?? RRF_K }),
        score: hit.fusionScore,
        rank: hit.fusionRank,
      },
      rules: hit.rules,
    };
    const snippet = makeSnippet(analyzer, chunk, query, request.snippetChars ?? 300);
    results.push({ rank: results.length + 1, score: hit.score, document, chunk, snippet, breakdown });
  }
  return results;
}

function checked(request: SearchRequest): { limit: number; mode: "hybrid" | "keyword" | "semantic" } {
  const { limit = 10, mode = "hybrid", candidates = CANDIDATES, fusion = {} } = request;
  requireInteger("limit", limit, 1);
  requireInteger("candidates", candidates, 1);
  for (const [name, weight] of Object.entries(fusion.weights ?? {})) {
    if (!Number.isFinite(weight) || weight < 0) invalid(`fusion.weights.${name}`, weight, "a number of at least 0");
  }
  if (fusion.k !== undefined && !(Number.isFinite(fusion.k) && fusion.k >= 0)) {
    invalid("fusion.k", fusion.k, "a number of at least 0");
  }
  if (!["hybrid", "keyword", "semantic"].includes(mode)) invalid("mode", mode, "hybrid, keyword or semantic");
  return { limit, mode };
}

function requireInteger(setting: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) invalid(setting, value, `a whole number of at least ${least}`);
}

function invalid(setting: string, value: unknown, expected: string): never {
  throw new DocsearchError("CONFIG_INVALID", `${setting} is ${String(value)}; expected ${expected}`, {
    setting,
    value: String(value),
    expected,
  });
}

/** Milliseconds per stage. */
class Stopwatch {
  readonly timings: Record<string, number> = {};

  async time<T>(stage: string, body: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await body();
    } finally {
      this.timings[stage] = performance.now() - start;
    }
  }

  timeSync<T>(stage: string, body: () => T): T {
    const start = performance.now();
    const value = body();
    this.timings[stage] = performance.now() - start;
    return value;
  }
}
