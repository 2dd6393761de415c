import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "@docsearch/spec";
import { INDEX_FOLDER } from "./project.js";
import { holdRun, type RunEnd, type RunProgress, type RunRecord, runsTakeTurns } from "./run-record.js";

export interface TurnOptions {
  /** Settings of the index. */
  readonly env: Env;
  /** Path or DSN of the index. */
  readonly location: string;
  readonly projectRoot: string;
  /** What a run leaves that has failed: an index between two states, or the one that was there before. */
  readonly failed: Exclude<RunEnd, "done">;
  readonly signal: AbortSignal;
  /** Told once of the run that is waited for, when it takes a while. */
  readonly onWait: (holder: RunRecord) => void;
  /** Told of the run before when it did not end well. */
  readonly onUnfinished?: (run: RunRecord) => void;
}

/**
 * Runs `body`, which changes the index, after every other run that does, of whatever process. The folder of an index
 * that is new is hidden from git, and gone again when nothing came of it.
 *
 * @param body calls its first argument once the index is open, and the second one now and then with how far it is
 */
export async function inTurn<T>(
  options: TurnOptions,
  body: (opened: () => void, tell: (progress: RunProgress) => void) => Promise<T>,
): Promise<T> {
  const { env, location, projectRoot, failed, signal, onWait, onUnfinished } = options;
  const folder = join(projectRoot, INDEX_FOLDER);
  const isNew = !existsSync(folder);
  const hold = runsTakeTurns(env) ? await holdRun(location, signal, onWait) : undefined;
  if (hold?.unfinished !== undefined) onUnfinished?.(hold.unfinished);
  let end: RunEnd = "untouched";
  try {
    const opened = (): void => {
      end = failed;
      if (isNew && existsSync(folder)) hideFromGit(folder);
    };
    const result = await body(opened, (progress) => hold?.tell(progress));
    end = "done";
    return result;
  } finally {
    hold?.end(end);
    if (isNew && end === "untouched") removeIfEmpty(folder);
  }
}

/** Makes the folder of an index where there is none yet, hidden from git: for what is put beside an index before it is made. */
export function makeIndexFolder(projectRoot: string): void {
  const folder = join(projectRoot, INDEX_FOLDER);
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  hideFromGit(folder);
}

/** Only when the folder was made just now: who takes the file away wants the index in the repository. */
function hideFromGit(folder: string): void {
  writeFileSync(join(folder, ".gitignore"), "# Made by docsearch; it can be made anew from the documents.\n*\n");
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is not there, or something is in it.
  }
}
