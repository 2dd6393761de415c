import { existsSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Docsearch, docsearchFromEnv, storeFromEnv } from "@docsearch/core";
import { DocsearchError, type Env, isDocsearchError, type StoreFactory } from "@docsearch/spec";
import { PACKAGE_ROOT, withSettings } from "./environment.js";
import { describeMismatch } from "./output/describe-mismatch.js";
import { warn } from "./output/warn.js";
import { INDEX_FOLDER, projectRoot } from "./project.js";
import { describeRun, holdRun, type RunHold } from "./run-record.js";
import type { Flags } from "./setting-flags.js";

export interface OpenIndex {
  readonly docsearch: Docsearch;
  /** Path or DSN, as the store got it. */
  readonly location: string;
}

interface WriteOptions {
  /** `rebuild` makes an index beside the one that answers; `body` publishes it. */
  readonly mode: "write" | "rebuild";
  readonly onMismatch: "error" | "recreate";
  readonly signal: AbortSignal;
}

/** Path or DSN of the index that flags and environment name; by default the nearest one above the working directory. */
export function indexLocation(env: Env): string {
  return env.DOCS_STORE_URL?.trim() || join(projectRoot(), INDEX_FOLDER, "index.db");
}

/** The store that flags and environment name, unopened, and where its index is. */
export async function namedStore(flags: Flags): Promise<{ readonly store: StoreFactory; readonly location: string }> {
  return withSettings(flags, async (env) => {
    const location = indexLocation(env);
    return { store: await storeFromEnv({ ...env, DOCS_STORE_URL: location }, { root: PACKAGE_ROOT }), location };
  });
}

/** Opens the index that flags and environment name for reading. */
export async function openIndex(flags: Flags): Promise<OpenIndex> {
  return withSettings(flags, (env) => open(env, "read", "error"));
}

/** Runs `body` with the index open for writing, after every other run of this command that writes to it. */
export async function writeIndex<T>(
  flags: Flags,
  { mode, onMismatch, signal }: WriteOptions,
  body: (index: OpenIndex) => Promise<T>,
): Promise<T> {
  return withSettings(flags, async (env) => {
    const folder = join(projectRoot(), INDEX_FOLDER);
    const isNew = !existsSync(folder);
    // A wrong setting must not leave a folder behind.
    await storeFromEnv(env, { root: PACKAGE_ROOT });
    const hold = await holdOf(env, signal);
    let index: OpenIndex;
    try {
      index = await open(env, mode, onMismatch);
      if (isNew && existsSync(folder)) hideFromGit(folder);
    } catch (error) {
      hold?.end("untouched");
      if (isNew) removeIfEmpty(folder);
      throw error;
    }
    try {
      const result = await closing(index.docsearch, () => body(index));
      hold?.end("done");
      return result;
    } catch (error) {
      hold?.end(mode === "rebuild" ? "untouched" : "stopped");
      throw error;
    }
  });
}

/** Only a store in a file of its own needs it; servers keep their writers apart. */
async function holdOf(env: Env, signal: AbortSignal): Promise<RunHold | undefined> {
  if ((env.DOCS_STORE_BACKEND?.trim() || "sqlite") !== "sqlite") return undefined;
  const hold = await holdRun(indexLocation(env), signal, (holder) => {
    warn(`waiting for ${describeRun(holder)}, which is writing to the index`);
  });
  if (hold.unfinished?.state === "killed") {
    warn(`a run before (${describeRun(hold.unfinished)}) was killed; this one goes on from what it had written`);
  }
  return hold;
}

async function open(
  env: Env,
  mode: "read" | WriteOptions["mode"],
  onMismatch: "error" | "recreate",
): Promise<OpenIndex> {
  const location = indexLocation(env);
  try {
    const settings = { ...env, DOCS_STORE_URL: location };
    const docsearch = await docsearchFromEnv(settings, { root: PACKAGE_ROOT, mode, onMismatch });
    return { docsearch, location };
  } catch (error) {
    throw isDocsearchError(error, "INDEX_MISMATCH") ? shortMismatch(error, location) : error;
  }
}

/** Closes the index after `body`. What went wrong first is what is reported. */
async function closing<T>(docsearch: Docsearch, body: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await body();
  } catch (error) {
    await docsearch.close().catch(() => {});
    throw error;
  }
  await docsearch.close();
  return result;
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

function shortMismatch(error: DocsearchError<"INDEX_MISMATCH">, location: string): Error {
  const { stored, requested, command } = error.details;
  const differences = describeMismatch(stored, requested);
  const message = `the index at ${location} was made with other settings: ${differences}. Use the settings of the index, or make it anew: ${command} <paths>`;
  return new DocsearchError("INDEX_MISMATCH", message, error.details, { cause: error });
}
