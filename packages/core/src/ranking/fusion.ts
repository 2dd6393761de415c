import type { Hit } from "@docsearch/spec";

/** One retriever's hits, best first, without duplicates. */
export interface RankedList {
  readonly retriever: string;
  readonly hits: readonly Hit[];
  /** Zero leaves the list out of the score but in the breakdown. */
  readonly weight: number;
  /** The score that counts as 1 in a convex combination; above 0. */
  readonly unit: number;
  /** Score of a chunk that the list does not hold, in a convex combination. */
  readonly absentScore: number;
}

/** What one list adds to a fused hit. */
export interface Contribution {
  readonly retriever: string;
  /** 1-based; absent when the list does not hold the chunk. */
  readonly rank?: number;
  readonly score: number;
  readonly weight: number;
  readonly contribution: number;
}

export interface FusedHit {
  readonly chunkId: string;
  readonly documentId: string;
  readonly score: number;
  /** One per list, in the order of the lists. */
  readonly contributions: readonly Contribution[];
}

/** The constant of Cormack, Clarke and Buettcher (SIGIR 2009). */
export const RRF_K = 60;

/**
 * Reciprocal rank fusion: the sum over the lists of `weight / (k + rank)`, ranks from 1. A list without the
 * chunk adds nothing. Best first, ties by chunk id.
 */
export function reciprocalRankFusion(lists: readonly RankedList[], k: number = RRF_K): FusedHit[] {
  return combine(lists, (list) => ({
    present: (_hit, rank) => list.weight / (k + rank),
    absent: () => ({ score: 0, contribution: 0 }),
  }));
}

/**
 * Convex combination: the sum over the lists of `weight * score / unit`. A chunk that a list does not hold counts
 * with the list's `absentScore`. Best first, ties by chunk id.
 */
export function convexFusion(lists: readonly RankedList[]): FusedHit[] {
  return combine(lists, ({ weight, unit, absentScore }) => ({
    present: (hit) => (weight * hit.score) / unit,
    absent: () => ({ score: absentScore, contribution: (weight * absentScore) / unit }),
  }));
}

interface ListScorer {
  readonly present: (hit: Hit, rank: number) => number;
  readonly absent: () => { readonly score: number; readonly contribution: number };
}

function combine(lists: readonly RankedList[], scorerOf: (list: RankedList) => ListScorer): FusedHit[] {
  const documentOf = new Map<string, string>();
  for (const { hits } of lists) for (const hit of hits) documentOf.set(hit.chunkId, hit.documentId);
  const columns = lists.map((list) => {
    const scorer = scorerOf(list);
    const found = new Map<string, Contribution>();
    for (const hit of list.hits) {
      // A score that is no number says nothing, as little as not being found.
      if (found.has(hit.chunkId) || !Number.isFinite(hit.score)) continue;
      const rank = found.size + 1;
      const contribution = scorer.present(hit, rank);
      found.set(hit.chunkId, { retriever: list.retriever, rank, score: hit.score, weight: list.weight, contribution });
    }
    return { list, scorer, found };
  });
  const fused = [...documentOf].map(([chunkId, documentId]): FusedHit => {
    const contributions = columns.map(({ list, scorer, found }): Contribution => {
      return found.get(chunkId) ?? { retriever: list.retriever, weight: list.weight, ...scorer.absent() };
    });
    const score = contributions.reduce((sum, { contribution }) => sum + contribution, 0);
    return { chunkId, documentId, score, contributions };
  });
  return fused.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}
