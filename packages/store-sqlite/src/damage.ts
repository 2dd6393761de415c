import { renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Driver } from "./driver.js";
import { isDamage } from "./errors.js";
import { fileKind } from "./file-kind.js";

/** Folder that holds nothing but what docsearch makes. */
const OWN_FOLDER = ".docsearch";

/** Whether a path is one where nobody but docsearch puts a file. */
export function isInOwnFolder(path: string): boolean {
  return basename(dirname(path)) === OWN_FOLDER;
}

/**
 * Moves what cannot be made into an index any more out of the way: an index that SQLite finds damaged, and a file whose
 * header is not that of an index, where nobody but docsearch puts one. Reads the whole file. Any other file is left
 * alone.
 */
export function setDamagedAside(driver: Driver, path: string): void {
  const kind = fileKind(path);
  const isOurs = kind === "index" || isInOwnFolder(path);
  const isHeaderLost = kind === "file of another kind" || kind === "database of another program";
  if (isOurs && (isHeaderLost || (kind === "index" && isDamaged(driver, path)))) setAside(path);
}

/** Moves an index to `<path>.damaged`, so that a new one can take its place. */
export function setAside(path: string): void {
  renameSync(path, `${path}.damaged`);
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
}

function isDamaged(driver: Driver, path: string): boolean {
  const connection = driver.open(path, { access: "write" });
  try {
    const row = connection.prepare<{ quick_check: string }>("PRAGMA quick_check(1)").get();
    return row?.quick_check !== "ok";
  } catch (error) {
    if (isDamage(error)) return true;
    throw error;
  } finally {
    connection.close();
  }
}
