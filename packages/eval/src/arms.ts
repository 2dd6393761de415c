import { RULES, type SearchRequest } from "@docsearch/core";
import { DocsearchError } from "@docsearch/spec";

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

/** Arms that say what a part of the search is worth: each with one thing left out. */
const WITHOUT: readonly Arm[] = [
  { name: "without-rerank", request: { mode: "hybrid", rerank: false } },
  ...Object.keys(RULES).map((rule): Arm => ({ name: `without-${rule}`, request: { rules: { [rule]: false } } })),
];

const REQUEST_KEYS = [
  "mode",
  "filter",
  "candidates",
  "fusion",
  "rules",
  "rerank",
  "mergeAdjacent",
  "queryFilters",
] satisfies readonly (keyof ArmRequest)[];

/**
 * Reads the name of a default arm, one with a part left out such as `without-heading` or `without-rerank`, or an arm of
 * one's own such as `half={"fusion":{"weights":{"vector":0.5}}}`. Values are checked by the search that they are for.
 *
 * @throws `CONFIG_INVALID`
 */
export function parseArm(text: string): Arm {
  const known = [...DEFAULT_ARMS, ...WITHOUT].find(({ name }) => name === text);
  if (known !== undefined) return known;
  const [, name, json] = /^([^={]+)=(\{.*\})$/s.exec(text) ?? [];
  const request = name === undefined ? undefined : parseRequest(json as string);
  if (name !== undefined && request !== undefined) return { name, request };
  const names = DEFAULT_ARMS.map((arm) => arm.name).join(", ");
  const expected = `${names}, without-rerank, without-RULE (${Object.keys(RULES).join(", ")}), or a name and a search request of ${REQUEST_KEYS.join(", ")}, such as half={"fusion":{"weights":{"vector":0.5}}}`;
  throw new DocsearchError("CONFIG_INVALID", `the arm ${text} is wrong; expected ${expected}`, {
    setting: "arm",
    value: text,
    expected,
  });
}

/** `undefined` when it is no JSON object, or has a key that no request has. */
function parseRequest(json: string): ArmRequest | undefined {
  try {
    const request = JSON.parse(json) as ArmRequest;
    const keys: readonly string[] = REQUEST_KEYS;
    return Object.keys(request).every((key) => keys.includes(key)) ? request : undefined;
  } catch {
    return undefined;
  }
}
