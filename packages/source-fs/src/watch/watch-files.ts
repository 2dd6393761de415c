import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { configError } from "../config-error.js";
import { fileRule } from "../default-rules.js";
import type { WalkOptions } from "../walk/options.js";
import { Hints } from "./hints.js";
import { type Listening, listen } from "./listen.js";
import { survey } from "./survey.js";

export interface WatchFilesOptions {
  /** What is watched, each as it would be walked. Of a part (`within`) every file counts, whatever its patterns say. */
  readonly trees: readonly WalkOptions[];
  /**
   * Asked before each run what is watched from now on; when it cannot be told, that stays as it is, and `run` is to meet
   * the fault. Default: `trees`, always.
   */
  readonly treesNow?: () => Promise<readonly WalkOptions[]>;
  /** It must be quiet for so long before `run` is called. Milliseconds, default 2,000. */
  readonly debounceMs?: number;
  /** Look at the files at intervals instead of being told by the system, which not every file system does. */
  readonly poll?: boolean;
  /** Paths that begin with one of these do not count: those of files that `run` itself writes. */
  readonly ignorePrefixes?: readonly string[];
  /** Told what is degraded, in a sentence. */
  readonly onWarning?: (message: string) => void;
  /** Ends the watching. */
  readonly signal: AbortSignal;
}

/** Files that never rest are worked off after so many times the debounce. */
const PATIENCE = 10;
/** Least time between two looks, and the time between two that are only for safety: systems lose events. */
const LEAST_POLL_MS = 1000;
const SAFETY_POLL_MS = 300_000;

/**
 * Calls `run` once at the start, and again whenever something below the trees may have changed and it is quiet. Events
 * are hints: `run` is to look at the disk itself. It never runs twice at a time; what happens meanwhile leads to one
 * more run. A root that goes away and comes back is watched again.
 *
 * @throws what `run` throws, `CONFIG_INVALID` for wrong options, and the reason of the signal, which is the normal end
 */
export async function watchFiles(options: WatchFilesOptions, run: () => Promise<void>): Promise<never> {
  const { treesNow, debounceMs = 2000, poll = false, ignorePrefixes = [], onWarning = () => {} } = options;
  if (!(debounceMs >= 0 && debounceMs <= 3_600_000)) {
    throw configError("debounceMs", String(debounceMs), "milliseconds from 0 to 3,600,000");
  }
  const hints = new Hints(debounceMs, debounceMs * PATIENCE);
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  let trees = options.trees.map(watchedPart);
  const rootsNow = (): readonly string[] => trees.map(({ root }) => root);
  let isPolling = poll;
  /** What is watched may be another set of folders now. */
  let isStale = true;
  let listening: Listening | undefined;
  const relisten = async (): Promise<void> => {
    isStale = false;
    const found = await survey(trees, { signal });
    await listening?.close();
    listening = await listen(rootsNow(), found, {
      onHint: (path) => {
        if (ignorePrefixes.some((prefix) => path.startsWith(prefix))) return;
        if (fileRule(basename(path)) === "ignore-file") isStale = true;
        hints.add();
      },
      onLost: (reason) => {
        onWarning(`the system reports no more changes (${reason}); the files are looked at every few seconds instead`);
        isPolling = true;
      },
    });
  };
  const background = [
    pollTrees(
      () => trees,
      () => (isPolling ? Math.max(debounceMs, LEAST_POLL_MS) : SAFETY_POLL_MS),
      hints,
      signal,
    ),
    watchRoots(rootsNow, Math.max(debounceMs / 2, 50), signal, () => {
      isStale = true;
      hints.add();
    }),
  ].map((task) => task.catch(() => {}));
  try {
    for (;;) {
      signal.throwIfAborted();
      const asked = (await treesNow?.().catch(() => undefined))?.map(watchedPart) ?? trees;
      if (JSON.stringify(asked) !== JSON.stringify(trees)) isStale = true;
      trees = asked;
      if (!isPolling && (isStale || listening?.isComplete() === false)) await relisten();
      await run();
      await hints.quiet(signal);
    }
  } finally {
    ended.abort();
    await Promise.all([listening?.close(), ...background]);
  }
}

/** Listening to the rest of the tree would be in vain; the patterns are for paths from its root. */
function watchedPart({ within, ...tree }: WalkOptions): WalkOptions {
  if (within === undefined) return tree;
  const { include: _include, exclude: _exclude, ...part } = tree;
  return { ...part, root: join(tree.root, within) };
}

/** Walks the trees at intervals and gives a hint when the walk finds something else than before. */
async function pollTrees(
  treesNow: () => readonly WalkOptions[],
  interval: () => number,
  hints: Hints,
  signal: AbortSignal,
): Promise<void> {
  let { fingerprint } = await survey(treesNow(), { signal });
  let last = performance.now();
  for (;;) {
    // Short naps: the interval changes when events are lost.
    await sleep(Math.min(interval(), LEAST_POLL_MS), undefined, { signal });
    if (performance.now() - last < interval()) continue;
    last = performance.now();
    const now = await survey(treesNow(), { signal });
    if (now.fingerprint !== fingerprint) hints.add();
    fingerprint = now.fingerprint;
  }
}

/** Tells when a root is another folder than before: nothing is reported of one that was removed and made again. */
async function watchRoots(
  rootsNow: () => readonly string[],
  interval: number,
  signal: AbortSignal,
  onChange: () => void,
): Promise<void> {
  const identities = (): string => rootsNow().map(identityOf).join();
  let known = identities();
  for (;;) {
    await sleep(interval, undefined, { signal });
    const now = identities();
    if (now !== known) onChange();
    known = now;
  }
}

function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  // A file may be another one after each save; its folder reports that.
  return stats === undefined ? "none" : stats.isFile() ? "file" : `${stats.dev}:${stats.ino}`;
}
