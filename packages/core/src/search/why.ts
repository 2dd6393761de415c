import type { CallOptions, Chunk, DocumentRecord, Filter, Hit } from "@docsearch/spec";
import { matchesFilter } from "../memory-store/filter-match.js";
import { PROSE_RANKING } from "../ranking/ranking.js";
import type { RankedHit, RuleEffect } from "../ranking/rules.js";
import { groupHits, type HitGroup } from "./merge-adjacent.js";
import type { ScoreBreakdown } from "./results.js";
import type { SearcherParts } from "./retrieve.js";
import { checkRequest, type SearchRequest } from "./search-request.js";
import { holdsPhrases, type SearchTrace, traceSearch, withQueryFilters } from "./search-trace.js";
import { breakdownOf } from "./searcher.js";

/** What a search should have found. */
export interface WhyTarget {
  /** Path of the document, or its id. */
  readonly path: string;
  /** 1-based line of the document; absent: any part of it. */
  readonly line?: number;
}

/** What the caller knows of the steps before the index, as `reason` when the target was left out there. */
export interface WhyFacts {
  /** Whether the source lists the target. */
  readonly walk?: { readonly passed: boolean; readonly reason: string };
  /** Whether it could be read and decoded. */
  readonly read?: { readonly passed: boolean; readonly reason: string };
}

export interface WhyRequest extends SearchRequest {
  readonly target: WhyTarget;
  readonly facts?: WhyFacts;
}

export type WhyStage =
  | "walk"
  | "read"
  | "index"
  | "chunk"
  | "filter"
  | "lexical"
  | "vector"
  | "candidates"
  | "fusion"
  | "rules"
  | "phrase"
  | "rerank"
  | "group"
  | "cut-off";

export interface WhyStep {
  readonly stage: WhyStage;
  /** `missed`: a retriever does not have it, which the other may make good. `lost`: it cannot be a result. */
  readonly outcome: "passed" | "missed" | "lost";
  readonly message: string;
}

/** The way of a target through a search. */
export interface WhyReport {
  /** Its rank among the results; absent when it is none. */
  readonly rank?: number;
  /** The step that lost it; absent when it is a result. */
  readonly lostAt?: WhyStage;
  /** In order, up to the one that lost it. */
  readonly steps: readonly WhyStep[];
  /** Where its score comes from, once it has one. */
  readonly breakdown?: ScoreBreakdown;
}

/** Of one document, when its own scores are asked for. */
const MOST_CHUNKS = 100_000;

/**
 * Walks a target through all steps of a search and names the one that lost it. Runs the search itself, with the same
 * request, so it costs a little more than that.
 *
 * @throws what `search` throws
 */
export async function explainWhy(parts: SearcherParts, request: WhyRequest): Promise<WhyReport> {
  const report = new Report();
  const call: CallOptions = request.signal === undefined ? {} : { signal: request.signal };
  for (const stage of ["walk", "read"] as const) {
    const fact = request.facts?.[stage];
    if (fact !== undefined && !report.step(stage, fact.passed, fact.reason)) return report.end();
  }
  const document = await findDocument(parts, request.target.path, call);
  const indexed = document === undefined ? "the index has no document of that path; index it" : "it is in the index";
  if (!report.step("index", document !== undefined, indexed) || document === undefined) return report.end();

  const chunks = await targetChunks(parts, document, request.target.line, call);
  if (!report.step("chunk", chunks.length > 0, chunkMessage(chunks, request.target.line))) return report.end();
  const trace = await traceSearch(parts, request);
  const { filter } = trace;
  if (filter !== undefined) {
    const passes = matchesFilter(filter, document);
    const { typedFilters: typed } = trace;
    const subject = typed.length === 0 ? "the filter of the request" : `the filter, with ${typed.join(" and ")},`;
    const message = `${subject} ${passes ? "lets it through" : "excludes it"}`;
    if (!report.step("filter", passes, message)) return report.end();
  }

  const wanted = new Set(chunks.map(({ id }) => id));
  await retrieverSteps(report, parts, trace, wanted, document, request, call);
  const hit = trace.ranked.find(({ chunkId }) => wanted.has(chunkId));
  if (hit === undefined) {
    report.lose(...lostBeforeRank(trace, wanted));
    return report.end();
  }
  const { offset } = checkRequest(request);
  const results = await groupHits(trace.chosen, trace.reader, request, offset, Number.POSITIVE_INFINITY);
  return judge(report, trace, hit, results, chunks, request);
}

/** The steps behind fusion, for the best of the target's chunks that has a score. */
function judge(
  report: Report,
  trace: SearchTrace,
  hit: RankedHit,
  results: readonly HitGroup[],
  chunks: readonly Chunk[],
  request: WhyRequest,
): WhyReport {
  const { limit: size, offset } = checkRequest(request);
  const limit = offset + size;
  const breakdown = breakdownOf(hit, trace.retrieved.text, request);
  report.step("fusion", true, `rank ${hit.fusionRank}, score ${hit.fusionScore.toFixed(4)}`);
  const rank = trace.ranked.indexOf(hit) + 1;
  const effects = hit.rules.length === 0 ? "no rule applies" : hit.rules.map(effectText).join(", ");
  const isTarget = ({ chunkId }: RankedHit): boolean => chunks.some(({ id }) => id === chunkId);
  const chosen = results.findIndex((result) => [result.hit, ...result.adjacent].some(isTarget)) + 1;
  const isReranked = results[chosen - 1]?.hit.rerank !== undefined && rank <= limit;
  const isDropped = chosen > limit && hit.fusionRank <= limit && !isReranked;
  const change = `${effects}: rank ${hit.fusionRank} becomes ${rank}`;
  if (!report.step("rules", !isDropped, isDropped ? `${change}, and ${limit} are shown` : change)) {
    return report.end(breakdown);
  }
  const { phrases } = trace.query;
  if (chosen === 0) {
    const holding = chunks.filter((chunk) => holdsPhrases(chunk, phrases));
    const unwanted = trace.excluded.filter((phrase) => holding.every((chunk) => holdsPhrases(chunk, [phrase])));
    if (holding.length === 0) report.lose("phrase", `it does not hold ${phrases.map(quoted).join(" and ")}`);
    else if (unwanted.length > 0)
      report.lose("phrase", `it holds ${unwanted.map(quoted).join(" and ")}, which is excluded`);
    else report.lose("group", "results are grouped by document, and another part of this one ranks higher");
    return report.end(breakdown);
  }
  if (phrases.length > 0) report.step("phrase", true, "it holds the quoted phrases");
  if (isReranked) {
    const isKept = chosen <= limit;
    const change = `the reranker makes rank ${rank} rank ${chosen}`;
    if (!report.step("rerank", isKept, isKept ? change : `${change}, and ${limit} are shown`)) {
      return report.end(breakdown);
    }
  }
  const isShown = chosen <= limit && chosen > offset;
  const isJoined = results[chosen - 1]?.adjacent.some(isTarget) === true;
  const shown = `result ${chosen}${isJoined ? ", joined to the chunk beside it" : ""}`;
  const passed =
    chosen <= offset
      ? `rank ${chosen}, and the page begins behind ${offset}`
      : `rank ${chosen}, and ${limit} are shown`;
  report.step("cut-off", isShown, isShown ? shown : passed);
  return isShown ? { rank: chosen, ...report.end(breakdown) } : report.end(breakdown);
}

async function findDocument(
  { store }: SearcherParts,
  path: string,
  call: CallOptions,
): Promise<DocumentRecord | undefined> {
  const clauses: Filter[] = [
    { op: "in", field: "path", values: [path] },
    { op: "in", field: "id", values: [path] },
  ];
  return (await store.listDocuments({ limit: 1, filter: { op: "or", clauses }, ...call }))[0];
}

/** The chunks of a document, or those that hold the line. */
async function targetChunks(
  { store }: SearcherParts,
  { id }: DocumentRecord,
  line: number | undefined,
  call: CallOptions,
): Promise<readonly Chunk[]> {
  const chunks = await store.getChunks(await store.getChunkIds(id, call), call);
  const found = chunks.filter((chunk) => chunk !== undefined);
  if (line === undefined) return found;
  return found.filter(({ span }) => span.startLine <= line && line <= span.endLine);
}

function chunkMessage(chunks: readonly Chunk[], line: number | undefined): string {
  const [first] = chunks;
  if (first === undefined) {
    return line === undefined
      ? "the document has no text"
      : `no chunk holds line ${line}: it is blank or behind the end`;
  }
  if (line === undefined) return `cut into ${chunks.length} ${chunks.length === 1 ? "chunk" : "chunks"}`;
  return `line ${line} is in the chunk of lines ${first.span.startLine} to ${first.span.endLine}`;
}

/** Says of each retriever that was asked whether the target is among its candidates, and how far it is from them. */
async function retrieverSteps(
  report: Report,
  { store, embedder }: SearcherParts,
  trace: SearchTrace,
  wanted: ReadonlySet<string>,
  { id }: DocumentRecord,
  request: WhyRequest,
  call: CallOptions,
): Promise<void> {
  const { text, vector } = trace.retrieved;
  const limited = { limit: MOST_CHUNKS, filter: { op: "in", field: "id", values: [id] } as const, ...call };
  const { query } = trace.query;
  if (text !== null) {
    const alone = query === null ? [] : (await store.searchText({ query, ranking: PROSE_RANKING, ...limited })).chunks;
    const words = trace.query.terms
      .filter(({ class: termClass }) => termClass !== "exact")
      .map(({ surface }) => surface);
    const none = `it holds none of ${[...new Set(words)].map(quoted).join(", ") || "the words: the query has none"}`;
    report.retriever("lexical", text.chunks, alone, wanted, none);
  }
  if (vector !== null && embedder !== null) {
    const { vectors } = await embedder.embedQuery(withQueryFilters(request).text, call);
    const alone = vectors[0] === undefined ? [] : await store.searchVector({ vector: vectors[0], ...limited });
    report.retriever("vector", vector, alone, wanted, "it has no vector: the model knows none of its words");
  }
}

function lostBeforeRank({ retrieved }: SearchTrace, wanted: ReadonlySet<string>): [WhyStage, string] {
  const lists = [retrieved.text?.chunks ?? [], retrieved.vector ?? []];
  return lists.flat().some(({ chunkId }) => wanted.has(chunkId))
    ? [
        "fusion",
        "next to nothing of the query is in it, and its meaning is far: less than a twentieth of the best score",
      ]
    : ["candidates", "no retriever has it among its candidates"];
}

/** Collects the steps. */
class Report {
  readonly #steps: WhyStep[] = [];

  /** Returns whether the target passed. */
  step(stage: WhyStage, passed: boolean, message: string): boolean {
    this.#steps.push({ stage, outcome: passed ? "passed" : "lost", message });
    return passed;
  }

  lose(stage: WhyStage, message: string): void {
    this.step(stage, false, message);
  }

  retriever(
    stage: "lexical" | "vector",
    candidates: readonly Hit[],
    alone: readonly Hit[],
    wanted: ReadonlySet<string>,
    none: string,
  ): void {
    const index = candidates.findIndex(({ chunkId }) => wanted.has(chunkId));
    const found = candidates[index];
    if (found !== undefined) {
      const message = `rank ${index + 1} of ${candidates.length}, score ${found.score.toFixed(3)}`;
      this.#steps.push({ stage, outcome: "passed", message });
      return;
    }
    const score = alone.find(({ chunkId }) => wanted.has(chunkId))?.score;
    const last = candidates.at(-1)?.score;
    const far = `its score ${score?.toFixed(3)} is below that of the last of ${candidates.length} candidates, ${last?.toFixed(3)}`;
    this.#steps.push({ stage, outcome: "missed", message: score === undefined ? none : far });
  }

  end(breakdown?: ScoreBreakdown): WhyReport {
    const lost = this.#steps.find(({ outcome }) => outcome === "lost");
    return {
      ...(lost !== undefined && { lostAt: lost.stage }),
      steps: this.#steps,
      ...(breakdown !== undefined && { breakdown }),
    };
  }
}

function effectText({ rule, bonus, factor }: RuleEffect): string {
  return bonus === undefined ? `${rule} times ${(factor ?? 1).toFixed(3)}` : `${rule} plus ${bonus.toFixed(3)}`;
}

function quoted(text: string): string {
  return `"${text}"`;
}
