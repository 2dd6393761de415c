import { join } from "node:path";
import {
  type Docsearch,
  docsearchFromEnv,
  knownEmbeddersFile,
  openStored,
  storedSchema,
  storeFromEnv,
} from "@docsearch/core";
import { indexName } from "@docsearch/core/settings";
import type { TurnOptions } from "@docsearch/service/index-turn";
import { INDEX_FOLDER } from "@docsearch/service/project";
import { describeRun, type RunProgress } from "@docsearch/service/run-record";
import { DocsearchError, type Env, isDocsearchError, type StoreFactory, type VectorStore } from "@docsearch/spec";
import { PACKAGE_ROOT, withSettings } from "./environment.js";
import { describeMismatch } from "./output/describe-mismatch.js";
import { warn } from "./output/warn.js";
import { projectRoot } from "./project.js";
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
  return env.DOCS_STORE_URL?.trim() || join(projectRoot(), INDEX_FOLDER, indexName(env));
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

/** Opens the index for reading in the space of the embedder of `env`. */
export async function openInSpace(flags: Flags, env: Env): Promise<OpenIndex> {
  return withSettings(flags, async () => {
    const location = indexLocation(env);
    const settings = { ...env, DOCS_STORE_URL: location };
    const docsearch = await docsearchFromEnv(settings, { root: PACKAGE_ROOT, mode: "read", space: "existing" });
    return { docsearch, location };
  });
}

/** Opens the index that there is for writing, in the space of the embedder of `env`, which is made if need be. */
export async function openForEmbedding(flags: Flags, env: Env): Promise<OpenIndex> {
  return withSettings(flags, async () => {
    const location = indexLocation(env);
    const settings = { ...env, DOCS_STORE_URL: location };
    // Opening for writing would make one.
    await storedSchema(await storeFromEnv(settings, { root: PACKAGE_ROOT }));
    try {
      const options = {
        root: PACKAGE_ROOT,
        mode: "write",
        space: "new",
        knownEmbedders: knownEmbeddersFile(env),
      } as const;
      return { docsearch: await docsearchFromEnv(settings, options), location };
    } catch (error) {
      throw isDocsearchError(error, "INDEX_MISMATCH") ? shortMismatch(error, location) : error;
    }
  });
}

/** Runs `body` with the index as it is, whatever model it answers with: none is loaded. */
export async function withStoredIndex<T>(
  flags: Flags,
  mode: "read" | "write",
  body: (store: VectorStore) => Promise<T>,
): Promise<T> {
  const store = await openStored((await namedStore(flags)).store, mode);
  return closing(store, () => body(store));
}

/** Runs `body` with the index open for writing, after every other run of this command that writes to it. */
export async function writeIndex<T>(
  flags: Flags,
  { mode, onMismatch, signal }: WriteOptions,
  body: (index: OpenIndex, tell: (progress: RunProgress) => void) => Promise<T>,
): Promise<T> {
  return withSettings(flags, async (env) => {
    // A wrong setting must not leave a folder behind.
    await storeFromEnv(env, { root: PACKAGE_ROOT });
    const turn: TurnOptions = {
      env,
      location: indexLocation(env),
      projectRoot: projectRoot(),
      failed: mode === "rebuild" ? "untouched" : "stopped",
      signal,
      onWait: (holder) => warn(`waiting for ${describeRun(holder)}, which is writing to the index`),
      onUnfinished: (run) => {
        if (run.state !== "killed") return;
        warn(`a run before (${describeRun(run)}) was killed; this one goes on from what it had written`);
      },
    };
    const { inTurn } = await import("@docsearch/service/index-turn");
    return inTurn(turn, async (opened, tell) => {
      const index = await open(env, mode, onMismatch);
      opened();
      return closing(index.docsearch, () => body(index, tell));
    });
  });
}

async function open(
  env: Env,
  mode: "read" | WriteOptions["mode"],
  onMismatch: "error" | "recreate",
): Promise<OpenIndex> {
  const location = indexLocation(env);
  try {
    const settings = { ...env, DOCS_STORE_URL: location };
    const knownEmbedders = knownEmbeddersFile(env);
    const docsearch = await docsearchFromEnv(settings, { root: PACKAGE_ROOT, mode, onMismatch, knownEmbedders });
    return { docsearch, location };
  } catch (error) {
    throw isDocsearchError(error, "INDEX_MISMATCH") ? shortMismatch(error, location) : error;
  }
}

/** Closes the index after `body`. What went wrong first is what is reported. */
async function closing<T>(docsearch: Pick<Docsearch, "close">, body: () => Promise<T>): Promise<T> {
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

function shortMismatch(error: DocsearchError<"INDEX_MISMATCH">, location: string): Error {
  const { stored, requested, command } = error.details;
  const differences = describeMismatch(stored, requested);
  const isModelAlone = stored.chunking === requested.chunking && stored.analyzer === requested.analyzer;
  if (isModelAlone && requested.embedding !== null) {
    const model = stored.embedding?.id ?? "words alone";
    const own =
      stored.embedding === null
        ? "Search it with words alone (--embedder none)"
        : "Name its own model (--embedder, --embedder-model)";
    const message = `the index at ${location} answers with ${model}, and has no vectors of ${requested.embedding.id}. ${own}, embed it with another one too (docsearch embed --model <model>), or make it anew: ${command} <paths>`;
    return new DocsearchError("INDEX_MISMATCH", message, error.details, { cause: error });
  }
  const message = `the index at ${location} was made with other settings: ${differences}. Use the settings of the index, or make it anew: ${command} <paths>`;
  return new DocsearchError("INDEX_MISMATCH", message, error.details, { cause: error });
}
