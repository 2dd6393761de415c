import { expandToken, type Term } from "./expand.js";
import { fold } from "./fold.js";
import { TokenScanner } from "./scan.js";
import { englishStemmer, OTHER_STEMMERS_ID, type Stemmer, stemByScript } from "./stemmers.js";

/** To be raised with every change of the terms that a text gives: indexes made before are then refused. */
const VERSION = 3;

/** Tokens up to this long are cached, in UTF-16 units; longer ones seldom come twice. */
const MAX_CACHED_LENGTH = 48;

/**
 * When a cache has this many entries, all are emptied before the next text. A token takes about 700 bytes; the
 * Markdown of bun-types 1.4.5 (4.7 MB) has 23,280 distinct ones (measured 2026-11-30).
 */
const CACHE_CAPACITY = 50_000;

export interface AnalyzerOptions {
  /** For words in Latin letters; see `loadStemmer`. Default: English. */
  readonly stemmer?: Stemmer;
}

/** Turns text into the terms of the lexical index, the same way for documents and for queries. */
export interface Analyzer {
  /** Names everything that changes the terms; part of the index's schema. */
  readonly id: string;
  /** Every term of `text`, in the order of the text. Never throws; linear in the length of `text`. */
  analyze(text: string): Term[];
  /**
   * Adds the terms of `text` to `terms`: .5 for each `part`, 1 for each other occurrence. Returns the length of the
   * text for BM25: the sum of what was added without the exact forms.
   */
  count(text: string, terms: Map<string, number>): number;
}

/** Counts the occurrences of one term in the text that is being analysed. */
class Counter {
  readonly term: string;
  /** What one occurrence counts. */
  readonly weight: number;
  /** What one occurrence adds to the length of the text. */
  readonly length: number;
  occurrences = 0;

  constructor({ term, class: termClass }: Term) {
    this.term = term;
    this.weight = termClass === "part" ? 0.5 : 1;
    this.length = termClass === "exact" ? 0 : this.weight;
  }
}

/** The terms of one token, in the cache. */
class TokenTerms {
  readonly terms: readonly Term[];
  /** One for each of `terms`; shared by all tokens that have the term with the same weight. */
  readonly counters: readonly Counter[];

  constructor(terms: readonly Term[], counters: readonly Counter[]) {
    // Copies have no room to grow: arrays that `push` made take five times as much.
    this.terms = terms.slice();
    this.counters = counters.slice();
  }
}

/** Id of the default analyzer. */
export const ANALYZER_ID: string = analyzerId(englishStemmer);

/** An analyzer with its own cache. Analyzers with equal ids give equal terms. */
export function createAnalyzer(options: AnalyzerOptions = {}): Analyzer {
  const stemmer = options.stemmer ?? englishStemmer;
  const tokens = new Map<string, TokenTerms>();
  const termCounters = new Map<string, Counter>();
  const stems = new Map<string, string>();

  /** Called between texts only: within one, each term must keep its counter. */
  function limitCaches(): void {
    if (Math.max(tokens.size, termCounters.size, stems.size) < CACHE_CAPACITY) return;
    tokens.clear();
    termCounters.clear();
    stems.clear();
  }

  function termsOf(slice: string): TokenTerms {
    return tokens.get(slice) ?? expand(slice);
  }

  function expand(slice: string): TokenTerms {
    const isCached = slice.length <= MAX_CACHED_LENGTH;
    const token = isCached ? detached(slice) : slice;
    const terms = expandToken(token, normalize);
    const counters: Counter[] = [];
    for (const term of terms) counters.push(counterOf(term));
    const tokenTerms = new TokenTerms(terms, counters);
    if (isCached) tokens.set(token, tokenTerms);
    return tokenTerms;
  }

  function normalize(word: string): string {
    let stem = stems.get(word);
    if (stem === undefined) {
      const copy = detached(word);
      stem = stemByScript(fold(copy), stemmer);
      stems.set(copy, stem);
    }
    return stem;
  }

  function counterOf(term: Term): Counter {
    const key = term.class === "part" ? `/${term.term}` : term.term;
    let counter = termCounters.get(key);
    if (counter === undefined) {
      counter = new Counter({ ...term, term: detached(term.term) });
      termCounters.set(detached(key), counter);
    }
    return counter;
  }

  return {
    id: analyzerId(stemmer),

    analyze(text) {
      limitCaches();
      const terms: Term[] = [];
      const scanner = new TokenScanner(text);
      while (scanner.next()) {
        for (const { term, class: termClass, start, end } of termsOf(text.slice(scanner.start, scanner.end)).terms) {
          terms.push({ term, class: termClass, start: scanner.start + start, end: scanner.start + end });
        }
      }
      return terms;
    },

    count(text, terms) {
      limitCaches();
      const met: Counter[] = [];
      const scanner = new TokenScanner(text);
      while (scanner.next()) {
        for (const counter of termsOf(text.slice(scanner.start, scanner.end)).counters) {
          if (counter.occurrences === 0) met.push(counter);
          counter.occurrences++;
        }
      }
      let length = 0;
      for (const counter of met) {
        length += counter.length * counter.occurrences;
        terms.set(counter.term, (terms.get(counter.term) ?? 0) + counter.weight * counter.occurrences);
        counter.occurrences = 0;
      }
      return length;
    },
  };
}

function analyzerId(stemmer: Stemmer): string {
  return `docsearch-analyzer@${VERSION} latin=${stemmer.id} other=${OTHER_STEMMERS_ID}`;
}

/** Slices of 13 units or more keep the whole text alive in V8; a copy does not. */
function detached(slice: string): string {
  return slice.length < 13 ? slice : slice.split("").join("");
}
