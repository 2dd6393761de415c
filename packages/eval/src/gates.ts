import { DocsearchError } from "@docsearch/spec";
import { parseMetric } from "./metric-names.js";
import type { EvalRun } from "./run.js";

/** A value that a metric must reach. */
export interface Gate {
  /** Absent: `hybrid`, or the only arm of the run. */
  readonly arm?: string;
  readonly metric: string;
  readonly least: number;
}

export interface GateFailure {
  readonly arm: string;
  readonly metric: string;
  readonly least: number;
  /** `undefined` when no query has the metric. */
  readonly value: number | undefined;
}

/**
 * Reads `mrr@10=0.8` or `keyword:mrr@10=0.8`.
 *
 * @throws `CONFIG_INVALID`
 */
export function parseGate(text: string): Gate {
  const match = /^(?:(.+):)?([^:=]+)=(\d*\.?\d+)$/.exec(text);
  const [, arm, name, value] = match ?? [];
  const least = Number(value);
  if (name === undefined || !(least <= 1)) {
    throw invalid(text, "a metric and a value from 0 to 1, such as mrr@10=0.8 or keyword:mrr@10=0.8");
  }
  const { name: metric } = parseMetric(name);
  return { ...(arm !== undefined && { arm }), metric, least };
}

/**
 * The gates that a run does not pass.
 *
 * @throws `CONFIG_INVALID` when a gate is on an arm or a metric that was not run
 */
export function failedGates(run: EvalRun, gates: readonly Gate[]): GateFailure[] {
  return gates.flatMap(({ arm: wanted, metric, least }) => {
    const arm =
      wanted === undefined
        ? (run.arms.find(({ name }) => name === "hybrid") ?? (run.arms.length === 1 ? run.arms[0] : undefined))
        : run.arms.find(({ name }) => name === wanted);
    const names = run.arms.map(({ name }) => name).join(", ");
    if (arm === undefined) throw invalid(`${wanted ?? ""}:${metric}=${least}`, `one of the arms ${names} in front`);
    if (!run.metrics.includes(metric)) throw invalid(`${metric}=${least}`, `one of ${run.metrics.join(", ")}`);
    const value = arm.metrics[metric];
    return value !== undefined && value >= least ? [] : [{ arm: arm.name, metric, least, value }];
  });
}

function invalid(value: string, expected: string): DocsearchError<"CONFIG_INVALID"> {
  return new DocsearchError("CONFIG_INVALID", `the gate ${value} is wrong; expected ${expected}`, {
    setting: "gate",
    value,
    expected,
  });
}
