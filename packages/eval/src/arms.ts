import type { SearchRequest } from "@docsearch/core";

/** What an arm changes about a search: anything but the query and the shape of the list. */
export type ArmRequest = Omit<SearchRequest, "query" | "limit" | "groupBy" | "signal" | "snippetChars">;

/** A way to search, under the name that tables show. */
export interface Arm {
  readonly name: string;
  readonly request: ArmRequest;
}

/**
 * What there is to compare on any index with vectors: each retriever alone, and both joined. `hybrid` is the search
 * as it is set up, a convex combination unless the settings say otherwise; `rrf` is reciprocal rank fusion.
 */
export const DEFAULT_ARMS: readonly Arm[] = [
  { name: "keyword", request: { mode: "keyword" } },
  { name: "semantic", request: { mode: "semantic" } },
  { name: "hybrid", request: { mode: "hybrid" } },
  { name: "rrf", request: { mode: "hybrid", fusion: { method: "rrf" } } },
];
