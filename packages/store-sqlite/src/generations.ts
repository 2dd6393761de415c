// An index is made anew in a file beside the one that answers, and then copied over it by SQLite in one transaction:
// whoever reads sees the one or the other, and a process that is killed changes nothing. The files keep their names, so
// nobody who has one open is left with a log that belongs to another file. What was replaced stays as `<path>.previous`.

import { renameSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { DocsearchError } from "@docsearch/spec";
import type { Connection, Driver } from "./driver.js";
import { fileKind } from "./file-kind.js";
import { readState } from "./meta.js";

/** How long to wait for another process that writes to the index, in milliseconds. */
const PATIENCE_MS = 10_000;

/** What SQLite puts beside a file. */
const LOGS = ["-wal", "-shm", "-journal"];

/** The file in which an index is made anew. */
export function nextPath(path: string): string {
  return `${path}.next`;
}

function previousPath(path: string): string {
  return `${path}.previous`;
}

/** Keeps the index at `path` as the previous one, and puts the one of `next` in its place. */
export async function publish(driver: Driver, next: Connection, path: string): Promise<void> {
  if (fileKind(path) === "index") await copyFile(driver, path, previousPath(path));
  await copyOver(driver, next, path);
}

/**
 * Puts the previous index in the place of the one at `path`, which becomes the previous one. At every moment both are
 * there, under these names or as `<path>.swap`: one that was killed is ended by the next call.
 *
 * @throws `INDEX_MISSING` when there is none
 */
export async function restorePrevious(driver: Driver, path: string): Promise<void> {
  const previous = previousPath(path);
  const swap = `${path}.swap`;
  if (isHalfDone(driver, path)) {
    takeName(swap, previous);
    return;
  }
  if (fileKind(previous) !== "index") {
    const command = "docsearch index --rebuild";
    const message = `There is no previous index at ${previous}: an index is kept there when another is put in its place (${command}).`;
    throw new DocsearchError("INDEX_MISSING", message, { location: previous, command });
  }
  removeIndex(swap);
  const isThere = fileKind(path) === "index";
  if (isThere) await copyFile(driver, path, swap);
  await copyFile(driver, previous, path);
  if (isThere) takeName(swap, previous);
  else removeIndex(previous);
}

/** Whether a call before has put the previous index in place, and has not come to keep the one that it replaced. */
function isHalfDone(driver: Driver, path: string): boolean {
  try {
    const swapped = numberingOf(driver, `${path}.swap`);
    const answering = numberingOf(driver, path);
    return swapped !== undefined && swapped !== answering && answering === numberingOf(driver, previousPath(path));
  } catch {
    // A copy that was not ended.
    return false;
  }
}

/** Gives an index that nobody has open the name of another one, which goes. */
function takeName(from: string, to: string): void {
  for (const suffix of LOGS) rmSync(to + suffix, { force: true });
  renameSync(from, to);
  for (const suffix of LOGS) rmSync(from + suffix, { force: true });
}

/** Deletes an index that nobody has open. */
export function removeIndex(path: string): void {
  for (const suffix of ["", ...LOGS]) rmSync(path + suffix, { force: true });
}

async function copyFile(driver: Driver, from: string, to: string): Promise<void> {
  const source = driver.open(from, { access: "write" });
  try {
    await copyOver(driver, source, to);
  } finally {
    source.close();
  }
}

/** SQLite's copy does nothing, and says nothing, while another process writes to the target: so it is looked at. */
async function copyOver(driver: Driver, source: Connection, to: string): Promise<void> {
  const wanted = readState(source).numbering;
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    await source.backup(to);
    if (numberingOf(driver, to) === wanted) return;
    if (Date.now() > end) {
      throw new DocsearchError(
        "STORE_FAILED",
        `Another process has been writing to ${to} for ${PATIENCE_MS / 1000} seconds, and nothing was changed. Wait for it, and run the command again.`,
        { operation: "publish" },
      );
    }
    await sleep(50);
  }
}

function numberingOf(driver: Driver, path: string): string | undefined {
  if (fileKind(path) !== "index") return undefined;
  const connection = driver.open(path, { access: "write" });
  try {
    return readState(connection).numbering;
  } finally {
    connection.close();
  }
}
