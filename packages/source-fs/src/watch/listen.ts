import type { Stats } from "node:fs";
import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { ChokidarOptions, FSWatcher } from "chokidar";
import { folderRule } from "../default-rules.js";
import type { Survey } from "./survey.js";

export interface Listeners {
  /** Called with the path of what may have changed. */
  readonly onHint: (path: string) => void;
  /** Called once when the system takes back its word to report changes. */
  readonly onLost: (reason: string) => void;
}

export interface Listening {
  /** Whether every folder that came up since is listened to. One that is removed and made again at once may be lost. */
  isComplete(): boolean;
  close(): Promise<void>;
}

const OPTIONS: ChokidarOptions = { alwaysStat: true, followSymlinks: false, ignorePermissionErrors: true };

/**
 * Listens for changes below the roots until it is closed. Folders alone are watched, which report what is in them too: a
 * watch for each file would use up what the system allows.
 */
export async function listen(
  roots: readonly string[],
  { skippedFolders, folderNames }: Survey,
  { onHint, onLost }: Listeners,
): Promise<Listening> {
  // Loaded here, so that whoever does not watch does not pay for it.
  const { watch } = await import("chokidar");
  const folders: string[] = [];
  /** Files that are roots, by folder: whoever saves a file may put another one in its place. */
  const files = new Map<string, Set<string>>();
  for (const root of roots.map(realRoot)) {
    if (statSync(root, { throwIfNoEntry: false })?.isFile() !== true) folders.push(root);
    else files.set(dirname(root), (files.get(dirname(root)) ?? new Set()).add(basename(root)));
  }
  const isLeftOut = (path: string): boolean => {
    if (folders.includes(path)) return false;
    const rule = folderRule(basename(path));
    const isNever = rule === "version-control" || rule === "index";
    return isNever || skippedFolders.has(path) || (rule !== undefined && !folderNames.has(basename(path)));
  };
  const watchers: FSWatcher[] = [];
  /** What is watched, by path. */
  const identities = new Map<string, string>();
  const renamed = new Set<string>();
  const isWatched = (path: string): boolean => {
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats?.isDirectory() !== true || isLeftOut(path)) return true;
      // A folder is announced before the system is asked to report what is in it.
      const isHeard = watchers.some(({ _closers }) => _closers.has(path));
      if (!isHeard || identities.get(path) !== identityOf(stats)) return false;
      const below = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
      return below.every(({ name }) => isWatched(join(path, name)));
    } catch {
      // It goes away just now, which is reported too.
      return true;
    }
  };
  let isReady = false;
  let isLost = false;
  const add = (paths: readonly string[], options: ChokidarOptions, isHeard: (path: string) => boolean): void => {
    // Of no path a watcher is never ready.
    if (paths.length === 0) return;
    const hear = (path: string): void => {
      if (isReady && isHeard(path)) onHint(path);
    };
    const watcher = watch([...paths], { ...OPTIONS, ...options });
    watcher.on("raw", (event, name, details) => {
      const path = join((details as { readonly watchedPath?: string }).watchedPath ?? "", name ?? "");
      if (event === "rename" && options.depth === undefined) renamed.add(path);
      hear(path);
    });
    watcher.on("addDir", (path, stats) => {
      if (stats !== undefined) identities.set(path, identityOf(stats));
      hear(path);
    });
    watcher.on("unlinkDir", (path) => {
      identities.delete(path);
      hear(path);
    });
    watcher.on("error", (error) => {
      if (!isLost) onLost(error instanceof Error ? error.message : String(error));
      isLost = true;
    });
    watchers.push(watcher);
  };
  add(folders, { ignored: (path, stats) => isNoFolder(stats) || isLeftOut(path) }, () => true);
  add(
    [...files.keys()],
    { depth: 0, ignored: (path, stats) => isNoFolder(stats) || !files.has(path) },
    (path) => files.get(dirname(path))?.has(basename(path)) === true,
  );
  await Promise.all(watchers.map((watcher) => new Promise<void>((ready) => watcher.once("ready", () => ready()))));
  isReady = true;
  return {
    isComplete() {
      const paths = [...renamed];
      renamed.clear();
      return paths.every(isWatched);
    },
    async close() {
      await Promise.all(watchers.map((watcher) => watcher.close()));
    },
  };
}

/** Tells a folder from one that was made later in its place; a system gives numbers of inodes out again. */
function identityOf({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev}:${ino}:${birthtimeMs}`;
}

function isNoFolder(stats: Stats | undefined): boolean {
  return stats !== undefined && !stats.isDirectory();
}

/** The real path of a root; of one that is not there, the path. */
function realRoot(root: string): string {
  try {
    return realpathSync(resolve(root));
  } catch {
    return resolve(root);
  }
}
