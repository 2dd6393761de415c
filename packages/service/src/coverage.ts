import type { Docsearch } from "@docsearch/core";
import type { CallOptions, Env } from "@docsearch/spec";
import { type RunProgress, type RunRecord, readRun, runsTakeTurns } from "./run-record.js";

/** What an index that is not whole can answer for. */
export interface Coverage {
  /** State of the run that has not ended well. */
  readonly run: RunRecord["state"];
  /** Files that it has looked at. */
  readonly files?: RunProgress["files"];
  readonly total?: RunProgress["total"];
  readonly documents: number;
  readonly chunks: number;
  /** Chunks for which the model was not asked yet: they are found by their words alone. */
  readonly lacking: number;
  /** The same as a sentence without a full stop. */
  readonly message: string;
}

/**
 * What the index can answer for while a run fills it, or after one that did not end; nothing when the last run ended
 * well, and for a store whose runs are not written down. Costs a look at a file when there is nothing to say.
 *
 * @param location path of the index
 */
export async function coverageOf(
  docsearch: Docsearch,
  env: Env,
  location: string,
  call: CallOptions = {},
): Promise<Coverage | undefined> {
  const run = runsTakeTurns(env) ? readRun(location) : undefined;
  if (run === undefined) return undefined;
  const [{ stats }, spaces] = await Promise.all([docsearch.status(call), docsearch.listSpaces(call)]);
  const { documents, chunks } = stats;
  const lacking = spaces.find(({ isActive }) => isActive)?.lacking ?? 0;
  const { state, progress } = run;
  const message = [progressText(run, documents), ...(lacking > 0 ? [vectorText(chunks, lacking)] : [])].join("; ");
  return { run: state, ...progress, documents, chunks, lacking, message };
}

function progressText({ state, progress }: RunRecord, documents: number): string {
  const total = progress?.total === undefined ? "" : ` of ${grouped(progress.total)}`;
  const files = progress === undefined ? "" : `${grouped(progress.files)}${total} files looked at, `;
  const held = `${files}${grouped(documents)} documents can be found`;
  if (state === "running") return `indexing: ${held}`;
  return `the last index run was ${state} before its end: ${held}; docsearch index goes on`;
}

function vectorText(chunks: number, lacking: number): string {
  const share = Math.floor((100 * (chunks - lacking)) / chunks);
  return `${share} % of ${grouped(chunks)} chunks are embedded, the others are found by their words alone`;
}

function grouped(count: number): string {
  return count.toLocaleString("en");
}
