import type { CallOptions, Filter, Hit, VectorStore } from "@docsearch/spec";
import { symbolTerm } from "../analyzer/symbol-term.js";
import type { QueryProfile } from "../search/query-profile.js";
import { PROSE_RANKING } from "./ranking.js";

/** A name that is less surely meant is looked for among the candidates only. */
const LEAST_CERTAINTY = 0.3;
const MAX_NAMES = 5;
const MAX_CHUNKS = 30;

/** Names of a query that are surely meant as such, the surest first. */
export function namesToFind({ symbols }: QueryProfile): readonly string[] {
  return symbols
    .filter(({ certainty }) => certainty >= LEAST_CERTAINTY)
    .sort((a, b) => b.certainty - a.certainty)
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

/** Chunks in which a definition of one of the query's symbols begins, from the lexical index, in its order. */
export async function findDefinitions(
  store: VectorStore,
  profile: QueryProfile,
  filter: Filter | undefined,
  call: CallOptions,
): Promise<readonly Hit[]> {
  const names = namesToFind(profile);
  if (names.length === 0 || store.capabilities.lexical === "none") return [];
  const { chunks } = await store.searchText({
    query: { op: "or", clauses: names.map((name) => ({ op: "term", term: symbolTerm(name), weight: 1 })) },
    ranking: PROSE_RANKING,
    limit: MAX_CHUNKS,
    ...(filter !== undefined && { filter }),
    ...call,
  });
  return chunks;
}
