import type { IndexReport } from "@docsearch/core";
import { indexPlaces, type Place } from "@docsearch/service/index-places";
import { sourceNames } from "@docsearch/service/source-names";
import { EXIT } from "../exit-codes.js";
import { type IndexFlags as CommonFlags, selectionOf } from "../index-flags.js";
import { interruptible } from "../interrupt.js";
import { localIndex, noteTime } from "../local-index.js";
import { namedStore, type OpenIndex, writeIndex } from "../open-index.js";
import { optimiseLater } from "../optimisation.js";
import { escapeLine } from "../output/escape.js";
import { IndexProgress } from "../output/index-progress.js";
import { formatReport, jsonReport, sparedText } from "../output/index-report.js";
import { counted, grouped } from "../output/numbers.js";
import { printJson } from "../output/print-json.js";
import { warn } from "../output/warn.js";
import { placesOfRun, requestOf } from "../places.js";
import { projectRoot } from "../project.js";

interface IndexFlags extends CommonFlags {
  readonly rebuild?: boolean;
  readonly rehash?: boolean;
  readonly listSkipped?: boolean;
}

export async function indexCommand(paths: readonly string[], flags: IndexFlags): Promise<void> {
  const { rebuild = false, rehash = false, prune = false, listSkipped = false, json = false } = flags;
  const started = performance.now();
  optimiseLater();
  const local = localIndex(flags, { rehash: rehash || rebuild });
  const selection = { ...selectionOf(flags), ...local };
  // Before anything is opened or dropped: a mistyped path must not cost an index.
  const root = projectRoot();
  const request = requestOf(paths, selection, root);
  // Where the store can, the index that is there answers until the new one is whole.
  const beside = rebuild && (await namedStore(flags)).store.restorePrevious !== undefined;
  /** Absent while the run waits for another one. */
  let progress: IndexProgress | undefined;
  const run = async (signal: AbortSignal): Promise<void> => {
    const mode = beside ? "rebuild" : "write";
    await writeIndex(flags, { mode, onMismatch: rebuild ? "recreate" : "error", signal }, async (index, tell) => {
      if (rebuild && !beside) await index.docsearch.clear({ signal });
      const places = await placesOfRun(request, await sourceNames(index.docsearch, { signal }), { signal });
      const shown = new IndexProgress(places, tell);
      progress = shown;
      const onEvent = shown.onEvent.bind(shown);
      const lookedAt = Date.now();
      const report = await indexPlaces(index.docsearch, { places, projectRoot: root, prune, onEvent, signal });
      shown.end();
      local.statCache?.save();
      noteTime(local, places, lookedAt);
      const remarks = await remarksOn(index, report, places);
      if (beside) await index.docsearch.publish({ signal });
      const seconds = (performance.now() - started) / 1000;
      if (json) printJson({ ...jsonReport(report, seconds), ...(listSkipped && { skippedPaths: shown.skipped }) });
      else process.stdout.write(formatReport(report, seconds) + (listSkipped ? listOf(shown) : ""));
      for (const remark of remarks) warn(remark);
      process.exitCode = report.failures.length > 0 || report.spared !== undefined ? EXIT.negative : EXIT.ok;
    });
  };
  try {
    await interruptible(run, () =>
      beside
        ? "stopped; the index is what it was before"
        : `stopped; ${counted(progress?.written ?? 0, "document")} of this run are in the index, run it again to go on`,
    );
  } finally {
    progress?.end();
  }
}

function listOf({ skipped }: IndexProgress): string {
  return skipped.map(({ path, reason }) => `${reason.padEnd(16)} ${escapeLine(path)}\n`).join("");
}

/** Left out of every run; nobody has to be told. */
const NEVER_WANTED = ["index", "version-control", "ignore-file"];

/** What the user should know of a run that went well. */
async function remarksOn({ docsearch }: OpenIndex, report: IndexReport, places: readonly Place[]): Promise<string[]> {
  const remarks: string[] = [];
  const skipped = Object.entries(report.skipped).filter(([reason]) => !NEVER_WANTED.includes(reason));
  const reasons = skipped.map(([reason, count]) => `${reason} ${grouped(count)}`).join(", ");
  if (reasons !== "") remarks.push(`left out by rules: ${reasons}`);
  if (report.scanned === 0) {
    remarks.push(`there is no text file to index in ${places.map(({ root, part }) => part ?? root).join(", ")}`);
  }
  remarks.push(...(report.spared ?? []).map(sparedText));
  const { truncated = 0 } = report;
  if (truncated > 0) {
    remarks.push(`${counted(truncated, "chunk")} longer than the model takes; smaller ones fit: --chunk-size`);
  }
  const { store, capabilities, schema } = await docsearch.status();
  const own = (await docsearch.listSpaces()).find(({ embedding }) => embedding.id === schema.embedding?.id);
  // Those of this run have been reported.
  if (own !== undefined && own.lacking > 0 && report.failures.length === 0) {
    const chunks = counted(own.lacking, "chunk");
    remarks.push(
      `${chunks} of unchanged files lack a vector of this model; docsearch embed with the same settings makes them`,
    );
  }
  if (!capabilities.durable) remarks.push(`the store "${store}" keeps nothing: this index ends with the command`);
  return remarks;
}
