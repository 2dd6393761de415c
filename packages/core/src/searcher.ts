import type { TextHits } from "@docsearch/spec";
import { RRF_K } from "./fusion.js";
import type { ScoreBreakdown, SearchResponse, SearchResult } from "./results.js";
import type { SearcherParts } from "./retrieve.js";
import type { RankedHit } from "./rules.js";
import { checkRequest, type SearchRequest } from "./search-request.js";
import { callOf, type SearchTrace, traceSearch, withQueryFilters } from "./search-trace.js";
import { makeSnippet } from "./snippet.js";
import { isWeak, nearnessOf } from "./weak-match.js";
import { suggestionsFor } from "./zero-hits.js";

/**
 * Analyses the query, asks the store for chunks by words and by vector at the same time, fuses the two lists, applies
 * the ranking rules and fills in the best. When one retriever fails the other answers and a warning says so; when
 * both fail the first error is thrown.
 */
export async function runSearch(parts: SearcherParts, request: SearchRequest): Promise<SearchResponse> {
  const { limit } = checkRequest(request);
  const trace = await traceSearch(parts, request);
  const { clock, warnings } = trace;
  const results = await clock.time("hydrate", () => hydrate(parts, trace, limit, request));
  // Ranks say nothing of how near a result is, and a word that was replaced is said already.
  const isKnown = request.fusion?.method !== "rrf" && !warnings.some(({ code }) => code === "WORD_REPLACED");
  if (results.length > 0 && isKnown && results.every((result) => isWeak(nearnessOf(result)))) {
    const message = "no result holds a fifth of what the query asks for, or is near in meaning; the nearest are listed";
    warnings.push({ code: "WEAK_MATCH", message });
  }
  const response = { results, warnings, timings: clock.timings };
  if (results.length > 0 || trace.query.query === null) return response;
  const { text, filter, typed } = withQueryFilters(request);
  const whole = { ...request, query: text, ...(filter !== undefined && { filter }) };
  const suggestions = await suggestionsFor(parts, whole, typed);
  return suggestions.length === 0 ? response : { ...response, suggestions };
}

async function hydrate(
  { store, analyzer }: SearcherParts,
  { chosen, query, retrieved, reader }: SearchTrace,
  limit: number,
  request: SearchRequest,
): Promise<SearchResult[]> {
  const best = chosen.slice(0, limit);
  const [chunks, documents] = await Promise.all([
    reader.read(best.map(({ chunkId }) => chunkId)),
    store.getDocuments(
      best.map(({ documentId }) => documentId),
      callOf(request),
    ),
  ]);
  const results: SearchResult[] = [];
  for (const [index, hit] of best.entries()) {
    const chunk = chunks[index];
    const document = documents[index];
    // Both are missing only when another process replaced the document between the search and now.
    if (chunk === undefined || document === undefined) continue;
    const breakdown = breakdownOf(hit, retrieved.text, request);
    const snippet = makeSnippet(analyzer, chunk, query, request.snippetChars ?? 300);
    results.push({ rank: results.length + 1, score: hit.score, document, chunk, snippet, breakdown });
  }
  return results;
}

/** Where the score of a hit comes from. */
export function breakdownOf(hit: RankedHit, text: TextHits | null, { fusion }: SearchRequest): ScoreBreakdown {
  const method = fusion?.method ?? "convex";
  return {
    retrievers: hit.contributions,
    lexical: {
      chunk: text?.chunks.find(({ chunkId }) => chunkId === hit.chunkId)?.score ?? 0,
      document: text?.documents.find(({ documentId }) => documentId === hit.documentId)?.score ?? 0,
    },
    fusion: {
      method,
      ...(method === "rrf" && { k: fusion?.k ?? RRF_K }),
      score: hit.fusionScore,
      rank: hit.fusionRank,
    },
    rules: hit.rules,
    ...(hit.rerank !== undefined && { rerank: hit.rerank }),
  };
}
