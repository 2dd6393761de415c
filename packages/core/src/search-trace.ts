import type { CallOptions, Chunk, Filter, VectorStore } from "@docsearch/spec";
import { containsPhrase } from "./analyzer/phrases.js";
import { type AnalyzedQuery, addTerms, analyzeQuery } from "./analyzer/query.js";
import { correctUnknown } from "./analyzer/unknown-words.js";
import { ChunkReader } from "./chunk-reader.js";
import { type QueryFilters, splitFilters } from "./query-filters.js";
import { rank } from "./rank.js";
import { rerank } from "./rerank.js";
import type { SearchWarning } from "./results.js";
import { type Retrieved, retrieve, type SearcherParts } from "./retrieve.js";
import type { RankedHit } from "./rules.js";
import { checkRequest, type SearchRequest } from "./search-request.js";
import { Stopwatch } from "./stopwatch.js";

/** Documents that the candidates should hold, when the results may be several chunks of one. */
const LEAST_DOCUMENTS = 10;

/** What the stages of a search made, for its results and for saying why something is among them or not. */
export interface SearchTrace {
  readonly query: AnalyzedQuery;
  /** Of the request and of the query together. */
  readonly filter?: Filter;
  readonly retrieved: Retrieved;
  /** All candidates, best first. */
  readonly ranked: readonly RankedHit[];
  /**
   * Those of them that hold every quoted phrase, one per document when grouped, in the order of the reranker if there is
   * one; not yet cut to the limit.
   */
  readonly chosen: readonly RankedHit[];
  readonly warnings: SearchWarning[];
  readonly clock: Stopwatch;
  readonly reader: ChunkReader;
}

/** The query without its field filters, which join the filter of the request. */
export function withQueryFilters(request: SearchRequest): QueryFilters {
  const { text, filter: own, typed } = splitFilters(request.query);
  const clauses = [request.filter, own].filter((filter) => filter !== undefined);
  const filter: Filter | undefined = clauses.length > 1 ? { op: "and", clauses } : clauses[0];
  return { text, typed, ...(filter !== undefined && { filter }) };
}

/** All stages but the last: what could be a result, in its order. */
export async function traceSearch(parts: SearcherParts, request: SearchRequest): Promise<SearchTrace> {
  const { limit, mode, candidates } = checkRequest(request);
  const call = callOf(request);
  const clock = new Stopwatch();
  const warnings: SearchWarning[] = [];
  const reader = new ChunkReader(parts.store, call);

  const { text, filter } = withQueryFilters(request);
  const filtered: SearchRequest = { ...request, query: text, ...(filter !== undefined && { filter }) };
  const query = await clock.time("analyze", async () => {
    const analyzed = analyzeQuery(parts.analyzer, text);
    return mode === "semantic" ? analyzed : withCorrections(parts.store, analyzed, warnings, call);
  });
  const documents = request.groupBy === "document" ? limit : Math.min(limit, LEAST_DOCUMENTS);
  const limits = { mode, candidates, documents, ...(filter !== undefined && { filter }) };
  const retrieved = await retrieve(parts, { text, query, ...limits, ...call }, clock, warnings);
  const ranked = await clock.time("fuse", () =>
    rank({ ...parts, reader }, retrieved, query, filtered, candidates, call),
  );
  const fitting = await choose(reader, ranked, query.phrases, request.groupBy ?? "chunk");
  const { reranker } = parts;
  const chosen =
    reranker === undefined || request.rerank === false
      ? fitting
      : await clock.time("rerank", () => rerank(reranker, text, fitting, reader, request.rerank || {}, call, warnings));
  return { query, ...(filter !== undefined && { filter }), retrieved, ranked, chosen, warnings, clock, reader };
}

export function callOf({ signal }: SearchRequest): CallOptions {
  return signal === undefined ? {} : { signal };
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

/** The hits that hold every phrase, one per document when grouped. */
async function choose(
  reader: ChunkReader,
  ranked: readonly RankedHit[],
  phrases: readonly string[],
  groupBy: "chunk" | "document",
): Promise<readonly RankedHit[]> {
  let chosen = [...ranked];
  if (phrases.length > 0) {
    const chunks = await reader.read(chosen.map(({ chunkId }) => chunkId));
    chosen = chosen.filter((_, index) => holdsPhrases(chunks[index], phrases));
  }
  if (groupBy === "document") {
    const seen = new Set<string>();
    chosen = chosen.filter(({ documentId }) => !seen.has(documentId) && seen.add(documentId));
  }
  return chosen;
}

/** Whether every phrase stands in a chunk's headings or text. */
export function holdsPhrases(chunk: Chunk | undefined, phrases: readonly string[]): boolean {
  if (chunk === undefined) return false;
  const text = [...chunk.headingPath, chunk.text].join("\n");
  return phrases.every((phrase) => containsPhrase(text, phrase));
}
