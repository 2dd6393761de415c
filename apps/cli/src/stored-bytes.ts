import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** A folder with more entries than this is no index; going through it would take seconds. */
const MOST_ENTRIES = 100_000;

/**
 * Bytes of an index: the size of its file, or of all files below its folder. Links are not followed. Nothing when the
 * location is no path that is there, or a folder with too much in it.
 */
export function storedBytes(location: string): number | undefined {
  const stats = statSync(location, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return stats?.size;
  let bytes = 0;
  let seen = 0;
  const folders = [location];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = entriesOf(folder);
    seen += entries.length;
    if (seen > MOST_ENTRIES) return;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) bytes += sizeOf(path);
    }
  }
  return bytes;
}

/** A store that is written to may remove a file or folder meanwhile. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}
