import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openStore, page, READ, temporaryPaths, term, textIds, vectorIds, WRITE } from "./support.js";

const newPath = temporaryPaths();
const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step();
});

const IS_ROOT = process.getuid?.() === 0;

/** Whether this process may mount a file system, for root is not stopped by permissions. */
const CAN_MOUNT = IS_ROOT && process.platform === "linux" && mounts();

function mounts(): boolean {
  const folder = dirname(newPath());
  try {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  }
}

/** An index on a medium that cannot be written to. */
async function frozen(): Promise<string> {
  const path = newPath();
  const store = await openStore(path);
  await store.write([page("a", [{ words: "alpha", vector: [1, 0, 0, 0] }])]);
  await store.close();
  const folder = `${path}-medium`;
  mkdirSync(folder);
  const copy = join(folder, "index.db");
  if (CAN_MOUNT) execFileSync("mount", ["-t", "tmpfs", "tmpfs", folder]);
  copyFileSync(path, copy);
  if (CAN_MOUNT) {
    undo.push(() => execFileSync("umount", [folder]));
    execFileSync("mount", ["-o", "remount,ro", folder]);
  } else {
    chmodSync(copy, 0o444);
    chmodSync(folder, 0o555);
    undo.push(() => chmodSync(folder, 0o755));
  }
  return copy;
}

const REASON = "skipped for root where nothing can be mounted: no permission stops root";

test.skipIf(IS_ROOT && !CAN_MOUNT)(`an index on a read-only medium can be searched (${REASON})`, async () => {
  const path = await frozen();
  const store = await openStore(path, READ);
  expect(await textIds(store, term("alpha"))).toEqual(["a#0"]);
  expect(await vectorIds(store, [1, 0, 0, 0])).toEqual(["a#0"]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
  expect(readdirSync(dirname(path))).toEqual([basename(path)]);
});

test.skipIf(IS_ROOT && !CAN_MOUNT)(`writing to one fails, and says why (${REASON})`, async () => {
  const path = await frozen();
  const error = await openStore(path, WRITE).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "STORE_FAILED" });
  expect(String(error)).toMatch(/the file cannot be written to\. Check its permissions|Its folder must be writable/);
});
