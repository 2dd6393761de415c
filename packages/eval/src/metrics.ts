/** Grade by key. A key that is not in it, or has grade 0, is not relevant. */
export type Grades = ReadonlyMap<string, number>;

/**
 * The measures below look at the first `k` places of one ranked list of keys, best first.
 *
 * A list has no ties: results with equal scores count in the order in which they were returned. A key that comes up
 * again counts where it came first; its later places hold nothing relevant. With no relevant key every measure is 0.
 * All values lie between 0 and 1.
 */
type Measure = (ranked: readonly string[], grades: Grades, k: number) => number;

/** One divided by the place, from 1, of the first relevant key; 0 without one. */
export const reciprocalRank: Measure = (ranked, grades, k) => {
  const index = gains(ranked, grades, k).findIndex((grade) => grade > 0);
  return index < 0 ? 0 : 1 / (index + 1);
};

/**
 * Normalised discounted cumulative gain: the sum of `(2^grade - 1) / log2(place + 1)`, divided by that of the best
 * possible list (Burges et al., Learning to Rank using Gradient Descent, 2005).
 */
export const ndcg: Measure = (ranked, grades, k) => {
  const ideal = [...grades.values()].sort((a, b) => b - a).slice(0, k);
  const best = discounted(ideal);
  return best === 0 ? 0 : discounted(gains(ranked, grades, k)) / best;
};

/** Share of the relevant keys that are found. */
export const recall: Measure = (ranked, grades, k) => {
  const relevant = [...grades.values()].filter((grade) => grade > 0).length;
  return relevant === 0 ? 0 : found(ranked, grades, k) / relevant;
};

/** Relevant keys that are found, divided by `k`, also when the list is shorter. */
export const precision: Measure = (ranked, grades, k) => found(ranked, grades, k) / k;

/** 1 when a relevant key is found, else 0. */
export const hit: Measure = (ranked, grades, k) => (found(ranked, grades, k) > 0 ? 1 : 0);

function found(ranked: readonly string[], grades: Grades, k: number): number {
  return gains(ranked, grades, k).filter((grade) => grade > 0).length;
}

/** Grades at the first `k` places; 0 where a key is not relevant or has come before. */
function gains(ranked: readonly string[], grades: Grades, k: number): number[] {
  const seen = new Set<string>();
  return ranked.slice(0, k).map((key) => {
    if (seen.has(key)) return 0;
    seen.add(key);
    return grades.get(key) ?? 0;
  });
}

function discounted(grades: readonly number[]): number {
  return grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}
