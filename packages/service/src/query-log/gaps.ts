import { type AnalyzedQuery, isWeak } from "@docsearch/core";
import type { QueryLogEntry } from "./entry.js";

/** Something that people ask for and the documents do not answer. */
export interface Gap {
  /** Words that its queries share, the most frequent first. */
  readonly topic: readonly string[];
  /** Number of searches. */
  readonly searches: number;
  /** How many of them found nothing at all. */
  readonly empty: number;
  /** The time of the last one. */
  readonly lastTime: string;
  /** Its distinct queries, the most frequent first. */
  readonly queries: readonly string[];
}

export interface GapReport {
  /** Searches in the log; those with a filter are left out, since the filter may be why they found nothing. */
  readonly searches: number;
  /** Searches that found nothing, or nothing near. */
  readonly unanswered: number;
  /** Unanswered searches whose text the log did not keep. */
  readonly withoutText: number;
  /** Most searches first. */
  readonly gaps: readonly Gap[];
}

/** Queries that share this part of their words, counted over the smaller of the two, are about one thing. */
const SHARED_WORDS = 0.5;
const TOPIC_WORDS = 5;

/** Whether a search found nothing, or nothing near. */
function isUnanswered({ results, bestLexical: lexical = 0, bestCosine: cosine = 0 }: QueryLogEntry): boolean {
  return results === 0 || isWeak({ lexical, cosine });
}

/**
 * Gathers unanswered searches into topics: queries that share half of their words belong together, directly or through
 * a third.
 *
 * @param analyze gives the terms of a query, as the index would be asked for them
 */
export function findGaps(entries: readonly QueryLogEntry[], analyze: (query: string) => AnalyzedQuery): GapReport {
  const searches = entries.filter(({ isFiltered }) => !isFiltered);
  const unanswered = searches.filter(isUnanswered);
  const asked = new Map<string, Asked>();
  for (const entry of unanswered) {
    if (entry.query === undefined) continue;
    const key = entry.query.trim().toLowerCase();
    const known = asked.get(key) ?? { query: entry.query.trim(), words: wordsOf(analyze(entry.query)), entries: [] };
    known.entries.push(entry);
    asked.set(key, known);
  }
  return {
    searches: searches.length,
    unanswered: unanswered.length,
    withoutText: unanswered.filter(({ query }) => query === undefined).length,
    gaps: clusters([...asked.values()])
      .map(gapOf)
      .sort((a, b) => b.searches - a.searches || (a.lastTime < b.lastTime ? 1 : -1)),
  };
}

/** A query, however often it was asked. */
interface Asked {
  readonly query: string;
  /** Word as typed by term. */
  readonly words: ReadonlyMap<string, string>;
  readonly entries: QueryLogEntry[];
}

function wordsOf({ terms, onlyStopWords }: AnalyzedQuery): Map<string, string> {
  const content = terms.filter((term) => term.class === "word" || term.class === "whole");
  const kept = onlyStopWords ? content : content.filter(({ isStopWord }) => !isStopWord);
  return new Map(kept.map(({ term, surface }) => [term, surface.toLowerCase()]));
}

function clusters(all: readonly Asked[]): Asked[][] {
  const found: Asked[][] = [];
  for (const one of all) {
    const near = found.filter((cluster) => cluster.some((other) => isAbout(one, other)));
    for (const cluster of near) found.splice(found.indexOf(cluster), 1);
    found.push([...near.flat(), one]);
  }
  return found;
}

function isAbout(one: Asked, other: Asked): boolean {
  const smaller = Math.min(one.words.size, other.words.size);
  const shared = [...one.words.keys()].filter((term) => other.words.has(term)).length;
  return shared > 0 && shared >= SHARED_WORDS * smaller;
}

function gapOf(cluster: readonly Asked[]): Gap {
  const entries = cluster.flatMap((asked) => asked.entries);
  const counts = new Map<string, { word: string; count: number }>();
  for (const { words, entries: times } of cluster) {
    for (const [term, word] of words) {
      const known = counts.get(term) ?? { word, count: 0 };
      known.count += times.length;
      counts.set(term, known);
    }
  }
  const byCount = [...counts.values()].sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1));
  return {
    topic: byCount.slice(0, TOPIC_WORDS).map(({ word }) => word),
    searches: entries.length,
    empty: entries.filter(({ results }) => results === 0).length,
    lastTime:
      entries
        .map(({ time }) => time)
        .sort()
        .at(-1) ?? "",
    queries: [...cluster].sort((a, b) => b.entries.length - a.entries.length).map(({ query }) => query),
  };
}
