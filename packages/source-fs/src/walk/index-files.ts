import { realpathSync } from "node:fs";
import { basename, dirname, resolve, sep } from "node:path";

/** What stands beside an index under its name: logs and locks of SQLite, records of runs, other generations. */
const ENDING = String.raw`(?:-(?:wal|shm|journal)|\.(?:run|watch|times|stat|next|previous|swap|damaged)(?:-[^/\\]*)?)`;
const BESIDE = new RegExp(`^${ENDING}*$`);
/** The same beside an index that is not the one at hand; it itself is left out as a file that is no text. */
const BESIDE_ANOTHER = new RegExp(String.raw`\.(?:db|sqlite3?)${ENDING}+$`);

/**
 * A function that tells the files of an index from others, by their real paths: those of the index at a path, and what
 * others leave beside them.
 */
export function indexFiles(indexPath: string | undefined): (absolute: string) => boolean {
  if (indexPath === undefined) return (absolute) => BESIDE_ANOTHER.test(absolute);
  const path = resolve(indexPath);
  const folder = realFolder(dirname(path));
  const start = (folder.endsWith(sep) ? folder : folder + sep) + basename(path);
  return (absolute) =>
    BESIDE_ANOTHER.test(absolute) || (absolute.startsWith(start) && BESIDE.test(absolute.slice(start.length)));
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
