import { createHash } from "node:crypto";
import { type Nearness, nearnessOf, type SearchRequest, type SearchResponse } from "@docsearch/core";

/** One search, as a line of the query log. */
export interface QueryLogEntry {
  /** When it was answered, in UTC: `2026-11-30T20:15:00.000Z`. */
  readonly time: string;
  /** Who asked: `cli`, `mcp` or `http`. */
  readonly client: string;
  /** The same for equal queries. */
  readonly queryHash: string;
  /** What was asked; absent unless the log keeps text. */
  readonly query?: string;
  readonly mode: string;
  readonly isFiltered: boolean;
  readonly results: number;
  /** How much of the query the best result answers by its words, from 0 to 1; absent without words. */
  readonly bestLexical?: number;
  /** Cosine similarity of the query and the best result; absent without vectors. */
  readonly bestCosine?: number;
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  /** The first results, best first. */
  readonly top: readonly { readonly chunkId: string; readonly path: string; readonly score: number }[];
}

const TOP = 5;

/**
 * @param time when the search was answered
 * @param withText whether the query is kept as it was typed, beside its hash
 */
export function queryLogEntry(
  request: SearchRequest,
  { results, queryFilters, warnings, timings }: SearchResponse,
  client: string,
  time: Date,
  withText: boolean,
): QueryLogEntry {
  const { lexical, cosine }: Nearness = results[0] === undefined ? {} : nearnessOf(results[0]);
  return {
    time: time.toISOString(),
    client,
    queryHash: createHash("sha256").update(request.query).digest("base64url").slice(0, 16),
    ...(withText && { query: request.query }),
    mode: request.mode ?? "hybrid",
    isFiltered: request.filter !== undefined || queryFilters !== undefined,
    results: results.length,
    ...(lexical !== undefined && { bestLexical: rounded(lexical) }),
    ...(cosine !== undefined && { bestCosine: rounded(cosine) }),
    timings: Object.fromEntries(Object.entries(timings).map(([stage, value]) => [stage, rounded(value)])),
    warnings: warnings.map(({ code }) => code),
    top: results.slice(0, TOP).map(({ chunk, document, score }) => ({
      chunkId: chunk.id,
      path: `${document.path ?? document.id}:${chunk.span.startLine}`,
      score: rounded(score),
    })),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
