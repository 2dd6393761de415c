import type { LexicalQuery } from "@docsearch/spec";
import { isIssueText } from "../search/query-profile.js";
import type { Analyzer } from "./analyze.js";
import type { TermClass } from "./expand.js";
import { isUnspacedLetter } from "./fold.js";
import { issueTerms } from "./issue.js";
import { quotedPhrases } from "./phrases.js";
import { STOP_WORDS } from "./stop-words.js";

/** What follows is left out of a query, in UTF-16 units. */
export const MAX_QUERY_LENGTH = 8192;

/** Chosen on development sets, measured 2026-11-30. */
const CLASS_WEIGHTS: Readonly<Record<TermClass, number>> = {
  word: 1,
  whole: 1,
  part: 1,
  joined: 0.5,
  dotted: 0.5,
  exact: 0.15,
};
const STOP_WORD_FACTOR = 0.2;

/** `TypeError: x`, `error: x`, `E0308: x`: the words of a message are its own, `not` and `is` among them. */
const ERROR_TEXT =
  /(?:^|\s)(?:\w*(?:[Ee]rror|[Ee]xception|fatal|panic|warning)|[A-Z]{1,4}\d{3,5}|E[A-Z]{4,})(?:\[\w+\])?:\s/;

/** A distinct term of a query. */
export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
  readonly class: TermClass;
  /** What it stands for, as typed. */
  readonly surface: string;
  /** Whether it comes from a stop word. */
  readonly isStopWord: boolean;
}

export interface AnalyzedQuery {
  /** What to ask a store; `null` when the text holds nothing to search for. */
  readonly query: LexicalQuery | null;
  /** Why `query` is `null`: there is no text, or it holds no letter and no digit. */
  readonly reason?: "empty" | "no-words";
  /** In the order of the text. */
  readonly terms: readonly QueryTerm[];
  /** Terms without which nothing matches: the words of the quoted phrases. */
  readonly requiredTerms: readonly string[];
  /** Quoted phrases as typed. The query asks for their words; `containsPhrase` checks that they are neighbours. */
  readonly phrases: readonly string[];
  /** Whether there is nothing but stop words; they then weigh as other words do. */
  readonly onlyStopWords: boolean;
  /** Whether it is a report of an error or other pasted text, which is read for what it tells; see `isIssueText`. */
  readonly isIssue: boolean;
  /** Whether the text was longer than `MAX_QUERY_LENGTH` and its end was left out. */
  readonly isTruncated: boolean;
}

/** Terms and weights of a query. Never throws, whatever the text; its operators and quotes mean nothing to a store. */
export function analyzeQuery(analyzer: Analyzer, text: string): AnalyzedQuery {
  const isTruncated = text.length > MAX_QUERY_LENGTH;
  const read = isTruncated ? text.slice(0, MAX_QUERY_LENGTH) : text;
  const isIssue = isIssueText(read);
  // In pasted text quotes are part of it.
  const phrases = isIssue ? [] : quotedPhrases(read);
  const requiredTerms = [...new Set(phrases.flatMap((phrase) => phraseTerms(analyzer, phrase)))];
  const telling = isIssue ? issueTerms(analyzer, read) : [];
  const terms = telling.length > 0 ? telling : weighTerms(analyzer, read);
  const onlyStopWords = terms.length > 0 && terms.every((term) => term.isStopWord);
  const parts = { requiredTerms, phrases, onlyStopWords, isTruncated, isIssue };
  if (terms.length === 0) {
    return { query: null, reason: read.trim() === "" ? "empty" : "no-words", terms, ...parts };
  }
  return { query: queryTree(terms, requiredTerms), terms, ...parts };
}

/** The same query with more terms, such as those of `correctUnknown`. A term that it has keeps the larger weight. */
export function addTerms(analyzed: AnalyzedQuery, added: readonly QueryTerm[]): AnalyzedQuery {
  if (analyzed.query === null || added.length === 0) return analyzed;
  const terms = heaviest([...analyzed.terms, ...added]);
  return { ...analyzed, query: queryTree(terms, analyzed.requiredTerms), terms };
}

/** The same query with only some of its terms. */
export function withTerms(analyzed: AnalyzedQuery, terms: readonly QueryTerm[]): AnalyzedQuery {
  if (terms.length === 0) return analyzed;
  return { ...analyzed, query: queryTree(terms, analyzed.requiredTerms), terms };
}

/** Terms by which a hit may be highlighted: those that do not come from stop words, unless there are no others. */
export function highlightTerms({ terms, onlyStopWords }: AnalyzedQuery): ReadonlySet<string> {
  return new Set(terms.filter((term) => onlyStopWords || !term.isStopWord).map(({ term }) => term));
}

function weighTerms(analyzer: Analyzer, text: string): QueryTerm[] {
  const terms = analyzer.analyze(text).map(({ term, class: termClass, start, end }) => {
    const surface = text.slice(start, end);
    const isWord = termClass === "word" || termClass === "exact";
    return { term, class: termClass, surface, isStopWord: isWord && STOP_WORDS.has(surface.toLowerCase()) };
  });
  const isWhole = ERROR_TEXT.test(text) || terms.every((term) => term.isStopWord);
  const factor = isWhole ? 1 : STOP_WORD_FACTOR;
  return heaviest(
    terms.map((term) => ({ ...term, weight: CLASS_WEIGHTS[term.class] * (term.isStopWord ? factor : 1) })),
  );
}

/** Each distinct term once, with its largest weight, at its first place. */
function heaviest(terms: readonly QueryTerm[]): QueryTerm[] {
  const best = new Map<string, QueryTerm>();
  for (const term of terms) {
    const known = best.get(term.term);
    if (known === undefined || known.weight < term.weight) best.set(term.term, term);
  }
  return [...best.values()];
}

/**
 * Terms that a text with the phrase must have. A single letter of a script without blanks is not among them: inside
 * a longer run the index has it in pairs only.
 */
function phraseTerms(analyzer: Analyzer, phrase: string): string[] {
  return analyzer
    .analyze(phrase)
    .filter(({ term, class: termClass }) => termClass === "whole" || (termClass === "word" && !isUnspacedLetter(term)))
    .map(({ term }) => term);
}

/** Required terms have weight 0 where they are required: they count in the list of all terms. */
function queryTree(terms: readonly QueryTerm[], requiredTerms: readonly string[]): LexicalQuery {
  const all: LexicalQuery = { op: "or", clauses: terms.map(({ term, weight }) => ({ op: "term", term, weight })) };
  if (requiredTerms.length === 0) return all;
  return { op: "and", clauses: [...requiredTerms.map((term) => ({ op: "term", term, weight: 0 }) as const), all] };
}
