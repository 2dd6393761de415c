import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { docsearch, found, json, temporaryFolders, writeFiles } from "./support.js";

const newFolder = temporaryFolders();

/** Younger files are read in every run: they may have been written to again at the same time. */
const SETTLE_MS = 2300;

const statFile = (folder: string): string => join(folder, ".docsearch/index.db.stat");

/** A folder whose two files are known from a run. */
async function settled(): Promise<string> {
  const folder = newFolder({ "docs/a.md": "# Kelp\n\nkelp\n", "docs/b.md": "# Boat\n\nboat\n" });
  await sleep(SETTLE_MS);
  expect(await json(folder, ["index", "docs"])).toMatchObject({ replaced: 2 });
  return folder;
}

test("a file that looks as it did is not read, unless --rehash is given", async () => {
  const folder = await settled();
  expect(await json(folder, ["index", "docs"])).toMatchObject({ scanned: 2, unchanged: 2, failed: 0 });
  // What is written down of the files is believed: this makes both look changed.
  const saved = readFileSync(statFile(folder), "utf8");
  const hash = /"([0-9a-f]{64})"/.exec(saved)?.[1] as string;
  writeFileSync(statFile(folder), saved.replace(hash, "0".repeat(64)));
  expect(await json(folder, ["index", "docs", "--rehash"])).toMatchObject({ scanned: 2, unchanged: 2 });
  writeFileSync(statFile(folder), saved.replace(hash, "0".repeat(64)));
  expect(await json(folder, ["index", "docs"])).toMatchObject({ scanned: 2, unchanged: 1, replaced: 1, kept: 1 });
});

test("a change that leaves size and time as they were is found", async () => {
  const folder = await settled();
  const file = join(folder, "docs/a.md");
  const past = new Date("2020-01-01T00:00:00Z");
  utimesSync(file, past, past);
  await json(folder, ["index", "docs"]);
  await sleep(SETTLE_MS);
  await json(folder, ["index", "docs"]);
  writeFileSync(file, "# Crab\n\ncrab\n");
  utimesSync(file, past, past);
  expect(await json(folder, ["index", "docs"])).toMatchObject({ unchanged: 1, replaced: 1 });
  expect(await found(folder, "crab")).toEqual(["docs/a.md"]);
});

test("what is known of the files makes no index wrong: one that is gone, made anew, rolled back, or of other settings", async () => {
  const folder = await settled();
  const index = join(folder, ".docsearch/index.db");
  rmSync(index);
  expect(await json(folder, ["index", "docs"])).toMatchObject({ replaced: 2, unchanged: 0 });
  writeFiles(folder, { "docs/a.md": "# Crab\n\ncrab\n" });
  expect(await json(folder, ["index", "docs", "--rebuild"])).toMatchObject({ replaced: 2 });
  await docsearch(folder, ["index", "rollback"]);
  expect(await found(folder, "crab")).toEqual([]);
  expect(await json(folder, ["index", "docs"])).toMatchObject({ replaced: 1, unchanged: 1 });
  expect(await found(folder, "crab")).toEqual(["docs/a.md"]);
  expect(await docsearch(folder, ["index", "docs", "--chunk-size", "900"])).toMatchObject({ code: 2 });
  const other = ["--chunk-size", "900"];
  expect(await json(folder, ["index", "docs", "--rebuild", ...other])).toMatchObject({ replaced: 2 });
  expect(await found(folder, "crab", other)).toEqual(["docs/a.md"]);
});

test("an index among the files it is of does not come up in it", async () => {
  const folder = newFolder({ "a.md": "kelp\n" });
  const args = ["index", ".", "--store-url", "my.db"];
  expect(await json(folder, args)).toMatchObject({ scanned: 1, replaced: 1 });
  expect(readdirSync(folder)).toContain("my.db.stat");
  expect(await json(folder, args)).toMatchObject({ scanned: 1, unchanged: 1, deleted: 0 });
});

test("a skipped file that was left out by its content is listed in every run", async () => {
  const folder = newFolder({
    "docs/a.md": "kelp\n",
    "docs/b.bin": "\u0000\u0001\u0002",
    "docs/c.go": "// @generated\n",
  });
  await sleep(SETTLE_MS);
  for (let run = 0; run < 2; run++) {
    expect((await json(folder, ["index", "docs", "--list-skipped"])).skippedPaths).toEqual([
      { path: "docs/b.bin", reason: "binary" },
      { path: "docs/c.go", reason: "generated" },
    ]);
  }
});

const mount = (folder: string): boolean => spawnSync("mount", ["-t", "tmpfs", "tmpfs", folder]).status === 0;
const unmount = (folder: string): void => void execFileSync("umount", [folder]);

test("a drive inside a collection that is away costs no document, unless --prune is given", async (context) => {
  const folder = newFolder({ "docs/a.md": "kelp\n", "docs/b.md": "boat\n" });
  const drive = join(folder, "docs/drive");
  mkdirSync(drive);
  // Only root may.
  if (!mount(drive)) return context.skip();
  writeFiles(drive, { "deep/c.md": "kelp on a drive\n", "d.md": "kelp on a drive\n" });
  expect(await json(folder, ["index", "docs"])).toMatchObject({ scanned: 4, replaced: 4 });
  unmount(drive);
  rmSync(join(folder, "docs/b.md"));
  for (let run = 0; run < 2; run++) {
    const away = await docsearch(folder, ["index", "docs", "--json"]);
    expect(away.code).toBe(1);
    expect(JSON.parse(away.stdout)).toMatchObject({ unchanged: 1, deleted: run === 0 ? 1 : 0, failed: 1 });
    expect(away.stderr).toMatch(
      /^docsearch: docs\/drive\/ cannot be read: it was on a drive that is away\. .*--prune/m,
    );
    expect((await found(folder, "kelp")).sort()).toEqual(["docs/a.md", "docs/drive/d.md", "docs/drive/deep/c.md"]);
  }
  expect(mount(drive)).toBe(true);
  writeFiles(drive, { "d.md": "kelp is back\n" });
  expect(await json(folder, ["index", "docs"])).toMatchObject({ scanned: 2, deleted: 1, failed: 0 });
  unmount(drive);
  expect(await json(folder, ["index", "docs", "--prune"])).toMatchObject({ scanned: 1, deleted: 1, failed: 0 });
  expect(await found(folder, "kelp")).toEqual(["docs/a.md"]);
});
