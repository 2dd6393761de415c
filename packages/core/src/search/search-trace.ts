import { type CallOptions, type Chunk, type Filter, isDocsearchError } from "@docsearch/spec";
import { tellingTerms } from "../analyzer/issue.js";
import { containsPhrase } from "../analyzer/phrases.js";
import { type AnalyzedQuery, addTerms, analyzeQuery, withTerms } from "../analyzer/query.js";
import { correctUnknown, type TermLookup, wordOfTerm } from "../analyzer/unknown-words.js";
import { rank } from "../ranking/rank.js";
import { rerank } from "../ranking/rerank.js";
import type { RankedHit } from "../ranking/rules.js";
import { ChunkReader } from "./chunk-reader.js";
import { withoutNegatedClauses } from "./negated-clause.js";
import { type QueryFilters, splitFilters } from "./query-filters.js";
import { isIssueText } from "./query-profile.js";
import type { SearchWarning } from "./results.js";
import { type Retrieved, retrieve, type SearcherParts } from "./retrieve.js";
import { checkRequest, type SearchRequest } from "./search-request.js";
import { Stopwatch } from "./stopwatch.js";

/** Documents that the candidates should hold; when each result is another document, twice as many in each round. */
const LEAST_DOCUMENTS = 10;

/** What the stages of a search made, for its results and for saying why something is among them or not. */
export interface SearchTrace {
  readonly query: AnalyzedQuery;
  /** Of the request and of the query together. */
  readonly filter?: Filter;
  /** Phrases that no result may hold. */
  readonly excluded: readonly string[];
  /** What of the query was taken for a filter, as typed. */
  readonly typedFilters: readonly string[];
  readonly retrieved: Retrieved;
  /** All candidates, best first. */
  readonly ranked: readonly RankedHit[];
  /**
   * Those of them that hold every quoted phrase and none that is excluded, one per document when grouped, in the order of
   * the reranker if there is one; not yet cut to the page.
   */
  readonly chosen: readonly RankedHit[];
  readonly warnings: SearchWarning[];
  readonly clock: Stopwatch;
  readonly reader: ChunkReader;
}

/** The query without its filters, which join the filter of the request. */
export function withQueryFilters(request: SearchRequest): QueryFilters {
  const read: QueryFilters =
    request.queryFilters === false ? { text: request.query, excluded: [], typed: [] } : readFilters(request.query);
  const { filter: own, ...rest } = read;
  const clauses = [request.filter, own].filter((filter) => filter !== undefined);
  const filter: Filter | undefined = clauses.length > 1 ? { op: "and", clauses } : clauses[0];
  return { ...rest, text: withoutNegatedClauses(rest.text), ...(filter !== undefined && { filter }) };
}

/** Filters at the start of a text, which are typed before one that is pasted. */
const LEADING_FILTERS = /^(?:\s*-?(?:path|lang|in):(?:"[^"\n]+"|[^\s"]+)(?=\s|$))*/;

/** In pasted text what looks like a filter is part of it, but at its start. */
function readFilters(query: string): QueryFilters {
  if (!isIssueText(query)) return splitFilters(query);
  const [head = ""] = LEADING_FILTERS.exec(query) ?? [];
  return { ...splitFilters(head), text: query.slice(head.length) };
}

/**
 * All stages but the last: what could be a result, in its order. Where the candidates do not fill the page, twice as many
 * are ranked, and what is new among them comes behind: a page looks the same whatever was asked for with it or after it.
 */
export async function traceSearch(parts: SearcherParts, request: SearchRequest): Promise<SearchTrace> {
  const { limit, offset, mode, candidates } = checkRequest(request);
  const call = callOf(request);
  const clock = new Stopwatch();
  const warnings: SearchWarning[] = [];
  const reader = new ChunkReader(parts.store, call);

  const { text, filter, excluded, typed } = withQueryFilters(request);
  const filtered: SearchRequest = { ...request, query: text, ...(filter !== undefined && { filter }) };
  const query = await clock.time("analyze", async () => {
    const analyzed = analyzeQuery(parts.analyzer, text);
    return mode === "semantic" ? analyzed : withCorrections(parts, analyzed, warnings, call);
  });
  const isGrouped = request.groupBy === "document";
  const wanted = offset + limit + 1;
  const asked = { text, query, mode, ...(filter !== undefined && { filter }), ...call };
  let retrieved: Retrieved;
  let ranked: readonly RankedHit[] = [];
  let fitting: readonly RankedHit[] = [];
  for (let times = 1; ; times *= 2) {
    const size = candidates * times;
    const documents = LEAST_DOCUMENTS * (isGrouped ? times : 1);
    retrieved = await retrieve(parts, { ...asked, candidates: size, documents }, clock, times === 1 ? warnings : []);
    const found = await clock.time("fuse", () => rank({ ...parts, reader }, retrieved, query, filtered, size, call));
    const known = new Set(ranked.map(({ chunkId }) => chunkId));
    ranked = [...ranked, ...found.filter(({ chunkId }) => !known.has(chunkId))];
    fitting = await choose(reader, ranked, { wanted: query.phrases, excluded }, isGrouped ? "document" : "chunk");
    const isLarge = size >= wanted && (!isGrouped || documents >= wanted);
    if (fitting.length >= wanted || isLarge || !isFull(retrieved, size)) break;
  }
  const { reranker } = parts;
  const chosen =
    reranker === undefined || request.rerank === false
      ? fitting
      : await clock.time("rerank", () => rerank(reranker, text, fitting, reader, request.rerank || {}, call, warnings));
  return {
    query,
    ...(filter !== undefined && { filter }),
    excluded,
    typedFilters: typed,
    retrieved,
    ranked,
    chosen,
    warnings,
    clock,
    reader,
  };
}

/** Whether a retriever may have more. */
function isFull({ text, vector }: Retrieved, size: number): boolean {
  return [text?.chunks, vector].some((hits) => (hits?.length ?? 0) >= size);
}

export function callOf({ signal }: SearchRequest): CallOptions {
  return signal === undefined ? {} : { signal };
}

/** The query with terms of the index in place of words that the index does not have; of pasted text what tells most. */
async function withCorrections(
  { store, analyzer }: SearcherParts,
  analyzed: AnalyzedQuery,
  warnings: SearchWarning[],
  call: CallOptions,
): Promise<AnalyzedQuery> {
  if (analyzed.isTruncated)
    warnings.push({ code: "QUERY_CUT", message: "the query was too long; its end was left out" });
  if (store.capabilities.lexical === "none") return analyzed;
  const lookup: TermLookup = (prefix, limit) => store.listTerms({ prefix, limit, ...call });
  try {
    if (analyzed.isIssue) {
      const { chunks } = await store.stats(call);
      return withTerms(analyzed, await tellingTerms(analyzed.terms, chunks, lookup));
    }
    const corrections = await correctUnknown(analyzed.terms, lookup);
    for (const { surface, terms } of corrections) {
      const found = await Promise.all(terms.map(({ term }) => wordOfTerm(analyzer, term, lookup)));
      const message = `no text has "${surface}"; searched for ${found.join(", ")} instead`;
      warnings.push({ code: "WORD_REPLACED", message });
    }
    return addTerms(
      analyzed,
      corrections.flatMap(({ terms }) => terms),
    );
  } catch (error) {
    call.signal?.throwIfAborted();
    if (isDocsearchError(error, "CLOSED")) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `whether the index has the words of the query could not be read: ${reason}`;
    warnings.push({ code: "WORDS_UNCHECKED", message });
    return analyzed;
  }
}

interface Phrases {
  readonly wanted: readonly string[];
  readonly excluded: readonly string[];
}

/** The hits that hold every wanted phrase and no excluded one, one per document when grouped. */
async function choose(
  reader: ChunkReader,
  ranked: readonly RankedHit[],
  { wanted, excluded }: Phrases,
  groupBy: "chunk" | "document",
): Promise<readonly RankedHit[]> {
  let chosen = [...ranked];
  if (wanted.length > 0 || excluded.length > 0) {
    const chunks = await reader.read(chosen.map(({ chunkId }) => chunkId));
    chosen = chosen.filter((_, index) => {
      const chunk = chunks[index];
      return holdsPhrases(chunk, wanted) && !excluded.some((phrase) => holdsPhrases(chunk, [phrase]));
    });
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
