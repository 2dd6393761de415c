import type { TextHits } from "@docsearch/spec";
import { withPassages } from "../passages/result-passages.js";
import { RRF_K } from "../ranking/fusion.js";
import type { RankedHit } from "../ranking/rules.js";
import { writeCursor } from "./cursor.js";
import { groupHits, type HitGroup, isMerging } from "./merge-adjacent.js";
import type { ScoreBreakdown, SearchResponse, SearchResult } from "./results.js";
import type { SearcherParts } from "./retrieve.js";
import { checkRequest, type SearchRequest } from "./search-request.js";
import { callOf, type SearchTrace, traceSearch } from "./search-trace.js";
import { makeSnippet } from "./snippet.js";
import { suggestionsFor } from "./suggestions.js";
import { isWeak, nearnessOf } from "./weak-match.js";

/**
 * Analyses the query, asks the store for chunks by words and by vector at the same time, fuses the two lists, applies
 * the ranking rules and fills in the best. When one retriever fails the other answers and a warning says so; when
 * both fail the first error is thrown. Where another process replaced documents between the ranking and the reading of
 * its results, the search is done once more.
 */
export async function runSearch(parts: SearcherParts, request: SearchRequest): Promise<SearchResponse> {
  let trace = await traceSearch(parts, request);
  let page = await trace.clock.time("hydrate", () => readPage(parts, trace, request));
  if (page.missing > 0) {
    trace = await traceSearch(parts, request);
    page = await trace.clock.time("hydrate", () => readPage(parts, trace, request));
  }
  const { results, next, missing } = page;
  const { clock, warnings, typedFilters } = trace;
  if (missing > 0) {
    const count = missing === 1 ? "1 result was" : `${missing} results were`;
    const message = `${count} replaced while it was read and left out; search again`;
    warnings.push({ code: "RESULTS_CHANGED", message });
  }
  // Ranks say nothing of how near a result is, a word that was replaced is said already, and of a pasted report no
  // document holds a fifth.
  const isReplaced = warnings.some(({ code }) => code === "WORD_REPLACED");
  const isKnown = request.fusion?.method !== "rrf" && !isReplaced && !trace.query.isIssue;
  const isFar = results.length > 0 && isKnown && results.every((result) => isWeak(nearnessOf(result)));
  if (isFar) {
    const message = "no result holds a fifth of what the query asks for, or is near in meaning; the nearest are listed";
    warnings.push({ code: "WEAK_MATCH", message });
  }
  const suggestions = await suggestionsFor(parts, request, trace, isFar);
  return {
    results,
    ...(next !== undefined && { next }),
    ...(typedFilters.length > 0 && { queryFilters: typedFilters }),
    ...(suggestions.length > 0 && { suggestions }),
    warnings,
    timings: clock.timings,
  };
}

interface Page {
  readonly results: readonly SearchResult[];
  readonly next?: string;
  /** Results of the page that another process replaced after they were ranked. */
  readonly missing: number;
}

async function readPage(parts: SearcherParts, trace: SearchTrace, request: SearchRequest): Promise<Page> {
  const { limit, ...start } = checkRequest(request);
  const { chosen, reader } = trace;
  // Where the index has changed since the page before, its last chunk may have another place.
  const last = chosen.findIndex(({ chunkId }) => chunkId === start.lastChunkId);
  const offset = last < 0 || isMerging(request) ? start.offset : last + 1;
  const end = offset + limit;
  const groups = await groupHits(chosen, reader, request, offset, end + 1);
  const wanted = groups.slice(offset, end);
  const found = await hydrate(parts, trace, wanted, offset, request);
  const results = withPassages(found, request);
  const shown = offset + results.length + (wanted.length - found.length);
  const lastChunkId = results.at(-1)?.chunk.id;
  const isMore = lastChunkId !== undefined && shown < groups.length;
  return {
    results,
    ...(isMore && { next: writeCursor({ offset: shown, lastChunkId }, request) }),
    missing: wanted.length - found.length,
  };
}

async function hydrate(
  { store, analyzer }: SearcherParts,
  { query, retrieved, reader }: SearchTrace,
  groups: readonly HitGroup[],
  offset: number,
  request: SearchRequest,
): Promise<SearchResult[]> {
  const [chunks, documents] = await Promise.all([
    reader.read(groups.flatMap(({ hit, adjacent }) => [hit, ...adjacent].map(({ chunkId }) => chunkId))),
    store.getDocuments(
      groups.map(({ hit }) => hit.documentId),
      callOf(request),
    ),
  ]);
  const results: SearchResult[] = [];
  let read = 0;
  for (const [index, { hit, adjacent }] of groups.entries()) {
    const [chunk, ...others] = chunks.slice(read, read + 1 + adjacent.length);
    read += 1 + adjacent.length;
    const document = documents[index];
    // Both are missing only when another process replaced the document between the search and now.
    if (chunk === undefined || document === undefined) continue;
    const breakdown = breakdownOf(hit, retrieved.text, request);
    const snippet = makeSnippet(analyzer, chunk, query, request.snippetChars ?? 300);
    const near = others.filter((other) => other !== undefined).sort((a, b) => a.ordinal - b.ordinal);
    results.push({
      rank: offset + results.length + 1,
      score: hit.score,
      document,
      chunk,
      ...(near.length > 0 && { adjacent: near }),
      snippet,
      breakdown,
    });
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
