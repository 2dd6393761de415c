import type { Docsearch } from "@docsearch/core";
import { DocsearchError } from "@docsearch/spec";
import type { Arm } from "./arms.js";
import { type Interval, pairedBootstrap } from "./bootstrap.js";
import { type EvaluateOptions, evaluate } from "./evaluate.js";
import { formatInterval } from "./format-interval.js";
import { markdownTable } from "./markdown-table.js";
import type { EvalQuery } from "./query-set.js";
import { seededRandom, shuffled } from "./random.js";
import { mean } from "./statistics.js";

export interface TuneOptions extends Omit<EvaluateOptions, "arms" | "metrics"> {
  /** What the weights are chosen by, see `parseMetric`. Default `mrr@10`. */
  readonly metric?: string;
  /** Decides which queries go into which fold. Default 1. */
  readonly seed?: number;
}

export interface Tuning {
  readonly metric: string;
  readonly queries: number;
  /** The metric with the defaults. */
  readonly byDefault: number;
  /** The metric by weight of the vectors; that of the words is the rest of 1. */
  readonly weights: readonly { readonly vector: number; readonly value: number }[];
  /** The weight with the best metric over all queries; of equal ones the smaller. */
  readonly best: number;
  /**
   * What choosing gains over the defaults, each query measured with a weight that was chosen without it: an estimate
   * for queries that are not in the set.
   */
  readonly gain: Interval;
  /** Whether that gain is more than the choice of queries explains. */
  readonly isWorthIt: boolean;
}

const FOLDS = 5;
const LEAST_QUERIES = 2 * FOLDS;
const WEIGHTS = Array.from({ length: 21 }, (_, step) => step / 20);
const DEFAULT = "default";

/**
 * Chooses the weights of words and vectors for one index, by five-fold cross-validation over a grid.
 *
 * @throws `CONFIG_INVALID` for fewer than ten queries, or queries none of which has the metric; `UNSUPPORTED` when the
 * index has no vectors; what `evaluate` throws
 */
export async function tune(
  docsearch: Docsearch,
  queries: readonly EvalQuery[],
  { metric = "mrr@10", seed = 1, ...options }: TuneOptions = {},
): Promise<Tuning> {
  const { embedding } = (await docsearch.status()).schema;
  if (embedding === null) {
    throw new DocsearchError("UNSUPPORTED", "weights can be tuned only where there are vectors; index with a model", {
      operation: "tune",
    });
  }
  const arms: Arm[] = [{ name: DEFAULT, request: {} }, ...WEIGHTS.map(armOf)];
  const run = await evaluate(docsearch, queries, { ...options, arms, metrics: [metric] });
  const [byDefault, ...byWeight] = run.arms.map(({ queries: records }) =>
    records.flatMap(({ metrics }) => (metrics[metric] === undefined ? [] : [metrics[metric]])),
  ) as [number[], ...number[][]];
  if (byDefault.length < LEAST_QUERIES) throw tooFew(byDefault.length, metric);

  const chosen = crossValidated(byWeight, byDefault.length, seed);
  const gain = pairedBootstrap(byDefault, chosen, { seed });
  const everything = byDefault.map((_, index) => index);
  return {
    metric,
    queries: byDefault.length,
    byDefault: mean(byDefault),
    weights: WEIGHTS.map((vector, i) => ({ vector, value: mean(byWeight[i]!) })),
    best: WEIGHTS[bestOver(byWeight, everything)]!,
    gain,
    isWorthIt: gain.low > 0,
  };
}

/** A table of the weights, and what to do. */
export function formatTuning({ metric, queries, byDefault, weights, best, gain, isWorthIt }: Tuning): string {
  const rows = weights.map(({ vector, value }) => [vector.toFixed(2), value.toFixed(3), vector === best ? "best" : ""]);
  const table = markdownTable(["weight of vectors", metric, ""], rows);
  const found = `Chosen by cross-validation over ${queries} queries, against ${byDefault.toFixed(3)} of the defaults: ${formatInterval(gain)}`;
  const settings = `DOCS_WEIGHT_LEXICAL=${Number((1 - best).toFixed(2))} DOCS_WEIGHT_VECTOR=${best}`;
  const advice = isWorthIt
    ? `Set ${settings}`
    : "Keep the defaults: the gain is within what the choice of queries explains.";
  return [table, found, advice].join("\n\n");
}

function armOf(vector: number): Arm {
  const weights = { lexical: 1 - vector, vector };
  return { name: vector.toFixed(2), request: { fusion: { method: "convex", weights } } };
}

/** The value of each query with the weight that is best over the other folds. */
function crossValidated(byWeight: readonly (readonly number[])[], count: number, seed: number): number[] {
  const order = shuffled(
    Array.from({ length: count }, (_, index) => index),
    seededRandom(seed),
  );
  const values = new Array<number>(count).fill(0);
  for (let fold = 0; fold < FOLDS; fold++) {
    const others = order.filter((_, place) => place % FOLDS !== fold);
    const weight = byWeight[bestOver(byWeight, others)]!;
    for (const query of order.filter((_, place) => place % FOLDS === fold)) values[query] = weight[query]!;
  }
  return values;
}

/** Index of the weight with the largest sum over these queries; the first of equal ones. */
function bestOver(byWeight: readonly (readonly number[])[], queries: readonly number[]): number {
  const sums = byWeight.map((values) => queries.reduce((sum, query) => sum + values[query]!, 0));
  return sums.indexOf(Math.max(...sums));
}

function tooFew(count: number, metric: string): DocsearchError<"CONFIG_INVALID"> {
  const expected = `at least ${LEAST_QUERIES} queries that have ${metric}`;
  return new DocsearchError(
    "CONFIG_INVALID",
    `weights cannot be tuned with ${count} ${count === 1 ? "query" : "queries"}; expected ${expected}`,
    {
      setting: "queries",
      value: String(count),
      expected,
    },
  );
}
