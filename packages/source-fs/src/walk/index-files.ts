import { realpathSync } from "node:fs";
import { basename, dirname, resolve, sep } from "node:path";

/** What stands beside an index under its name: logs and locks of SQLite, records of runs, other generations. */
const BESIDE = /^(?:-(?:wal|shm|journal)|\.(?:run|watch|times|stat|next|previous|swap|damaged)(?:-.*)?)*$/;

/** A function that tells the files of the index at a path from others, by their real paths. */
export function indexFiles(indexPath: string | undefined): (absolute: string) => boolean {
  if (indexPath === undefined) return () => false;
  const path = resolve(indexPath);
  const folder = realFolder(dirname(path));
  const start = (folder.endsWith(sep) ? folder : folder + sep) + basename(path);
  return (absolute) => absolute.startsWith(start) && BESIDE.test(absolute.slice(start.length));
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
