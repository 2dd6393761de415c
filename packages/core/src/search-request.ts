import { type CallOptions, DocsearchError, type Filter } from "@docsearch/spec";
import { CANDIDATES } from "./ranking.js";
import type { RerankOptions } from "./rerank.js";
import { RULES, type RuleName } from "./rules.js";

export interface FusionOptions {
  /** `convex`: weighted sum of normalised scores. `rrf`: reciprocal rank fusion. Default `convex`. */
  readonly method?: "convex" | "rrf";
  /** Constant of reciprocal rank fusion. Default 60. */
  readonly k?: number;
  /** Weights of the two retrievers; both at least 0. Default .6 and .4 for `convex`, 1 and 1 for `rrf`. */
  readonly weights?: { readonly lexical?: number; readonly vector?: number };
}

export interface SearchRequest extends CallOptions {
  /**
   * As a person would type it. Text in double quotes must stand in the result as it is. `path:`, `lang:` and `in:`
   * limit the search to a part of the path, a language, a collection; `-path:` and the others exclude.
   */
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
  /** Ranking rules to leave out, as `{ heading: false }`. All apply by default. */
  readonly rules?: Readonly<Partial<Record<RuleName, boolean>>>;
  /** How the reranker is asked, if there is one; `false` leaves it out. */
  readonly rerank?: RerankOptions | false;
  /** Longest snippet, in characters. Default 300. */
  readonly snippetChars?: number;
}

export type SearchMode = NonNullable<SearchRequest["mode"]>;

/** What a request says of sizes and mode, checked, with the defaults filled in. */
export interface CheckedRequest {
  readonly limit: number;
  readonly mode: SearchMode;
  readonly candidates: number;
}

/** @throws `CONFIG_INVALID` for a value that makes no sense */
export function checkRequest(request: SearchRequest): CheckedRequest {
  const { limit = 10, mode = "hybrid", candidates = CANDIDATES, fusion = {}, rules = {} } = request;
  requireInteger("limit", limit);
  requireInteger("candidates", candidates);
  for (const [name, weight] of Object.entries(fusion.weights ?? {})) {
    if (!Number.isFinite(weight) || weight < 0) invalid(`fusion.weights.${name}`, weight, "a number of at least 0");
  }
  if (fusion.k !== undefined && !(Number.isFinite(fusion.k) && fusion.k >= 0)) {
    invalid("fusion.k", fusion.k, "a number of at least 0");
  }
  if (request.rerank) {
    requireInteger("rerank.topN", request.rerank.topN ?? 1);
    requireInteger("rerank.timeoutMs", request.rerank.timeoutMs ?? 1);
  }
  if (!["hybrid", "keyword", "semantic"].includes(mode)) invalid("mode", mode, "hybrid, keyword or semantic");
  for (const name of Object.keys(rules)) {
    if (!(name in RULES)) invalid("rules", name, `names among ${Object.keys(RULES).join(", ")}`);
  }
  return { limit, mode, candidates: Math.max(candidates, limit) };
}

function requireInteger(setting: string, value: number): void {
  if (!Number.isInteger(value) || value < 1) invalid(setting, value, "a whole number of at least 1");
}

function invalid(setting: string, value: unknown, expected: string): never {
  throw new DocsearchError("CONFIG_INVALID", `${setting} is ${String(value)}; expected ${expected}`, {
    setting,
    value: String(value),
    expected,
  });
}
