import { type ArmComparison, compareArms, type QueryChange, type RunComparison } from "./compare.js";
import { formatInterval } from "./format-interval.js";
import type { GateFailure } from "./gates.js";
import { markdownTable } from "./markdown-table.js";
import type { ArmRun, EvalRun } from "./run.js";

/** Queries that a comparison names on each side. */
const NAMED = 10;

/** A run as a page of Markdown: means by arm, differences to the first arm, and the first metric by kind. */
export function formatRun(run: EvalRun): string {
  const { arms, index, missing } = run;
  const [first] = arms;
  const queries = first?.queries.length ?? 0;
  const head = `${run.date.slice(0, 10)}: ${counted(queries, "query", "queries")}, ${counted(index.documents, "document")}, ${counted(index.chunks, "chunk")}, store ${index.store}, embedder ${index.embedder ?? "none"}`;
  return joined([
    head,
    missing.length > 0 && `Not in the index, counted as not found: ${missing.join(", ")}`,
    armTable(run),
    differences(run),
    kindTable(run),
  ]);
}

/** What changed between two runs, arm by arm, with the queries that changed most. */
export function formatComparison({ before, after, arms, unmatched }: RunComparison): string {
  return joined([
    `Run of ${after} against run of ${before}`,
    unmatched.length > 0 &&
      `${counted(unmatched.length, "query is", "queries are")} in one of the runs only and left out.`,
    arms.length === 0 && "The runs have no arm in common.",
    ...arms.map((arm) => joined([`### ${arm.after}`, ...armSections(arm)])),
  ]);
}

/** One line for each gate that was not passed. */
export function formatGateFailures(failures: readonly GateFailure[]): string {
  return failures
    .map(({ arm, metric, least, value }) => {
      const found = value === undefined ? "no query has it" : `it is ${value.toFixed(4)}`;
      return `${arm}: ${metric} must be at least ${least}; ${found}`;
    })
    .join("\n");
}

function armTable({ arms, metrics }: EvalRun): string {
  const shown = metrics.filter((metric) => arms.some((arm) => arm.metrics[metric] !== undefined));
  const rows = arms.map((arm) => [
    arm.name,
    ...shown.map((metric) => number(arm.metrics[metric])),
    `${(100 * arm.zeroHitRate).toFixed(1)} %`,
    arm.latency.p50.toFixed(1),
    arm.latency.p95.toFixed(1),
  ]);
  return markdownTable(["arm", ...shown, "nothing found", "p50 ms", "p95 ms"], rows);
}

function differences({ arms, metrics }: EvalRun): string | false {
  const [first, ...others] = arms;
  const [lead] = metrics;
  if (first === undefined || others.length === 0 || lead === undefined) return false;
  const rows = others.flatMap((arm) =>
    compareArms(first, arm, [lead]).metrics.map(({ interval, wins, losses, ties }) => [
      `${arm.name} - ${first.name}`,
      formatInterval(interval),
      String(wins),
      String(losses),
      String(ties),
    ]),
  );
  return joined([
    markdownTable([`difference in ${lead}`, "[95 %]", "better", "worse", "equal"], rows),
    advice(arms, lead),
  ]);
}

/** Fusion is the default because it wins on most collections; here the user sees whether on this one. */
function advice(arms: readonly ArmRun[], lead: string): string | false {
  const hybrid = arms.find(({ name }) => name === "hybrid");
  const best = [...arms].sort((a, b) => (b.metrics[lead] ?? 0) - (a.metrics[lead] ?? 0))[0];
  if (hybrid === undefined || best === undefined) return false;
  const interval = compareArms(best, hybrid, [lead]).metrics[0]?.interval;
  if (interval === undefined || interval.difference >= 0) return false;
  const weight =
    interval.high < 0 ? "more than the choice of queries explains" : "within what the choice of queries explains";
  return `On this collection ${best.name} is ahead of hybrid by ${(-interval.difference).toFixed(3)}, ${weight}.`;
}

function kindTable({ arms, metrics }: EvalRun): string | false {
  const [lead] = metrics;
  const kinds = arms[0]?.kinds ?? [];
  if (kinds.length === 0 || lead === undefined) return false;
  const rows = arms.map((arm) => [arm.name, ...arm.kinds.map((kind) => number(kind.metrics[lead]))]);
  return markdownTable([`${lead} by kind`, ...kinds.map(({ kind, queries }) => `${kind} (${queries})`)], rows);
}

function armSections({ metrics, wins, losses }: ArmComparison): (string | false)[] {
  const rows = metrics.map((change) => [
    change.metric,
    number(change.before),
    number(change.after),
    formatInterval(change.interval),
    String(change.wins),
    String(change.losses),
    String(change.ties),
  ]);
  const lead = metrics[0]?.metric ?? "";
  return [
    markdownTable(["metric", "before", "after", "difference [95 %]", "better", "worse", "equal"], rows),
    changes(`Better, by ${lead}`, wins),
    changes(`Worse, by ${lead}`, losses),
  ];
}

function changes(title: string, queries: readonly QueryChange[]): string | false {
  if (queries.length === 0) return false;
  const rows = queries.slice(0, NAMED).map(({ query, before, after }) => [query, number(before), number(after)]);
  const heading = queries.length > NAMED ? `${title} (${NAMED} of ${queries.length})` : title;
  return markdownTable([heading, "before", "after"], rows);
}

function number(value: number | undefined): string {
  return value === undefined ? "-" : value.toFixed(3);
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function joined(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join("\n\n");
}
