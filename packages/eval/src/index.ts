export { type Arm, type ArmRequest, DEFAULT_ARMS, parseArm } from "./arms.js";
export { type BootstrapOptions, type Interval, pairedBootstrap } from "./bootstrap.js";
export { type CharacterOverlap, type CharacterRange, characterOverlap } from "./character-overlap.js";
export {
  type ArmComparison,
  compareArms,
  compareRuns,
  type MetricChange,
  type QueryChange,
  type RunComparison,
} from "./compare.js";
export { type EvaluateOptions, evaluate } from "./evaluate.js";
export { formatInterval } from "./format-interval.js";
export { failedGates, type Gate, type GateFailure, parseGate } from "./gates.js";
export { KNOWN_ITEM_NOTE, type KnownItemOptions, type KnownItems, knownItemQueries } from "./known-items.js";
export { DEFAULT_METRICS, type Metric, parseMetric } from "./metric-names.js";
export { type Grades, hit, ndcg, precision, recall, reciprocalRank } from "./metrics.js";
export { type EvalQuery, type EvalTarget, parseQuerySet } from "./query-set.js";
export { formatComparison, formatGateFailures, formatRun } from "./report.js";
export { type ArmRun, type EvalRun, type KindSummary, type MetricValues, parseRun, type QueryRecord } from "./run.js";
export { formatTuning, type TuneOptions, type Tuning, tune } from "./tune.js";
