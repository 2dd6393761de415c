import { setTimeout as sleep } from "node:timers/promises";
import type { IndexReport } from "@docsearch/core";
import { projectSources } from "@docsearch/service/config";
import { indexPlaces } from "@docsearch/service/index-places";
import { sourceNames } from "@docsearch/service/source-names";
import { type WalkOptions, watchFiles } from "@docsearch/source-fs";
import { environmentOf } from "../environment.js";
import { EXIT } from "../exit-codes.js";
import { type IndexFlags, selectionOf } from "../index-flags.js";
import { interruptible } from "../interrupt.js";
import { localIndex, noteTime } from "../local-index.js";
import { indexLocation, writeIndex } from "../open-index.js";
import { IndexProgress } from "../output/index-progress.js";
import { formatReport, jsonReport, sparedText } from "../output/index-report.js";
import { printJson } from "../output/print-json.js";
import { warn } from "../output/warn.js";
import { placesOfRun, type RunRequest, requestOf } from "../places.js";
import { projectRoot } from "../project.js";

interface WatchFlags extends IndexFlags {
  /** Seconds. */
  readonly debounce: number;
  readonly poll?: boolean;
}

/** After so long a run that failed is tried again. */
const RETRY_MS = 10_000;

export async function watchCommand(paths: readonly string[], flags: WatchFlags): Promise<void> {
  const { debounce, poll = false } = flags;
  const local = localIndex(flags, { rehash: false });
  const selection = { ...selectionOf(flags), ...local };
  const root = projectRoot();
  const request = requestOf(paths, selection, root);
  const runOnce = async (signal: AbortSignal): Promise<void> => {
    await writeIndex(flags, { mode: "write", onMismatch: "error", signal }, async (index, tellOthers) => {
      const started = performance.now();
      const places = await placesOfRun(request, await sourceNames(index.docsearch, { signal }), { signal });
      const options = { places, projectRoot: root, prune: flags.prune ?? false, signal };
      const progress = new IndexProgress(places, tellOthers);
      const lookedAt = Date.now();
      try {
        const report = await indexPlaces(index.docsearch, { ...options, onEvent: progress.onEvent.bind(progress) });
        progress.end();
        local.statCache?.save();
        noteTime(local, places, lookedAt);
        tell(report, (performance.now() - started) / 1000, flags);
      } finally {
        progress.end();
      }
    });
  };
  await interruptible(
    async (signal) => {
      let isFirst = true;
      const options = {
        trees: await treesOf(request, signal),
        // The config file may name others by now. When it cannot be read the next run says so, and is tried again.
        treesNow: () => treesOf(request, signal),
        debounceMs: debounce * 1000,
        poll,
        ignorePrefixes: [indexLocation(environmentOf(flags))],
        onWarning: warn,
        signal,
      };
      await watchFiles(options, async () => {
        // What is wrong with the command line shows in the first run.
        await (isFirst ? runOnce(signal) : untilDone(runOnce, signal));
        if (isFirst) warn(`watching ${watched(request).join(", ")}; Ctrl-C ends it`);
        isFirst = false;
      });
    },
    () => "no longer watching",
  );
}

/** What is watched for a run, the config file included. */
async function treesOf(request: RunRequest, signal: AbortSignal): Promise<WalkOptions[]> {
  // Without the index: what is part of a collection is looked at as the folder that it is.
  const places = await placesOfRun(request, [], { signal });
  const config = projectSources(request.projectRoot, process.env)?.file;
  const trees = places.map(({ root, selection }) => ({ root, env: process.env, ...selection }));
  return [...trees, ...(config === undefined ? [] : [{ root: config }])];
}

/** Paths that a user knows: those that were named, else those of the sources. */
function watched({ paths, projectRoot: root }: RunRequest): readonly string[] {
  if (paths.length > 0) return paths;
  return projectSources(root, process.env)?.sources.map((source) => source.root) ?? [];
}

/** Tries again until the run succeeds: a disk gets space again, a folder comes back. Says each fault once. */
async function untilDone(runOnce: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
  let said = "";
  for (;;) {
    try {
      await runOnce(signal);
      return;
    } catch (error) {
      signal.throwIfAborted();
      const message = error instanceof Error ? error.message : String(error);
      if (message !== said) warn(`${message}; trying again every ${RETRY_MS / 1000} s`);
      said = message;
      await sleep(RETRY_MS, undefined, { signal });
    }
  }
}

/** A run that changed nothing is not worth a line. */
function tell(report: IndexReport, seconds: number, { json = false }: WatchFlags): void {
  for (const one of report.spared ?? []) warn(sparedText(one));
  process.exitCode = EXIT.ok;
  const { replaced, empty, deleted, failures } = report;
  if (replaced + empty + deleted + failures.length === 0) return;
  if (json) printJson(jsonReport(report, seconds));
  else process.stdout.write(formatReport(report, seconds));
}
