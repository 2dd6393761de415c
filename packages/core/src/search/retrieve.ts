import {
  type CallOptions,
  DocsearchError,
  type Embedder,
  type EmbedResult,
  type Filter,
  type Hit,
  isDocsearchError,
  type Reranker,
  type TextHits,
  type VectorStore,
} from "@docsearch/spec";
import type { Analyzer } from "../analyzer/analyze.js";
import type { AnalyzedQuery } from "../analyzer/query.js";
import { PROSE_RANKING } from "../ranking/ranking.js";
import { type Ask, unstuffed } from "./candidates.js";
import type { SearchWarning } from "./results.js";
import type { SearchMode } from "./search-request.js";
import type { Stopwatch } from "./stopwatch.js";

export interface SearcherParts {
  readonly store: VectorStore;
  readonly embedder: Embedder | null;
  /** Absent: the order is that of fusion and rules. */
  readonly reranker?: Reranker;
  readonly analyzer: Analyzer;
}

export interface Retrieval extends CallOptions {
  /** As typed. */
  readonly text: string;
  readonly query: AnalyzedQuery;
  readonly mode: SearchMode;
  /** Most hits of each retriever. */
  readonly candidates: number;
  /** Documents that the candidates should hold at least, where the index has so many. */
  readonly documents: number;
  readonly filter?: Filter;
}

/** What the retrievers answered; `null` where one was not asked or failed. */
export interface Retrieved {
  readonly text: TextHits | null;
  readonly vector: readonly Hit[] | null;
}

/**
 * Asks the store for chunks by words and by vector at the same time. When one of them fails the other answers and a
 * warning says so; when both fail the first error is thrown.
 */
export async function retrieve(
  parts: SearcherParts,
  retrieval: Retrieval,
  clock: Stopwatch,
  warnings: SearchWarning[],
): Promise<Retrieved> {
  const { mode } = retrieval;
  // A model that has to be read or asked first is so while the words are searched.
  const embedding = mode === "keyword" ? null : embedQuery(parts.embedder, retrieval);
  const [text, vector] = await Promise.allSettled([
    mode === "semantic" ? null : clock.time("lexical", () => searchText(parts.store, retrieval, warnings)),
    mode === "keyword" ? null : clock.time("vector", () => searchVector(parts, retrieval, embedding, warnings)),
  ]);
  retrieval.signal?.throwIfAborted();
  return {
    text: settled(text, "lexical", vector, warnings),
    vector: settled(vector, "vector", text, warnings),
  };
}

function callOf({ filter, signal }: Retrieval): CallOptions & { readonly filter?: Filter } {
  return { ...(filter !== undefined && { filter }), ...(signal !== undefined && { signal }) };
}

async function searchText(store: VectorStore, retrieval: Retrieval, warnings: SearchWarning[]): Promise<TextHits> {
  const { query } = retrieval.query;
  if (query === null) {
    warnings.push({ code: "NO_QUERY_TERMS", message: "the query has no word to look for" });
    return { chunks: [], documents: [] };
  }
  const answers: TextHits[] = [];
  const ask: Ask = async (limit, filter) => {
    const call = { ...callOf(retrieval), ...(filter !== undefined && { filter }) };
    const answer = await store.searchText({ query, ranking: PROSE_RANKING, limit, ...call });
    answers.push(answer);
    return withScore(answer.chunks);
  };
  const chunks = await unstuffed(ask, retrieval);
  // N and n do not depend on the filter, so a document has one score in all answers.
  const documents = new Map(
    answers.flatMap((answer) => withScore(answer.documents).map((hit) => [hit.documentId, hit] as const)),
  );
  const ceiling = answers[0]?.ceiling;
  return { chunks, documents: [...documents.values()], ...(ceiling !== undefined && { ceiling }) };
}

function embedQuery(embedder: Embedder | null, { text, signal }: Retrieval): Promise<EmbedResult> | null {
  const embedding = embedder?.embedQuery(text, signal === undefined ? {} : { signal }) ?? null;
  // Whoever waits for it hears of a failure; until then it must not end the process.
  embedding?.catch(() => {});
  return embedding;
}

async function searchVector(
  { store }: SearcherParts,
  retrieval: Retrieval,
  embedding: Promise<EmbedResult> | null,
  warnings: SearchWarning[],
): Promise<readonly Hit[] | null> {
  const { mode } = retrieval;
  if (embedding === null) {
    if (mode === "semantic") {
      throw new DocsearchError(
        "UNSUPPORTED",
        "semantic search needs vectors, and this index has none. Embed it: docsearch embed --model <model>; or make it anew with the model that ships: docsearch index --rebuild --embedder static",
        { operation: "semantic search" },
      );
    }
    return null;
  }
  const { vectors } = await embedding;
  const vector = vectors[0];
  if (vector === undefined) {
    const message = "the embedding model knows no word of the query; only the words themselves were searched";
    // Without words nothing was searched, and that is said already.
    if (mode === "semantic" || retrieval.query.query !== null) warnings.push({ code: "NO_QUERY_VECTOR", message });
    return null;
  }
  const ask: Ask = async (limit, filter) => {
    const call = { ...callOf(retrieval), ...(filter !== undefined && { filter }) };
    return withScore(await store.searchVector({ vector, limit, ...call }));
  };
  return unstuffed(ask, retrieval);
}

/** Hits that can be compared: a score that is no number has no place in an order, and would take the others theirs. */
function withScore<T extends { readonly score: number }>(hits: readonly T[]): readonly T[] {
  return hits.filter(({ score }) => Number.isFinite(score));
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
