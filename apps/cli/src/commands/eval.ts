import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Docsearch } from "@docsearch/core";
import {
  compareRuns,
  DEFAULT_ARMS,
  DEFAULT_METRICS,
  type EvalQuery,
  type EvalRun,
  type EvaluateOptions,
  evaluate,
  failedGates,
  formatComparison,
  formatGateFailures,
  formatRun,
  formatTuning,
  type Gate,
  KNOWN_ITEM_NOTE,
  knownItemQueries,
  parseArm,
  parseGate,
  parseQuerySet,
  parseRun,
  tune,
} from "@docsearch/eval";
import { nameInProject } from "@docsearch/service/project";
import { DocsearchError } from "@docsearch/spec";
import { nameSpaces, settingsOf } from "../embedders.js";
import { environmentOf } from "../environment.js";
import { EXIT } from "../exit-codes.js";
import { interruptible } from "../interrupt.js";
import { openIndex, openInSpace } from "../open-index.js";
import { counted } from "../output/numbers.js";
import { printJson } from "../output/print-json.js";
import { progressOn } from "../output/progress.js";
import { warn } from "../output/warn.js";
import { projectRoot } from "../project.js";
import type { Flags } from "../setting-flags.js";

interface EvalFlags extends Flags {
  readonly auto?: boolean;
  readonly sample: number;
  readonly seed: number;
  readonly base?: string;
  readonly arm?: readonly string[];
  readonly metric?: readonly string[];
  readonly failUnder?: readonly string[];
  readonly compare?: string;
  readonly save?: string;
  readonly tune?: boolean;
  readonly json?: boolean;
}

type EvalProgress = Parameters<NonNullable<EvaluateOptions["onQuery"]>>[0];

/** Everything that can be wrong with the command line is found before the first query runs. */
export async function evalCommand([file]: readonly string[], flags: EvalFlags): Promise<void> {
  if ((file === undefined) === (flags.auto !== true)) throw needsQueries(file);
  const gates = (flags.failUnder ?? []).map(parseGate);
  const arms = flags.arm?.map(parseArm);
  const before = flags.compare === undefined ? undefined : parseRun(readText(flags.compare), flags.compare);
  const written = file === undefined ? undefined : readQueries(file, flags.base);
  const metrics = [...(flags.metric ?? DEFAULT_METRICS), ...gates.map(({ metric }) => metric)];

  const { docsearch } = await openIndex(flags);
  const progress = progressOn(process.stderr);
  try {
    await interruptible(
      async (signal) => {
        const queries = written ?? (await drawQueries(docsearch, flags, signal));
        const onQuery = ({ arm, done, total }: EvalProgress): void =>
          progress.update(() => `${arm}: ${done} of ${total} ${total === 1 ? "query" : "queries"}`);
        if (flags.tune === true) {
          const tuning = await tune(docsearch, queries, { signal, onQuery, ...tuneMetric(flags) });
          progress.clear();
          if (flags.json) printJson(tuning);
          else process.stdout.write(`${formatTuning(tuning)}\n`);
          return;
        }
        let run = await evaluate(docsearch, queries, {
          metrics,
          signal,
          ...(arms !== undefined && { arms }),
          onQuery,
        });
        progress.clear();
        if (arms === undefined)
          run = await withOtherModels(run, docsearch, flags, queries, { metrics, signal, onQuery });
        progress.clear();
        if (flags.save !== undefined) writeFileSync(flags.save, `${JSON.stringify(run)}\n`);
        report(run, before, gates, flags);
      },
      () => "the evaluation was stopped; nothing was saved",
    );
  } finally {
    progress.clear();
    await docsearch.close();
  }
}

/** The run with the arms of the other models that the index has, named after them. */
async function withOtherModels(
  run: EvalRun,
  docsearch: Docsearch,
  flags: EvalFlags,
  queries: readonly EvalQuery[],
  options: Omit<EvaluateOptions, "arms">,
): Promise<EvalRun> {
  const env = environmentOf(flags);
  const all = [...run.arms];
  for (const space of nameSpaces(await docsearch.listSpaces(), env)) {
    const { name, embedding, lacking } = space;
    if (embedding.id === run.index.embedder) continue;
    const settings = settingsOf(space);
    if (settings === undefined) {
      warn(
        `${name} is left out: how to load it is not known on this machine; docsearch embed --model <model> names it`,
      );
      continue;
    }
    if (lacking > 0) warn(`${name} lacks ${counted(lacking, "chunk")}, which it cannot find`);
    const arms = MODEL_ARMS.map(({ name: arm, request }) => ({ name: `${arm} ${name}`, request }));
    const other = await openInSpace(flags, { ...env, ...settings });
    try {
      all.push(...(await evaluate(other.docsearch, queries, { ...options, arms })).arms);
    } finally {
      await other.docsearch.close();
    }
  }
  return { ...run, arms: all };
}

/** The arms that a model changes. */
const MODEL_ARMS = DEFAULT_ARMS.filter(({ name }) => name === "semantic" || name === "hybrid");

function tuneMetric({ metric }: EvalFlags): { readonly metric?: string } {
  const [first] = metric ?? [];
  return first === undefined ? {} : { metric: first };
}

async function drawQueries(
  docsearch: Docsearch,
  { sample, seed }: EvalFlags,
  signal: AbortSignal,
): Promise<readonly EvalQuery[]> {
  const { queries, kinds } = await knownItemQueries(docsearch, { sample, seed, signal });
  for (const { kind, found, drawn } of kinds)
    warn(`${kind}: ${drawn} of ${found} ${found === 1 ? "query" : "queries"} drawn`);
  if (queries.length > 0) return queries;
  const expected = "documents with descriptions in their front matter, headings, or links to each other";
  throw new DocsearchError("CONFIG_INVALID", `no query can be made from this index; expected ${expected}`, {
    setting: "--auto",
    value: "no query",
    expected,
  });
}

function report(run: EvalRun, before: EvalRun | undefined, gates: readonly Gate[], flags: EvalFlags): void {
  const failures = failedGates(run, gates);
  const comparison = before === undefined ? undefined : compareRuns(before, run);
  if (flags.json) {
    const note = flags.auto === true ? KNOWN_ITEM_NOTE : undefined;
    printJson({ ...run, comparison, failures, note });
  } else {
    const parts = [formatRun(run), ...(comparison === undefined ? [] : [formatComparison(comparison)])];
    process.stdout.write(`${[...parts, ...(flags.auto === true ? [KNOWN_ITEM_NOTE] : [])].join("\n\n")}\n`);
  }
  for (const line of formatGateFailures(failures).split("\n")) if (line !== "") warn(line);
  process.exitCode = failures.length > 0 ? EXIT.negative : EXIT.ok;
}

function readQueries(file: string, base: string | undefined): EvalQuery[] {
  const queries = parseQuerySet(readText(file), file);
  if (base === undefined) return queries;
  const root = projectRoot();
  const named = (path: string): string => nameInProject(root, resolve(base, path));
  return queries.map((query) => ({
    ...query,
    relevant: query.relevant.map((target) => ({
      ...target,
      ...(target.path !== undefined && { path: named(target.path) }),
    })),
    ...(query.exclude !== undefined && { exclude: query.exclude.map(named) }),
  }));
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const expected = "a file that can be read";
    const reason = cause instanceof Error ? cause.message.split(",")[0] : String(cause);
    throw new DocsearchError(
      "CONFIG_INVALID",
      `${file} cannot be read: ${reason}; expected ${expected}`,
      { setting: "file", value: file, expected },
      { cause },
    );
  }
}

function needsQueries(file: string | undefined): DocsearchError<"CONFIG_INVALID"> {
  const expected = "either a file of queries, or --auto to make them from the index";
  const value = file === undefined ? "neither a file nor --auto" : `both ${file} and --auto`;
  return new DocsearchError("CONFIG_INVALID", `eval was given ${value}; expected ${expected}`, {
    setting: "queries",
    value,
    expected,
  });
}
