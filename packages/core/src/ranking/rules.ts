import type { DocumentRecord } from "@docsearch/spec";
import { matchHints, type QueryHints } from "../search/query-hints.js";
import type { QueryProfile } from "../search/query-profile.js";
import { isGatheringFile, thinShare } from "./barrel.js";
import { type CodePlace, codePlaces, isCode } from "./code-place.js";
import { matchDefinitions } from "./definition-match.js";
import type { FusedHit } from "./fusion.js";
import type { HeadingMatcher } from "./heading-match.js";
import { matchLinks } from "./link-match.js";
import { oldVersions, versionsIn } from "./old-versions.js";
import { matchPath } from "./path-match.js";
import type { RuleFacts } from "./rule-facts.js";

/**
 * Every rule of the ranking and its weight. A bonus is this share of the best fused score, times how well the rule
 * fits, and is added; a factor multiplies what is there then. Measured in docs/adr/0006 and eval/results.md.
 */
export const RULES = {
  /** Bonus: title, heading path or file name say the same as the query. */
  heading: 0.15,
  /** Bonus: a link to the page or section says what the query says, by the square of how well. */
  linked: 0.4,
  /** Bonus, code only: the words of the file's name are in the query, by the share of the query that they are. */
  fileName: 1,
  /** Bonus: the chunk defines a name of the query, or re-exports one that nothing defines. */
  definition: 1.2,
  /** Bonus: the file is one that the query names, or a frame of its stack trace. */
  path: 0.3,
  /** Bonus: the place is of the kind that the query asks for: an installation guide, an example, the README. */
  hint: 0.1,
  /** Factor: further chunks of a file of code support the best one, each with this share of the one before it. */
  coherence: 0.4,
  /** Factors: code that is not the code that does the work. Lifted when the query asks for such. */
  tests: 0.3,
  examples: 0.4,
  benchmarks: 0.4,
  generated: 0.4,
  oldVersion: 0.4,
  legacy: 0.6,
  stubs: 0.7,
  data: 0.6,
  /** Factor: a file such as `index.ts` or `mod.rs` that only gathers what others define, unless it has the name asked for. */
  barrel: 0.8,
  /** Factor: a chunk of the tests at the end of a Rust file. */
  innerTests: 0.6,
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

export interface RuleContext {
  readonly profile: QueryProfile;
  readonly headings: HeadingMatcher;
  readonly hints: QueryHints;
  /** By chunk id, of the candidates that the rules look at. */
  readonly facts: ReadonlyMap<string, RuleFacts>;
  /** Documents beside those of the candidates, for telling which are older versions. */
  readonly counterparts: readonly DocumentRecord[];
  /** Rules that the caller left out. */
  readonly off: ReadonlySet<RuleName>;
}

/** Chunks of one file of code that support each other; more say nothing more. */
const COHERENT_CHUNKS = 5;

/** Share of lines that only list names, above which a file that gathers has no code of its own. */
const THIN = 0.7;

/** How well a heading matches that says what the query says, but for a stop word. */
const WHOLE_NAME = 0.95;

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
  if (!context.off.has("coherence")) multiplyCoherence(hits, context);
  addBonuses(hits, context);
  multiplyPlaces(hits, context);
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

  has(rule: RuleName): boolean {
    return this.#effects.some((effect) => effect.rule === rule);
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

function addBonuses(hits: readonly Scored[], { profile, headings, hints, facts, off }: RuleContext): void {
  const best = Math.max(0, hits[0]?.hit.score ?? 0);
  const definitions = off.has("definition") ? undefined : matchDefinitions(facts, profile.symbols);
  const places = profile.paths.length === 0 ? undefined : matchPath(profile.paths, pathsOf(facts));
  const links = off.has("linked")
    ? undefined
    : matchLinks(
        hits.map(({ hit }) => hit),
        facts,
        headings,
      );
  for (const hit of hits) {
    const fact = facts.get(hit.hit.chunkId);
    if (fact === undefined) continue;
    const { chunk, document } = fact;
    if (!off.has("heading") && chunk !== undefined) {
      hit.add("heading", RULES.heading * best * headings.match(document, chunk));
    }
    hit.add("linked", RULES.linked * best * (links?.get(hit.hit.chunkId) ?? 0));
    if (!off.has("fileName") && profile.kind !== "issue" && isCode(document, chunk)) {
      hit.add("fileName", RULES.fileName * best * headings.nameShare(document));
    }
    if (!off.has("path")) hit.add("path", RULES.path * best * (places?.get(document.path ?? "") ?? 0));
    if (!off.has("hint") && chunk !== undefined) {
      hit.add("hint", RULES.hint * best * matchHints(hints, document, chunk));
    }
    hit.add("definition", RULES.definition * best * (definitions?.get(hit.hit.chunkId) ?? 0));
  }
}

function multiplyPlaces(hits: readonly Scored[], { profile, headings, facts, counterparts, off }: RuleContext): void {
  const all = [...facts.values()];
  const documents = documentsOf(facts);
  const isOld = oldVersions([...counterparts, ...documents]);
  const placesOf = new Map(documents.map((document) => [document.id, codePlaces(document, isOld(document))]));
  const barrels = off.has("barrel") ? new Set<string>() : barrelsAmong(all);
  const isAsked = (words: readonly string[]): boolean =>
    profile.kind !== "issue" && words.some((word) => profile.words.has(word));
  // A stack trace through `v3` is about that version.
  const paths = profile.paths.filter(({ kind }) => kind === "path");
  const named = new Set(paths.flatMap(({ path }) => versionsIn(path)));
  const code = all.filter(({ chunk, document }) => isCode(document, chunk)).length;
  const prose = code > all.length / 2 && !isAsked(WANTS_PROSE) && !off.has("prose") ? RULES.prose : 1;
  for (const hit of hits) {
    const fact = facts.get(hit.hit.chunkId);
    if (fact === undefined) continue;
    const { chunk, document } = fact;
    const places = placesOf.get(document.id) ?? [];
    if (!isCode(document, chunk) && !places.includes("data")) {
      // A page or section of the very name is what was asked for.
      const isNamed = chunk !== undefined && headings.match(document, chunk) >= WHOLE_NAME;
      if (!isNamed) hit.multiply("prose", prose);
      continue;
    }
    for (const place of places) {
      const versions = place === "oldVersion" ? versionsIn(document.path ?? "") : [];
      const isNamed = isAsked(WANTED[place] ?? versions) || versions.some((version) => named.has(version));
      if (!off.has(place) && !isNamed) hit.multiply(place, RULES[place]);
    }
    if (barrels.has(document.id) && !hit.has("definition")) hit.multiply("barrel", RULES.barrel);
    const isInnerTest = chunk?.language === "rust" && chunk.headingPath.some((name) => /^tests?$/.test(name));
    if (isInnerTest && !off.has("innerTests") && !isAsked(WANTED.tests ?? [])) {
      hit.multiply("innerTests", RULES.innerTests);
    }
  }
}

/** Documents all of whose chunks, as far as they are known, gather what others define. */
function barrelsAmong(facts: readonly RuleFacts[]): ReadonlySet<string> {
  const barrels = new Map<string, boolean>();
  for (const { chunk, document } of facts) {
    if (chunk === undefined || !isGatheringFile(document.path ?? "")) continue;
    barrels.set(document.id, (barrels.get(document.id) ?? true) && thinShare(chunk.text) > THIN);
  }
  return new Set([...barrels].flatMap(([id, isBarrel]) => (isBarrel ? [id] : [])));
}

/**
 * Orders files of code by the sum of their best chunks' scores, each further one counted with .4 of the one before.
 * The best file keeps the score of the best chunk of code, so that code and prose stay on one scale.
 */
function multiplyCoherence(hits: readonly Scored[], { facts }: RuleContext): void {
  const files = new Map<string, Scored[]>();
  for (const hit of [...hits].sort(byScore)) {
    const fact = facts.get(hit.hit.chunkId);
    if (fact === undefined || !isCode(fact.document, fact.chunk)) continue;
    const own = files.get(hit.hit.documentId) ?? [];
    own.push(hit);
    files.set(hit.hit.documentId, own);
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

/** `s0 + r s1 + r^2 s2 + r^3 s3 + r^4 s4` over scores in falling order. */
export function coherence(scores: readonly number[], share: number = RULES.coherence): number {
  return scores.slice(0, COHERENT_CHUNKS).reduce((sum, score, index) => sum + score * share ** index, 0);
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

function documentsOf(facts: ReadonlyMap<string, RuleFacts>): DocumentRecord[] {
  return [...new Map([...facts.values()].map(({ document }) => [document.id, document])).values()];
}

function pathsOf(facts: ReadonlyMap<string, RuleFacts>): string[] {
  return documentsOf(facts).flatMap(({ path }) => (path === undefined ? [] : [path]));
}
