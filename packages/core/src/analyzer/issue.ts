import { inverseDocumentFrequency } from "../memory-store/bm25f.js";
import { withoutFrames } from "../search/query-profile.js";
import type { Analyzer } from "./analyze.js";
import type { QueryTerm } from "./query.js";
import { STOP_WORDS } from "./stop-words.js";
import type { TermLookup } from "./unknown-words.js";

/** What is read of a report, in UTF-16 units. */
const READ_LENGTH = 6000;
/** A first line that is longer is no title. */
const MAX_TITLE_LENGTH = 200;
const TITLE = 2;
const QUOTED = 1.5;
/** Terms that are looked up in the index, and of these the ones that are searched. */
const MAX_LOOKED_UP = 200;
const MAX_TERMS = 60;
const LINK = /\bhttps?:\/\/[^\s)>\]]+|<!--[\s\S]*?-->/g;
const CODE_SPAN = /`([^`\n]+)`/g;

/**
 * The terms of a report of an error, as people paste it: a title, what they did, code, a stack trace. Words of the title
 * weigh 2, others `1 + ln(occurrences)`, and 1.5 times that between backticks. Stop words, links, comments and the
 * frames of the trace are left out.
 */
export function issueTerms(analyzer: Analyzer, text: string): QueryTerm[] {
  const read = withoutFrames(text.slice(0, READ_LENGTH)).replace(LINK, " ").trim();
  const titleEnd = /\n|$/.exec(read)?.index ?? 0;
  const title = read.slice(0, titleEnd <= MAX_TITLE_LENGTH ? titleEnd : 0);
  const inTitle = termsIn(analyzer, title);
  const quoted = termsIn(analyzer, [...read.matchAll(CODE_SPAN)].map(([, code]) => code).join("\n"));
  const found = new Map<string, { readonly term: QueryTerm; occurrences: number }>();
  for (const { term, class: termClass, start, end } of analyzer.analyze(read)) {
    const surface = read.slice(start, end);
    if (termClass === "exact" || STOP_WORDS.has(surface.toLowerCase())) continue;
    const known = found.get(term);
    if (known === undefined) {
      found.set(term, { term: { term, class: termClass, surface, weight: 1, isStopWord: false }, occurrences: 1 });
    } else known.occurrences++;
  }
  return [...found.values()].map(({ term, occurrences }) => {
    const weight = inTitle.has(term.term) ? TITLE : 1 + Math.log(occurrences);
    return { ...term, weight: weight * (quoted.has(term.term) ? QUOTED : 1) };
  });
}

/** The 60 terms with the most weight times idf, of those that the index has, in the order of the text. */
export async function tellingTerms(
  terms: readonly QueryTerm[],
  chunks: number,
  lookup: TermLookup,
): Promise<readonly QueryTerm[]> {
  const heaviest = [...terms].sort((a, b) => b.weight - a.weight).slice(0, MAX_LOOKED_UP);
  const found = await Promise.all(
    heaviest.map(async (term) => {
      const [first] = await lookup(term.term, 1);
      return { term, chunks: first?.term === term.term ? first.chunks : 0 };
    }),
  );
  const known = found
    .filter((each) => each.chunks > 0)
    .map((each) => ({ term: each.term, worth: each.term.weight * inverseDocumentFrequency(chunks, each.chunks) }))
    .sort((a, b) => b.worth - a.worth);
  const kept = new Set(known.slice(0, MAX_TERMS).map(({ term }) => term));
  return terms.filter((term) => kept.has(term));
}

function termsIn(analyzer: Analyzer, text: string): ReadonlySet<string> {
  return new Set(analyzer.analyze(text).map(({ term }) => term));
}
