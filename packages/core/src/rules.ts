import type { Chunk, DocumentRecord } from "@docsearch/spec";
import { type CodePlace, codePlaces, isCode, oldVersionFolders, versionsIn } from "./code-place.js";
import { matchDefinition, matchReexport } from "./definition-match.js";
import type { FusedHit } from "./fusion.js";
import { fileName, type HeadingMatcher } from "./heading-match.js";
import { matchPath } from "./path-match.js";
import type { QueryProfile } from "./query-profile.js";

/**
 * Every rule of the ranking and its weight. A bonus is this share of the best fused score, times how well the rule
 * fits, and is added; a factor multiplies what is there then. Measured in docs/adr/0006 and eval/results.md.
 */
export const RULES = {
  /** Bonus: title, heading path or file name say the same as the query. */
  heading: 0.15,
  /** Bonus, code only: the words of the file's name are in the query, by the share of the query that they are. */
  fileName: 1,
  /** Bonus: the chunk defines a name of the query, or re-exports one that nothing defines. */
  definition: 1.2,
  /** Bonus: the file is one that the query names, or a frame of its stack trace. */
  path: 0.3,
  /** Factor: further chunks of a file of code support the best one, each with this share of the one before it. */
  coherence: 0.7,
  /** Factors: code that is not the code that does the work. Lifted when the query asks for such. */
  tests: 0.3,
  examples: 0.4,
  benchmarks: 0.4,
  generated: 0.4,
  oldVersion: 0.4,
  legacy: 0.6,
  stubs: 0.7,
  data: 0.6,
  /** Factor: prose, where most candidates are code. */
  prose: 0.6,
  /** Factor: each further chunk of one document, once more for each that comes before it. */
  saturation: 0.85,
  /** The same for files of code, which name a matter in many places. */
  codeSaturation: 0.5,
} as const;

export type RuleName = keyof typeof RULES;

/** What a ranking rule did to a hit: it added `bonus`, or multiplied with `factor`. */
export interface RuleEffect {
  readonly rule: RuleName;
  readonly bonus?: number;
  readonly factor?: number;
}

/** A fused hit with its score after the rules. */
export interface RankedHit extends FusedHit {
  readonly fusionScore: number;
  /** 1-based rank before the rules. */
  readonly fusionRank: number;
  /** In the order in which they applied. */
  readonly rules: readonly RuleEffect[];
  /** See `ScoreBreakdown`. */
  readonly rerank?: { readonly score: number; readonly rank: number };
}

/** What the rules know of a candidate. */
export interface RuleFacts {
  readonly chunk: Chunk;
  readonly document: DocumentRecord;
}

export interface RuleContext {
  readonly profile: QueryProfile;
  readonly headings: HeadingMatcher;
  /** By chunk id, of the candidates that the rules look at. */
  readonly facts: ReadonlyMap<string, RuleFacts>;
  /** Paths beside those of the candidates, where a folder may be an older version of another. */
  readonly paths: readonly string[];
  /** Rules that the caller left out. */
  readonly off: ReadonlySet<RuleName>;
}

/** Chunks of one file of code that support each other; more say nothing more. */
const COHERENT_CHUNKS = 5;

/** Words of a query that ask for what a place holds, and so lift its penalty; not in reports of an error. */
const WANTED: Partial<Record<CodePlace, readonly string[]>> = {
  tests: ["test", "tests", "testing", "mock", "mocks", "fixture", "fixtures", "spec"],
  examples: ["example", "examples", "demo", "sample"],
  benchmarks: ["benchmark", "benchmarks", "bench"],
  legacy: ["legacy", "deprecated", "compat", "compatibility"],
  data: ["json", "yaml", "toml", "xml", "config", "configuration", "settings"],
};
const WANTS_PROSE = ["docs", "documentation", "readme", "guide", "tutorial", "changelog"];

/** The hits as they are, for a fusion whose scores are too flat to be added to. */
export function withoutRules(fused: readonly FusedHit[]): RankedHit[] {
  return fused.map((hit, index) => new Scored(hit, index).ranked());
}

/** Applies the rules to fused hits, best first, and sorts them again; ties by chunk id. */
export function applyRules(fused: readonly FusedHit[], context: RuleContext): RankedHit[] {
  const hits = fused.map((hit, index) => new Scored(hit, index));
  addBonuses(hits, context);
  multiplyPlaces(hits, context);
  if (!context.off.has("coherence")) multiplyCoherence(hits, context);
  hits.sort(byScore);
  multiplySaturation(hits, context);
  return hits.sort(byScore).map((hit) => hit.ranked());
}

/** A hit while the rules are at work. Most hits have no effect, so the list of effects is made when one comes. */
class Scored {
  readonly hit: FusedHit;
  readonly #index: number;
  score: number;
  #effects: RuleEffect[] = NO_EFFECTS;

  constructor(hit: FusedHit, index: number) {
    this.hit = hit;
    this.#index = index;
    this.score = hit.score;
  }

  add(rule: RuleName, bonus: number): void {
    if (bonus === 0) return;
    this.score += bonus;
    this.#note({ rule, bonus });
  }

  multiply(rule: RuleName, factor: number): void {
    // A similarity below zero times a penalty would rise.
    if (factor === 1 || this.score <= 0) return;
    this.score *= factor;
    this.#note({ rule, factor });
  }

  ranked(): RankedHit {
    const { chunkId, documentId, contributions, score: fusionScore } = this.hit;
    const fusionRank = this.#index + 1;
    return { chunkId, documentId, contributions, score: this.score, fusionScore, fusionRank, rules: this.#effects };
  }

  #note(effect: RuleEffect): void {
    if (this.#effects === NO_EFFECTS) this.#effects = [];
    this.#effects.push(effect);
  }
}

const NO_EFFECTS: RuleEffect[] = [];

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || (a.hit.chunkId < b.hit.chunkId ? -1 : 1);
}

function addBonuses(hits: readonly Scored[], { profile, headings, facts, off }: RuleContext): void {
  const best = Math.max(0, hits[0]?.score ?? 0);
  const defined = definedNames(hits, facts, profile);
  const undefinedNames = profile.symbols.filter(({ name }) => !defined.has(name));
  const places = profile.paths.length === 0 ? undefined : matchPath(profile.paths, documentPaths(facts));
  for (const hit of hits) {
    const fact = facts.get(hit.hit.chunkId);
    if (fact === undefined) continue;
    const { chunk, document } = fact;
    if (!off.has("heading")) hit.add("heading", RULES.heading * best * headings.match(document, chunk));
    if (!off.has("fileName") && profile.kind !== "issue" && isCode(document, chunk)) {
      hit.add("fileName", RULES.fileName * best * headings.nameShare(document));
    }
    if (!off.has("path")) hit.add("path", RULES.path * best * (places?.get(document.path ?? "") ?? 0));
    if (off.has("definition") || !isCode(document, chunk)) continue;
    const file = fileName(document.path);
    const match = matchDefinition(chunk, profile.symbols, file) ?? matchReexport(chunk, undefinedNames, file);
    if (match === undefined) continue;
    hit.add("definition", (RULES.definition * best * match.value) / Math.sqrt(defined.get(match.name) ?? 1));
  }
}

/** How many files that are neither tests nor examples define each symbol of the query. */
function definedNames(
  hits: readonly Scored[],
  facts: ReadonlyMap<string, RuleFacts>,
  { symbols }: QueryProfile,
): ReadonlyMap<string, number> {
  const files = new Map<string, Set<string>>();
  if (symbols.length === 0) return new Map();
  for (const { hit } of hits) {
    const fact = facts.get(hit.chunkId);
    if (fact?.chunk.symbols === undefined || codePlaces(fact.document, new Set()).length > 0) continue;
    const name = matchDefinition(fact.chunk, symbols, "")?.name;
    if (name !== undefined) files.set(name, (files.get(name) ?? new Set()).add(hit.documentId));
  }
  return new Map([...files].map(([name, documents]) => [name, documents.size]));
}

function multiplyPlaces(hits: readonly Scored[], { profile, facts, paths, off }: RuleContext): void {
  const old = oldVersionFolders([...paths, ...documentPaths(facts)]);
  const isAsked = (words: readonly string[]): boolean =>
    profile.kind !== "issue" && words.some((word) => profile.words.has(word));
  const all = [...facts.values()];
  const code = all.filter(({ chunk, document }) => isCode(document, chunk)).length;
  const prose = code > all.length / 2 && !isAsked(WANTS_PROSE) && !off.has("prose") ? RULES.prose : 1;
  for (const hit of hits) {
    const fact = facts.get(hit.hit.chunkId);
    if (fact === undefined) continue;
    const { chunk, document } = fact;
    const places = codePlaces(document, old);
    if (!isCode(document, chunk) && !places.includes("data")) {
      hit.multiply("prose", prose);
      continue;
    }
    for (const place of places) {
      const words = place === "oldVersion" ? versionsIn(document.path ?? "") : (WANTED[place] ?? []);
      if (!off.has(place) && !isAsked(words)) hit.multiply(place, RULES[place]);
    }
  }
}

/**
 * Orders files of code by the sum of their best chunks' scores, each further one counted with .7 of the one before.
 * The best file keeps the score of the best chunk of code, so that code and prose stay on one scale.
 */
function multiplyCoherence(hits: readonly Scored[], { facts }: RuleContext): void {
  const files = new Map<string, Scored[]>();
  for (const hit of [...hits].sort(byScore)) {
    const fact = facts.get(hit.hit.chunkId);
    if (fact === undefined || !isCode(fact.document, fact.chunk)) continue;
    files.set(hit.hit.documentId, [...(files.get(hit.hit.documentId) ?? []), hit]);
  }
  const evidence = new Map([...files].map(([id, own]) => [id, coherence(own.map(({ score }) => score))]));
  const most = Math.max(0, ...evidence.values());
  const best = Math.max(0, ...[...files.values()].map(([first]) => first?.score ?? 0));
  if (most <= 0) return;
  for (const [id, own] of files) {
    const first = own[0]?.score ?? 0;
    if (first <= 0) continue;
    const factor = (((evidence.get(id) ?? 0) / most) * best) / first;
    for (const hit of own) hit.multiply("coherence", factor);
  }
}

/** `s0 + .7 s1 + .49 s2 + .343 s3 + .2401 s4` over scores in falling order. */
export function coherence(scores: readonly number[]): number {
  return scores.slice(0, COHERENT_CHUNKS).reduce((sum, score, index) => sum + score * RULES.coherence ** index, 0);
}

function multiplySaturation(hits: readonly Scored[], { facts, off }: RuleContext): void {
  const earlier = new Map<string, number>();
  for (const hit of hits) {
    const before = earlier.get(hit.hit.documentId) ?? 0;
    earlier.set(hit.hit.documentId, before + 1);
    if (before === 0) continue;
    const fact = facts.get(hit.hit.chunkId);
    const rule = fact !== undefined && isCode(fact.document, fact.chunk) ? "codeSaturation" : "saturation";
    if (!off.has(rule)) hit.multiply(rule, RULES[rule] ** before);
  }
}

function documentPaths(facts: ReadonlyMap<string, RuleFacts>): string[] {
  return [...new Set([...facts.values()].flatMap(({ document: { path } }) => (path === undefined ? [] : [path])))];
}
