import { DocsearchError } from "@docsearch/spec";
import { seededRandom } from "./random.js";

export interface BootstrapOptions {
  /** Times that the queries are drawn anew. Default 10,000. */
  readonly resamples?: number;
  /** The same seed gives the same interval. Default 1. */
  readonly seed?: number;
}

/** A difference of means and the interval that holds 95 % of its resampled values. */
export interface Interval {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Paired bootstrap of `mean(after) - mean(before)`, where both hold one value per query, in the same order. Queries
 * are drawn with replacement, and each takes both its values along, so that what makes a query hard cancels out.
 * An interval without 0 says that the difference is more than the choice of queries (Sakai, Evaluating evaluation
 * metrics based on the bootstrap, SIGIR 2006). Without a query all three are 0.
 *
 * @throws `CONFIG_INVALID` when the two differ in length
 */
export function pairedBootstrap(
  before: readonly number[],
  after: readonly number[],
  { resamples = 10_000, seed = 1 }: BootstrapOptions = {},
): Interval {
  if (before.length !== after.length) {
    throw new DocsearchError(
      "CONFIG_INVALID",
      `the two sides of a comparison have ${before.length} and ${after.length} values; expected one each per query`,
      { setting: "after", value: String(after.length), expected: `${before.length} values` },
    );
  }
  const differences = Float64Array.from(before, (value, index) => (after[index] as number) - value);
  const { length } = differences;
  if (length === 0) return { difference: 0, low: 0, high: 0 };
  const difference = differences.reduce((sum, value) => sum + value, 0) / length;
  const random = seededRandom(seed);
  const means = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    let sum = 0;
    for (let draw = 0; draw < length; draw++) sum += differences[Math.floor(random() * length)] as number;
    means[resample] = sum / length;
  }
  means.sort();
  const at = (share: number): number => means[Math.min(resamples - 1, Math.floor(share * resamples))] as number;
  return { difference, low: at(0.025), high: at(0.975) };
}
