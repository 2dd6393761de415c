import type { FusedHit } from "./fusion.js";
import { SATURATION } from "./ranking.js";

/** What a ranking rule did to a hit. */
export interface RuleEffect {
  readonly rule: "saturation";
  /** Multiplies the fused score. */
  readonly factor: number;
}

/** A fused hit with its score after the rules. */
export interface RankedHit extends FusedHit {
  readonly fusionScore: number;
  /** 1-based rank before the rules. */
  readonly fusionRank: number;
  readonly rules: readonly RuleEffect[];
}

const NO_RULES: readonly RuleEffect[] = [];

/** The hits as they are, for a fusion whose scores are too flat to be multiplied. */
export function withoutRules(fused: readonly FusedHit[]): RankedHit[] {
  return fused.map((hit, index) => ranked(hit, index, hit.score, NO_RULES));
}

/**
 * Applies the ranking rules to fused hits and sorts them again, ties by chunk id.
 *
 * - *saturation*: the second chunk of a document says less than the first of another. Each further one is multiplied
 *   with `SATURATION` once more.
 */
export function applyRules(fused: readonly FusedHit[]): RankedHit[] {
  const earlier = new Map<string, number>();
  const hits = fused.map((hit, index): RankedHit => {
    const before = earlier.get(hit.documentId) ?? 0;
    earlier.set(hit.documentId, before + 1);
    if (before === 0) return ranked(hit, index, hit.score, NO_RULES);
    const factor = SATURATION ** before;
    return ranked(hit, index, hit.score * factor, [{ rule: "saturation", factor }]);
  });
  return hits.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}

/** Written out, because copying some hundred objects by spread takes longer than ranking them. */
function ranked(hit: FusedHit, index: number, score: number, rules: readonly RuleEffect[]): RankedHit {
  const { chunkId, documentId, contributions } = hit;
  return { chunkId, documentId, contributions, score, fusionScore: hit.score, fusionRank: index + 1, rules };
}
