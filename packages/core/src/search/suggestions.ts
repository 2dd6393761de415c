import { respell } from "../analyzer/respell.js";
import type { RankedHit } from "../ranking/rules.js";
import type { Suggestion } from "./results.js";
import type { SearcherParts } from "./retrieve.js";
import type { SearchRequest } from "./search-request.js";
import { callOf, type SearchTrace, traceSearch, withQueryFilters } from "./search-trace.js";

/** Below it, two texts have little to do with each other, by the bundled model. */
const LEAST_SIMILARITY = 0.3;

/**
 * What would find something where a search found nothing: the same search with the nearest words of the index in place of
 * unknown ones, without its filters, with quoted words apart, or in another mode. Where something was found, but no text
 * has a word of the query or all is far from it, only the spelling is looked at. Each suggestion is tried, so none is
 * empty-handed.
 *
 * @param isFar whether what was found has little to do with the query
 */
export async function suggestionsFor(
  parts: SearcherParts,
  request: SearchRequest,
  { query: analyzed, chosen, retrieved, warnings }: SearchTrace,
  isFar: boolean,
): Promise<readonly Suggestion[]> {
  const isNothing = chosen.length === 0;
  const hasNoWord = retrieved.text?.chunks.length === 0;
  if (analyzed.query === null || !(isNothing || hasNoWord || isFar)) return [];
  const { offset: _offset, cursor: _cursor, ...rest } = request;
  // Whether anything is found does not depend on the reranker, which may cost money.
  const whole: SearchRequest = { ...rest, rerank: false };
  const { filter: _filter, ...unfiltered } = whole;
  const { text, typed } = withQueryFilters(request);
  const { mode = "hybrid", filter, query } = request;
  const suggestions: Suggestion[] = [];
  const suggest = async (suggestion: Suggestion, other: SearchRequest): Promise<boolean> => {
    const isFound = (await traceSearch(parts, other)).chosen.some(isAnswer);
    if (isFound) suggestions.push(suggestion);
    return isFound;
  };
  const withFilters = (words: string): string => [words, ...typed].join(" ");

  const { lexical } = parts.store.capabilities;
  const areWordsRead = lexical !== "none" && !warnings.some(({ code }) => code === "WORDS_UNCHECKED");
  // Pasted text is nobody's spelling.
  const respelt =
    areWordsRead && !analyzed.isIssue ? await respell(parts.analyzer, text, lookupOf(parts, request)) : undefined;
  if (respelt !== undefined) {
    const other = withFilters(respelt);
    const suggestion: Suggestion = { kind: "spelling", query: other, message: `did you mean: ${other}` };
    if (await suggest(suggestion, { ...whole, query: other })) return suggestions;
  }
  if (!isNothing) return suggestions;
  const names = typed.join(" and ");
  const isFreed =
    typed.length > 0 &&
    (await suggest(
      { kind: "filter", query: text, message: `without ${names} there are results` },
      { ...whole, query: text },
    ));
  if (!isFreed && filter !== undefined) {
    const isAlone = await suggest(
      { kind: "filter", message: "without the filter there are results" },
      { ...unfiltered, query },
    );
    if (!isAlone && typed.length > 0) {
      const message = `without the filter and ${names} there are results`;
      await suggest({ kind: "filter", query: text, message }, { ...unfiltered, query: text });
    }
  }
  const unquoted = text
    .replaceAll(/["\u201c\u201d]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (analyzed.phrases.length > 0) {
    const other = withFilters(unquoted);
    const message = "the quoted words do not stand together, but apart";
    await suggest({ kind: "phrase", query: other, message }, { ...whole, query: other });
  }
  if (mode === "keyword" && parts.embedder !== null) {
    const message = "no text has these words; by meaning there are results: mode hybrid";
    await suggest({ kind: "mode", message }, { ...whole, mode: "hybrid" });
  } else if (mode === "semantic" && lexical !== "none") {
    const message = "nothing is near in meaning; by its words there are results: mode keyword";
    await suggest({ kind: "mode", message }, { ...whole, mode: "keyword" });
  }
  return suggestions;
}

function lookupOf({ store }: SearcherParts, request: SearchRequest): Parameters<typeof respell>[2] {
  return (prefix, limit) => store.listTerms({ prefix, limit, ...callOf(request) });
}

/** Whether a hit has words of the query, or is near in meaning: every text is a little near to every query. */
function isAnswer({ contributions }: RankedHit): boolean {
  return contributions.some(
    ({ retriever, score }) => score >= (retriever === "vector" ? LEAST_SIMILARITY : Number.MIN_VALUE),
  );
}
