import type { Chunk, DocumentRecord } from "@docsearch/spec";
import type { Analyzer } from "../analyzer/analyze.js";
import type { QueryTerm } from "../analyzer/query.js";
import { STOP_WORDS } from "../analyzer/stop-words.js";

/** Distinct words, and what each counts. */
export type WeightedWords = ReadonlyMap<string, number>;

const STOP_WORD_WEIGHT = 0.2;

/** The words of a query: whole identifiers, joined and exact forms repeat what they say. */
export function wordsOfQuery(terms: readonly QueryTerm[]): WeightedWords {
  const words = terms.filter(({ class: termClass }) => termClass === "word" || termClass === "part");
  return new Map(words.map(({ term, isStopWord }) => [term, isStopWord ? STOP_WORD_WEIGHT : 1]));
}

/**
 * How well a query and a text say the same: the harmonic mean of the shares of their words that they have in common,
 * 1 when they have the same words.
 */
function f1(query: WeightedWords, text: WeightedWords): number {
  let shared = 0;
  for (const [word, weight] of text) if (query.has(word)) shared += weight;
  // 2PR / (P + R), with P = shared / text and R = shared / query.
  return shared === 0 ? 0 : (2 * shared) / (total(query) + total(text));
}

/** Compares queries with titles, headings and file names; each text is analysed once. */
export class HeadingMatcher {
  readonly #analyzer: Analyzer;
  readonly #query: WeightedWords;
  readonly #texts = new Map<string, number>();
  readonly #names = new Map<string, number>();

  constructor(analyzer: Analyzer, query: WeightedWords) {
    this.#analyzer = analyzer;
    this.#query = query;
  }

  /** How well a text says the same as the query; 0 to 1. */
  similarity(text: string): number {
    if (text === "") return 0;
    let value = this.#texts.get(text);
    if (value === undefined) {
      value = f1(this.#query, wordsOf(this.#analyzer, text));
      this.#texts.set(text, value);
    }
    return value;
  }

  /** The best match of title, heading path and file name; 0 to 1. */
  match({ title, path }: DocumentRecord, { headingPath }: Chunk): number {
    const texts = [title ?? "", headingPath.join("\n"), fileName(path)];
    return Math.max(...texts.map((text) => this.similarity(text)));
  }

  /**
   * How well a file's name is covered by the query: the share of its words that the query has, times the share of the
   * query that these are.
   */
  nameShare({ path }: DocumentRecord): number {
    let share = this.#names.get(path ?? "");
    if (share === undefined) {
      share = this.#shareOf(path);
      this.#names.set(path ?? "", share);
    }
    return share;
  }

  #shareOf(path: string | undefined): number {
    const words = wordsOf(this.#analyzer, fileName(path));
    const shared = [...words].filter(([word]) => this.#query.has(word));
    if (shared.length === 0) return 0;
    return (shared.length / words.size) * (total(new Map(shared)) / total(this.#query));
  }
}

/** Headings come up in one search after another, so their words are kept, up to so many, for each analyzer. */
const KEPT_TEXTS = 20_000;
const kept = new WeakMap<Analyzer, Map<string, WeightedWords>>();

/** Distinct words and parts of identifiers of a text. */
function wordsOf(analyzer: Analyzer, text: string): WeightedWords {
  const texts = kept.get(analyzer) ?? new Map<string, WeightedWords>();
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= KEPT_TEXTS) texts.clear();
  const words = readWords(analyzer, text);
  kept.set(analyzer, texts.set(text, words));
  return words;
}

function readWords(analyzer: Analyzer, text: string): WeightedWords {
  const words = new Map<string, number>();
  for (const { term, class: termClass, start, end } of analyzer.analyze(text)) {
    if (termClass !== "word" && termClass !== "part") continue;
    words.set(term, STOP_WORDS.has(text.slice(start, end).toLowerCase()) ? STOP_WORD_WEIGHT : 1);
  }
  return words;
}

/** The last part of a path, without its ending; the folder's name where the file's says nothing. */
export function fileName(path: string | undefined): string {
  const parts = (path ?? "").split("/");
  const name = (parts.at(-1) ?? "").replace(/(?<=.)\.[^.]+$/, "");
  return /^(?:index|__init__|mod|main|lib|readme)$/i.test(name) ? `${parts.at(-2) ?? ""} ${name}`.trim() : name;
}

function total(words: WeightedWords): number {
  let sum = 0;
  for (const weight of words.values()) sum += weight;
  return sum;
}
