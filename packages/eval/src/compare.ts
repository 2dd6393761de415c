import { type BootstrapOptions, type Interval, pairedBootstrap } from "./bootstrap.js";
import type { ArmRun, EvalRun } from "./run.js";
import { mean } from "./statistics.js";

/** One query on which two arms differ. */
export interface QueryChange {
  readonly id: string;
  readonly query: string;
  readonly before: number;
  readonly after: number;
}

export interface MetricChange {
  readonly metric: string;
  readonly before: number;
  readonly after: number;
  readonly interval: Interval;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
}

export interface ArmComparison {
  readonly before: string;
  readonly after: string;
  /** Queries that both have; others are left out. */
  readonly queries: number;
  /** Means over the queries that both have. */
  readonly metrics: readonly MetricChange[];
  /** By the first metric, largest gain first. */
  readonly wins: readonly QueryChange[];
  /** By the first metric, largest loss first. */
  readonly losses: readonly QueryChange[];
}

export interface RunComparison {
  readonly before: string;
  readonly after: string;
  /** Of the arms that both runs have. */
  readonly arms: readonly ArmComparison[];
  /** Ids of queries that only one of the runs has. */
  readonly unmatched: readonly string[];
}

/** Values that differ by less are rounding. */
const EQUAL = 1e-9;

/**
 * Compares two arms query by query; queries are matched by their id.
 *
 * @param metrics in the order of importance; one that an arm lacks is left out
 */
export function compareArms(
  before: ArmRun,
  after: ArmRun,
  metrics: readonly string[],
  options: BootstrapOptions = {},
): ArmComparison {
  const earlier = new Map(before.queries.map((record) => [record.id, record]));
  const pairs = after.queries.flatMap((record) => {
    const other = earlier.get(record.id);
    return other === undefined ? [] : [{ before: other, after: record }];
  });
  const changesOf = (metric: string): QueryChange[] =>
    pairs.flatMap((pair) => {
      const { [metric]: old } = pair.before.metrics;
      const { [metric]: value } = pair.after.metrics;
      const { id, query } = pair.after;
      return old === undefined || value === undefined ? [] : [{ id, query, before: old, after: value }];
    });
  const changed = metrics.map((metric) => ({ metric, changes: changesOf(metric) }));
  const measured = changed.filter(({ changes }) => changes.length > 0);
  const [lead = { changes: [] }] = measured;
  const byGain = [...lead.changes].sort((a, b) => gain(b) - gain(a));
  return {
    before: before.name,
    after: after.name,
    queries: pairs.length,
    metrics: measured.map(({ metric, changes }) => changeOf(metric, changes, options)),
    wins: byGain.filter((change) => gain(change) > EQUAL),
    losses: byGain.filter((change) => gain(change) < -EQUAL).reverse(),
  };
}

/** Compares two runs arm by arm, by the metrics that both have. */
export function compareRuns(before: EvalRun, after: EvalRun, options: BootstrapOptions = {}): RunComparison {
  const metrics = after.metrics.filter((metric) => before.metrics.includes(metric));
  const arms = after.arms.flatMap((arm) => {
    const earlier = before.arms.find(({ name }) => name === arm.name);
    return earlier === undefined ? [] : [compareArms(earlier, arm, metrics, options)];
  });
  const idsOf = (run: EvalRun): Set<string> => new Set(run.arms[0]?.queries.map(({ id }) => id));
  const [old, current] = [idsOf(before), idsOf(after)];
  return {
    before: before.date,
    after: after.date,
    arms,
    unmatched: [...[...old].filter((id) => !current.has(id)), ...[...current].filter((id) => !old.has(id))],
  };
}

function changeOf(metric: string, changes: readonly QueryChange[], options: BootstrapOptions): MetricChange {
  const before = changes.map((change) => change.before);
  const after = changes.map((change) => change.after);
  const wins = changes.filter((change) => gain(change) > EQUAL).length;
  const losses = changes.filter((change) => gain(change) < -EQUAL).length;
  return {
    metric,
    before: mean(before),
    after: mean(after),
    interval: pairedBootstrap(before, after, options),
    wins,
    losses,
    ties: changes.length - wins - losses,
  };
}

function gain({ before, after }: QueryChange): number {
  return after - before;
}
