import type { IndexReport } from "@docsearch/core";
import { EXIT } from "../exit-codes.js";
import { interruptible } from "../interrupt.js";
import { type OpenIndex, openIndex } from "../open-index.js";
import { optimiseLater } from "../optimise-later.js";
import { IndexProgress } from "../output/index-progress.js";
import { formatReport, jsonReport } from "../output/index-report.js";
import { counted, grouped } from "../output/numbers.js";
import { printJson } from "../output/print-json.js";
import { warn } from "../output/warn.js";
import { type Place, placesOf, readPlaces, type Selection } from "../places.js";
import { projectRoot } from "../project.js";
import { removeGone } from "../remove-gone.js";
import type { Flags } from "../setting-flags.js";

interface IndexFlags extends Flags {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly rebuild?: boolean;
  readonly json?: boolean;
}

export async function indexCommand(paths: readonly string[], flags: IndexFlags): Promise<void> {
  const { include, exclude, rebuild = false, json = false } = flags;
  const started = performance.now();
  optimiseLater();
  const selection: Selection = { ...(include && { include }), ...(exclude && { exclude }) };
  // Before anything is opened or dropped: a mistyped path must not cost an index.
  const root = projectRoot();
  const places = placesOf(paths.length === 0 ? ["."] : paths, selection, root);
  const index = await openIndex(flags, { mode: "write", onMismatch: rebuild ? "recreate" : "error" });
  const progress = new IndexProgress(places, selection);
  const run = async (signal: AbortSignal): Promise<void> => {
    if (rebuild) await index.docsearch.clear({ signal });
    const report = await indexPlaces(index, places, root, progress, signal);
    progress.end();
    const seconds = (performance.now() - started) / 1000;
    if (json) printJson(jsonReport(report, seconds));
    else process.stdout.write(formatReport(report, seconds));
    await addRemarks(index, report, places);
    process.exitCode = report.failures.length > 0 ? EXIT.negative : EXIT.ok;
  };
  try {
    await interruptible(
      run,
      () => `stopped; ${counted(progress.written, "document")} of this run are in the index, run it again to go on`,
    );
  } finally {
    progress.end();
    await index.docsearch.close();
  }
}

async function indexPlaces(
  { docsearch }: OpenIndex,
  places: readonly Place[],
  root: string,
  progress: IndexProgress,
  signal: AbortSignal,
): Promise<IndexReport> {
  const report = await docsearch.index({
    documents: readPlaces(places, { signal }),
    prune: { collections: places.map(({ collection }) => collection) },
    onEvent: (event) => progress.onEvent(event),
    signal,
  });
  const gone = await removeGone(docsearch, places, root, { signal });
  return { ...report, deleted: report.deleted + gone };
}

/** Left out of every run; nobody has to be told. */
const NEVER_WANTED = ["index", "version-control"];

/** What the user should know of a run that went well. */
async function addRemarks({ docsearch }: OpenIndex, report: IndexReport, places: readonly Place[]): Promise<void> {
  const skipped = Object.entries(report.skipped).filter(([reason]) => !NEVER_WANTED.includes(reason));
  const reasons = skipped.map(([reason, count]) => `${reason} ${grouped(count)}`).join(", ");
  if (reasons !== "") warn(`left out by rules: ${reasons}`);
  if (report.scanned === 0) warn(`there is no text file to index in ${places.map(({ root }) => root).join(", ")}`);
  const { store, capabilities } = await docsearch.status();
  if (!capabilities.durable) warn(`the store "${store}" keeps nothing: this index ends with the command`);
}
