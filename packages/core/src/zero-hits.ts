import type { Suggestion } from "./results.js";
import type { SearcherParts } from "./retrieve.js";
import type { RankedHit } from "./rules.js";
import type { SearchRequest } from "./search-request.js";
import { traceSearch } from "./search-trace.js";

/** Below it, two texts have little to do with each other, by the bundled model. */
const LEAST_SIMILARITY = 0.3;

/**
 * What would find something where a search found nothing: the same search without its filter, with quoted words
 * apart, or in another mode. Each is tried, so a suggestion is never empty-handed.
 *
 * @param filters as they were typed in the query
 */
export async function suggestionsFor(
  parts: SearcherParts,
  request: SearchRequest,
  filters: readonly string[],
): Promise<readonly Suggestion[]> {
  const { query, filter, mode = "hybrid", ...rest } = request;
  const whole: SearchRequest = { ...rest, query, mode, ...(filter !== undefined && { filter }) };
  const { filter: _filter, ...unfiltered } = whole;
  const suggestions: Suggestion[] = [];
  const suggest = async (kind: Suggestion["kind"], other: SearchRequest, message: string): Promise<void> => {
    const { chosen } = await traceSearch(parts, other);
    if (chosen.some(isAnswer)) suggestions.push({ kind, message });
  };
  if (filter !== undefined) {
    const typed = filters.length === 0 ? "the filter" : filters.join(" and ");
    await suggest("filter", unfiltered, `without ${typed} there are results`);
  }
  const unquoted = query.replaceAll(/["\u201c\u201d]/g, " ");
  if (unquoted !== query) {
    await suggest("phrase", { ...whole, query: unquoted }, "the quoted words do not stand together, but apart");
  }
  if (mode === "keyword" && parts.embedder !== null) {
    await suggest(
      "mode",
      { ...whole, mode: "hybrid" },
      "no text has these words; by meaning there are results: mode hybrid",
    );
  } else if (mode === "semantic" && parts.store.capabilities.lexical !== "none") {
    await suggest(
      "mode",
      { ...whole, mode: "keyword" },
      "nothing is near in meaning; by its words there are results: mode keyword",
    );
  }
  return suggestions;
}

/** Whether a hit has words of the query, or is near in meaning: every text is a little near to every query. */
function isAnswer({ contributions }: RankedHit): boolean {
  return contributions.some(
    ({ retriever, score }) => score >= (retriever === "vector" ? LEAST_SIMILARITY : Number.MIN_VALUE),
  );
}
