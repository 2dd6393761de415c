import { renameSync, rmSync } from "node:fs";
import type { Driver } from "./driver.js";
import { isDamage } from "./errors.js";
import { fileKind } from "./file-kind.js";

/**
 * Moves an index that SQLite finds damaged to `<path>.damaged`, so that a new one can take its place. Reads the whole
 * file; a file that is no index of ours is left alone.
 */
export function setDamagedAside(driver: Driver, path: string): void {
  if (fileKind(path) !== "index" || !isDamaged(driver, path)) return;
  renameSync(path, `${path}.damaged`);
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
}

function isDamaged(driver: Driver, path: string): boolean {
  const connection = driver.open(path, { readOnly: false });
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
