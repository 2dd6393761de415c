import { type CallOptions, DocsearchError, type Filter } from "@docsearch/spec";
import { CANDIDATES } from "../ranking/ranking.js";
import type { RerankOptions } from "../ranking/rerank.js";
import { RULES, type RuleName } from "../ranking/rules.js";
import { readCursor } from "./cursor.js";

export interface FusionOptions {
  /** `convex`: weighted sum of normalised scores. `rrf`: reciprocal rank fusion. Default `convex`. */
  readonly method?: "convex" | "rrf";
  /** Constant of reciprocal rank fusion. Default 60. */
  readonly k?: number;
  /** Weights of the two retrievers; both at least 0. Default .6 and .5 for `convex`, 1 and 1 for `rrf`. */
  readonly weights?: { readonly lexical?: number; readonly vector?: number };
  /**
   * `convex`, in prose: where not even the nearest chunk has this cosine, the vectors lose weight with the fourth power
   * of what it has of it. Default .53, for the bundled model; 0: always the whole weight.
   */
  readonly nearCosine?: number;
}

export interface SearchRequest extends CallOptions {
  /**
   * As a person would type it. Text in double quotes must stand in the result as it is, with `-` in front it must not.
   * `path:`, `lang:` and `in:` limit the search to a part of the path, a language, a collection; `-path:` and the others
   * exclude. Inside quotes they are text.
   */
  readonly query: string;
  /** `false`: `path:`, `lang:`, `in:` and `-` before quotes are text like any other. Default true. */
  readonly queryFilters?: boolean;
  /** `keyword`: lexical only. `semantic`: vectors only. Default `hybrid`. */
  readonly mode?: "hybrid" | "keyword" | "semantic";
  /** Most results. Default 10. */
  readonly limit?: number;
  /** Leave out so many of the best: an earlier page has them. Default 0. */
  readonly offset?: number;
  /** Where to go on, in place of `offset`: `next` of the response to the same search. */
  readonly cursor?: string;
  /**
   * Most characters of all `passage`s together. Each result then has one: the whole lines of its text that fit best.
   * Results for which no useful part is left come with the next page.
   */
  readonly maxChars?: number;
  /** The same in tokens, as `count` counts them; in place of `maxChars`. */
  readonly maxTokens?: { readonly most: number; readonly count: (text: string) => number };
  readonly filter?: Filter;
  /** `document`: only the best chunk of each document. Default `chunk`. */
  readonly groupBy?: "chunk" | "document";
  /** Results whose chunks follow each other in a document become one, which has them in `adjacent`. Default false. */
  readonly mergeAdjacent?: boolean;
  /** Hits that each retriever returns before fusion; more where they do not fill the page. Default 200. */
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
  /** Results to leave out, by the offset or the cursor. */
  readonly offset: number;
  /** Last chunk of the page before, where a cursor says it. */
  readonly lastChunkId?: string;
}

/** @throws `CONFIG_INVALID` for a value that makes no sense */
export function checkRequest(request: SearchRequest): CheckedRequest {
  const { limit = 10, mode = "hybrid", candidates = CANDIDATES, fusion = {}, rules = {} } = request;
  if (typeof request.query !== "string") invalid("query", request.query, "a string");
  requireInteger("limit", limit);
  requireInteger("candidates", candidates);
  const { offset = 0, lastChunkId } = startOf(request);
  if (request.maxChars !== undefined) requireInteger("maxChars", request.maxChars);
  if (request.maxTokens !== undefined) requireInteger("maxTokens.most", request.maxTokens.most);
  if (request.maxChars !== undefined && request.maxTokens !== undefined) {
    invalid("maxChars", request.maxChars, "no maxTokens beside it");
  }
  if (!["convex", "rrf"].includes(fusion.method ?? "convex")) invalid("fusion.method", fusion.method, "convex or rrf");
  for (const [name, weight] of Object.entries(fusion.weights ?? {})) {
    if (!Number.isFinite(weight) || weight < 0) invalid(`fusion.weights.${name}`, weight, "a number of at least 0");
  }
  if (fusion.k !== undefined && !(Number.isFinite(fusion.k) && fusion.k >= 0)) {
    invalid("fusion.k", fusion.k, "a number of at least 0");
  }
  if (fusion.nearCosine !== undefined && !(Number.isFinite(fusion.nearCosine) && fusion.nearCosine >= 0)) {
    invalid("fusion.nearCosine", fusion.nearCosine, "a number of at least 0");
  }
  if (request.rerank) {
    requireInteger("rerank.topN", request.rerank.topN ?? 1);
    requireInteger("rerank.timeoutMs", request.rerank.timeoutMs ?? 1);
  }
  if (!["hybrid", "keyword", "semantic"].includes(mode)) invalid("mode", mode, "hybrid, keyword or semantic");
  for (const name of Object.keys(rules)) {
    if (!(name in RULES)) invalid("rules", name, `names among ${Object.keys(RULES).join(", ")}`);
  }
  return { limit, mode, candidates, offset, ...(lastChunkId !== undefined && { lastChunkId }) };
}

/** Where the page begins. */
function startOf(request: SearchRequest): { readonly offset?: number; readonly lastChunkId?: string } {
  const { offset, cursor } = request;
  if (cursor === undefined) {
    if (offset !== undefined && (!Number.isInteger(offset) || offset < 0)) {
      invalid("offset", offset, "a whole number of at least 0");
    }
    return offset === undefined ? {} : { offset };
  }
  if (offset !== undefined) invalid("offset", offset, "no cursor beside it");
  return readCursor(cursor, request) ?? invalid("cursor", cursor, "what `next` of the same search says");
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
