import type { TermCount } from "@docsearch/spec";
import type { Analyzer } from "./analyze.js";
import { isUnspacedLetter } from "./fold.js";
import type { QueryTerm } from "./query.js";

/** Lists terms of the index that begin with `prefix`, in code unit order, at most `limit` of them. */
export type TermLookup = (prefix: string, limit: number) => Promise<readonly TermCount[]>;

/** What stands in for a word that the index does not have. */
export interface Correction {
  /** The word as typed. */
  readonly surface: string;
  /** `spelling`: terms one edit away. `completion`: terms that begin with the word. */
  readonly kind: "spelling" | "completion";
  /** Most frequent first; to be added to the query by `addTerms`. */
  readonly terms: readonly QueryTerm[];
}

/** Unknown words beyond these are not corrected: text that is no language has many. */
const MAX_WORDS = 8;
const MIN_LETTERS = 4;
/** Rarer terms are as likely misspelt themselves. */
const MIN_CHUNKS = 2;
const MAX_SPELLINGS = 3;
const SPELLINGS_WEIGHT = 0.7;
const MAX_COMPLETIONS = 5;
const COMPLETION_WEIGHT = 0.4;
/** Most terms that are read in search of spellings and of completions. */
const SPELLINGS_READ = 50_000;
const COMPLETIONS_READ = 1000;

/**
 * Finds terms of the index for the words of a query that the index does not have: the three most frequent at edit
 * distance 1 (a letter missing, added or replaced, two neighbours swapped) with the same first letter, or with the
 * first two letters swapped; they share a weight of .7 (each .7 / sqrt(number)). Where there is none, the five most
 * frequent that begin with the word, at .4 each.
 *
 * Looks at words and parts of identifiers of at least 4 letters a-z. A single letter of a script without blanks is
 * completed to the pairs that begin with it. Stop words are left alone.
 *
 * @param terms terms of `analyzeQuery`
 * @returns one correction for each word that has one, in the order of `terms`
 */
export async function correctUnknown(terms: readonly QueryTerm[], lookup: TermLookup): Promise<Correction[]> {
  const words = terms.filter(isCorrectable);
  const isKnown = await Promise.all(words.map(async ({ term }) => (await countOf(term, lookup)) > 0));
  const unknown = words.filter((_, index) => !isKnown[index]).slice(0, MAX_WORDS);
  const corrections = await Promise.all(unknown.map((word) => correct(word, lookup)));
  return corrections.filter((correction) => correction !== undefined);
}

/** Exact forms that are looked at for the word behind a stem. */
const FORMS_READ = 200;

/** The most frequent word of the index that has a term, for people; the term itself where none is known. */
export async function wordOfTerm(analyzer: Analyzer, term: string, lookup: TermLookup): Promise<string> {
  if (!/^[a-z]{3,}$/.test(term)) return term;
  // A stem's last letter may be another one than its words have: `happi` of `happy`.
  const forms = await lookup(`=${term.slice(0, -1)}`, FORMS_READ);
  const own = forms.filter((form) => analyzer.analyze(form.term.slice(1)).some((each) => each.term === term));
  return mostFrequent(own, 1)[0]?.slice(1) ?? term;
}

function isCorrectable({ term, class: termClass, isStopWord }: QueryTerm): boolean {
  if (isStopWord || (termClass !== "word" && termClass !== "part")) return false;
  return (term.length >= MIN_LETTERS && /^[a-z]+$/.test(term)) || isUnspacedLetter(term);
}

async function correct(word: QueryTerm, lookup: TermLookup): Promise<Correction | undefined> {
  const spellings = isUnspacedLetter(word.term) ? [] : await spellingsOf(word.term, lookup);
  if (spellings.length > 0) {
    const weight = SPELLINGS_WEIGHT / Math.sqrt(spellings.length);
    return { surface: word.surface, kind: "spelling", terms: spellings.map((term) => ({ ...word, term, weight })) };
  }
  const completions = mostFrequent(await lookup(word.term, COMPLETIONS_READ), MAX_COMPLETIONS);
  if (completions.length === 0) return undefined;
  const completed = completions.map((term) => ({ ...word, term, weight: COMPLETION_WEIGHT }));
  return { surface: word.surface, kind: "completion", terms: completed };
}

async function spellingsOf(word: string, lookup: TermLookup): Promise<string[]> {
  const swapped = `${word[1]}${word[0]}${word.slice(2)}`;
  const [neighbours, swappedChunks] = await Promise.all([
    lookup(word[0]!, SPELLINGS_READ),
    swapped === word ? 0 : countOf(swapped, lookup),
  ]);
  const candidates = neighbours.filter(({ term }) => isOneEdit(word, term));
  if (swappedChunks > 0) candidates.push({ term: swapped, chunks: swappedChunks });
  return mostFrequent(
    candidates.filter(({ chunks }) => chunks >= MIN_CHUNKS),
    MAX_SPELLINGS,
  );
}

/** Number of chunks with the term. In code unit order nothing that begins with it comes before it. */
async function countOf(term: string, lookup: TermLookup): Promise<number> {
  const [first] = await lookup(term, 1);
  return first?.term === term ? first.chunks : 0;
}

function mostFrequent(counts: readonly TermCount[], limit: number): string[] {
  return [...counts]
    .sort((a, b) => b.chunks - a.chunks || (a.term < b.term ? -1 : 1))
    .slice(0, limit)
    .map(({ term }) => term);
}

/** Whether one letter is missing, added or replaced, or two neighbours are swapped. */
function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1);
  if (a.length > b.length) return a.slice(at + 1) === b.slice(at);
  if (a.slice(at + 1) === b.slice(at + 1)) return true;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
