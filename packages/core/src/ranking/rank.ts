import type { CallOptions, Hit, TextHits, VectorStore } from "@docsearch/spec";
import type { Analyzer } from "../analyzer/analyze.js";
import type { AnalyzedQuery } from "../analyzer/query.js";
import type { ChunkReader } from "../search/chunk-reader.js";
import { withDocumentMean, withDocumentScore } from "../search/document-share.js";
import { readHints } from "../search/query-hints.js";
import { profileQuery } from "../search/query-profile.js";
import type { Retrieved } from "../search/retrieve.js";
import type { FusionOptions, SearchRequest } from "../search/search-request.js";
import { isAboutCode, vectorWeight } from "../search/vector-weight.js";
import { isCode } from "./code-place.js";
import { findDefinitions, namesToFind } from "./definitions.js";
import { convexFusion, type FusedHit, type RankedList, RRF_K, reciprocalRankFusion } from "./fusion.js";
import { HeadingMatcher, wordsOfQuery } from "./heading-match.js";
import { readCounterparts } from "./old-versions.js";
import { CONVEX_WEIGHTS, DOCUMENT_SHARE, LEAST_SCORE, LEAST_SHARE, RRF_WEIGHTS } from "./ranking.js";
import { readFacts } from "./rule-facts.js";
import { applyRules, type RankedHit, RULES, type RuleName, withoutRules } from "./rules.js";

export interface RankParts {
  readonly store: VectorStore;
  readonly analyzer: Analyzer;
  readonly reader: ChunkReader;
}

/**
 * Fuses what the retrievers answered and applies the rules.
 *
 * @param candidates most hits that a retriever was asked for
 * @returns best first. A hit whose score is not above a twentieth of the best one's is no answer and left out, but of a
 * semantic search, whose answer is the order.
 */
export async function rank(
  parts: RankParts,
  retrieved: Retrieved,
  query: AnalyzedQuery,
  request: SearchRequest,
  candidates: number,
  call: CallOptions,
): Promise<RankedHit[]> {
  const least = request.mode === "semantic" ? Number.NEGATIVE_INFINITY : 0;
  if (request.fusion?.method === "rrf") {
    return withoutRules(rankFusion(retrieved, request.fusion).filter(({ score }) => score > least));
  }
  const isHybrid = retrieved.text !== null && retrieved.vector !== null;
  const isCodeSearch = isHybrid && (await isAboutCode(parts.store, retrieved, call));
  const found = fuse(retrieved, candidates, isCodeSearch, request.fusion);
  const floor = Math.max(LEAST_SCORE, LEAST_SHARE * (found[0]?.score ?? 0));
  const fused = found.filter(({ score }) => score > (request.mode === "semantic" ? least : floor));
  const profile = profileQuery(request.query);
  const off = new Set((Object.keys(RULES) as RuleName[]).filter((name) => request.rules?.[name] === false));
  // Where words could not be searched, names cannot either.
  const isLookedUp = !off.has("definition") && retrieved.text !== null;
  const defined = isLookedUp ? await findDefinitions(parts.store, profile, request.filter, call) : [];
  const known = new Set(fused.map(({ chunkId }) => chunkId));
  const missing = defined.filter(({ chunkId }) => !known.has(chunkId)).map(unfound);
  const all = [...fused, ...missing];
  const wanted = {
    defining: new Set(defined.map(({ chunkId }) => chunkId)),
    names: isLookedUp ? namesToFind(profile) : [],
  };
  const facts = await readFacts(all, wanted, parts, call);
  const headings = new HeadingMatcher(parts.analyzer, wordsOfQuery(query.terms));
  const hints = readHints(request.query);
  const documents = new Set([...facts.values()].map(({ document }) => document));
  const counterparts = off.has("oldVersion")
    ? []
    : await readCounterparts(
        parts.store,
        [...documents].filter((one) => isCode(one)),
        request.filter,
        call,
      );
  const context = { profile, headings, hints, facts, counterparts, off };
  return applyRules(all, context).filter(({ score }) => score > least);
}

/** A definition that no retriever found: the rules give it what it has. */
function unfound({ chunkId, documentId }: Hit): FusedHit {
  return { chunkId, documentId, score: 0, contributions: [] };
}

/** Convex combination of what the retrievers found. */
function fuse(
  { text, vector }: Retrieved,
  candidates: number,
  isCodeSearch: boolean,
  options: FusionOptions = {},
): FusedHit[] {
  const lists: RankedList[] = [];
  if (text !== null) {
    const hits = withDocumentScore(text);
    const weight = options.weights?.lexical ?? CONVEX_WEIGHTS.lexical;
    lists.push({ retriever: "lexical", hits, weight, unit: lexicalUnit(text, hits), absentScore: 0 });
  }
  if (vector !== null) {
    // A chunk behind the end of a full list is not opposite to the query, only less near than the last one.
    const last = vector.at(-1)?.score ?? 0;
    const absentScore = vector.length >= candidates ? last : 0;
    const hits = withDocumentMean(vector, Math.max(0, last));
    // Alone, vectors have nobody to be weighed against.
    const own = options.weights?.vector ?? CONVEX_WEIGHTS.vector;
    const weight = text === null ? own : vectorWeight(hits[0]?.score ?? 0, isCodeSearch, options);
    lists.push({ retriever: "vector", hits, weight, unit: 1, absentScore });
  }
  return convexFusion(lists);
}

/** Reciprocal rank fusion of what the retrievers found. */
function rankFusion({ text, vector }: Retrieved, { weights, k = RRF_K }: FusionOptions): FusedHit[] {
  const { lexical, vector: semantic } = { ...RRF_WEIGHTS, ...weights };
  const list = (retriever: string, hits: readonly Hit[], weight: number): RankedList[] => [
    { retriever, hits, weight, unit: 1, absentScore: 0 },
  ];
  return reciprocalRankFusion(
    [
      ...(text === null ? [] : list("lexical", withDocumentScore(text), lexical)),
      ...(vector === null ? [] : list("vector", vector, semantic)),
    ],
    k,
  );
}

/**
 * The lexical score that counts as 1: that of a chunk with all of the query. Where a store does not say it, the
 * best hit's; then the best hit counts as a full answer, however little of the query it holds.
 */
function lexicalUnit({ ceiling }: TextHits, hits: readonly Hit[]): number {
  const unit = ceiling === undefined ? hits[0]?.score : ceiling.chunks + DOCUMENT_SHARE * ceiling.documents;
  return unit === undefined || unit <= 0 ? 1 : unit;
}
