import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** In the header: the version of the file format that readers need (https://www.sqlite.org/fileformat2.html). */
const READ_VERSION = 18;
const WAL = 2;

/**
 * Whether an index can only be read as a file that nobody changes: it keeps a write-ahead log, for which SQLite makes
 * files beside it even to read, and its folder takes none. With a log beside it another process is at work, and
 * SQLite gets along with that one's files.
 */
export function isOnReadOnlyMedium(path: string): boolean {
  if (isWritable(dirname(path)) || sizeOf(`${path}-wal`) > 0 || sizeOf(`${path}-shm`) > 0) return false;
  const header = Buffer.alloc(READ_VERSION + 1);
  const file = openSync(path, "r");
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  return header[READ_VERSION] === WAL;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
