import type { CallOptions, Hit, TextHits, VectorStore } from "@docsearch/spec";
import type { Analyzer } from "./analyzer/analyze.js";
import type { AnalyzedQuery } from "./analyzer/query.js";
import type { ChunkReader } from "./chunk-reader.js";
import { isCode, versionsIn } from "./code-place.js";
import { findDefinitions } from "./definitions.js";
import { withDocumentMean, withDocumentScore } from "./document-share.js";
import { convexFusion, type FusedHit, type RankedList, RRF_K, reciprocalRankFusion } from "./fusion.js";
import { HeadingMatcher, wordsOfQuery } from "./heading-match.js";
import { profileQuery } from "./query-profile.js";
import { CONVEX_WEIGHTS, DOCUMENT_SHARE, RRF_WEIGHTS, RULE_DEPTH } from "./ranking.js";
import type { Retrieved } from "./retrieve.js";
import { applyRules, type RankedHit, RULES, type RuleFacts, type RuleName, withoutRules } from "./rules.js";
import type { FusionOptions, SearchRequest } from "./search-request.js";

/** Looked at for older versions; most projects have none. */
const VERSIONED_FOLDERS = 3;
const VERSIONED_DOCUMENTS = 1000;

export interface RankParts {
  readonly store: VectorStore;
  readonly analyzer: Analyzer;
  readonly reader: ChunkReader;
}

/**
 * Fuses what the retrievers answered and applies the rules.
 *
 * @param candidates most hits that a retriever was asked for
 * @returns best first. A hit whose score is not above zero is no answer and left out, but of a semantic search, whose
 * answer is the order.
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
  const fused = fuse(retrieved, candidates, request.fusion).filter(({ score }) => score > least);
  if (request.fusion?.method === "rrf") return withoutRules(fused);
  const profile = profileQuery(request.query);
  const off = new Set((Object.keys(RULES) as RuleName[]).filter((name) => request.rules?.[name] === false));
  const isLookedUp = !off.has("definition") && request.mode !== "semantic";
  const defined = isLookedUp ? await findDefinitions(parts.store, profile, request.filter, call) : [];
  const known = new Set(fused.map(({ chunkId }) => chunkId));
  const missing = defined.filter(({ chunkId }) => !known.has(chunkId)).map(unfound);
  const all = [...fused, ...missing];
  const looked = new Set([...all.slice(0, RULE_DEPTH), ...missing]);
  const facts = await factsOf([...looked], parts, call);
  const headings = new HeadingMatcher(parts.analyzer, wordsOfQuery(query.terms));
  const paths = off.has("oldVersion") ? [] : await pathsOfVersions(parts.store, facts, call);
  return applyRules(all, { profile, headings, facts, paths, off }).filter(({ score }) => score > least);
}

/** A definition that no retriever found: the rules give it what it has. */
function unfound({ chunkId, documentId }: Hit): FusedHit {
  return { chunkId, documentId, score: 0, contributions: [] };
}

async function factsOf(
  hits: readonly FusedHit[],
  { store, reader }: RankParts,
  call: CallOptions,
): Promise<ReadonlyMap<string, RuleFacts>> {
  const ids = [...new Set(hits.map(({ documentId }) => documentId))];
  const [chunks, documents] = await Promise.all([
    reader.read(hits.map(({ chunkId }) => chunkId)),
    store.getDocuments(ids, call),
  ]);
  const documentOf = new Map(ids.map((id, index) => [id, documents[index]]));
  return new Map(
    hits.flatMap(({ chunkId, documentId }, index): [string, RuleFacts][] => {
      const [chunk, document] = [chunks[index], documentOf.get(documentId)];
      // Both are missing only when another process replaced the document between the search and now.
      return chunk === undefined || document === undefined ? [] : [[chunkId, { chunk, document }]];
    }),
  );
}

/** Paths beside and below folders that are named after a version, for telling whether that is an old one. */
async function pathsOfVersions(
  store: VectorStore,
  facts: ReadonlyMap<string, RuleFacts>,
  call: CallOptions,
): Promise<readonly string[]> {
  const parents = new Set<string>();
  for (const { document } of facts.values()) {
    const path = document.path ?? "";
    if (!isCode(document)) continue;
    for (const version of versionsIn(path)) parents.add(path.slice(0, `/${path}`.indexOf(`/${version}/`)));
  }
  const prefixes = [...parents].slice(0, VERSIONED_FOLDERS);
  const pages = await Promise.all(
    prefixes.map((value) => {
      const filter = { op: "prefix", field: "path", value } as const;
      return store.listDocuments({ limit: VERSIONED_DOCUMENTS, filter, ...call });
    }),
  );
  return pages.flat().flatMap(({ path }) => (path === undefined ? [] : [path]));
}

function fuse({ text, vector }: Retrieved, candidates: number, options: FusionOptions = {}): FusedHit[] {
  const method = options.method ?? "convex";
  const weights = { ...(method === "convex" ? CONVEX_WEIGHTS : RRF_WEIGHTS), ...options.weights };
  const lists: RankedList[] = [];
  if (text !== null) {
    const hits = withDocumentScore(text);
    lists.push({ retriever: "lexical", hits, weight: weights.lexical, unit: lexicalUnit(text, hits), absentScore: 0 });
  }
  if (vector !== null) {
    // A chunk behind the end of a full list is not opposite to the query, only less near than the last one.
    const last = vector.at(-1)?.score ?? 0;
    const absentScore = vector.length >= candidates ? last : 0;
    const hits = method === "convex" ? withDocumentMean(vector, Math.max(0, last)) : vector;
    lists.push({ retriever: "vector", hits, weight: weights.vector, unit: 1, absentScore });
  }
  return method === "convex" ? convexFusion(lists) : reciprocalRankFusion(lists, options.k ?? RRF_K);
}

/**
 * The lexical score that counts as 1: that of a chunk with all of the query. Where a store does not say it, the
 * best hit's; then the best hit counts as a full answer, however little of the query it holds.
 */
function lexicalUnit({ ceiling }: TextHits, hits: readonly Hit[]): number {
  const unit = ceiling === undefined ? hits[0]?.score : ceiling.chunks + DOCUMENT_SHARE * ceiling.documents;
  return unit === undefined || unit <= 0 ? 1 : unit;
}
