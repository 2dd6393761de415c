import { once } from "node:events";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { docsearch, found, json, start, temporaryFolders, writeFiles } from "./support.js";
import { freshContents, startWatch, type Watch } from "./watch-support.js";

const newFolder = temporaryFolders();

async function watching(files: Readonly<Record<string, string>>, debounceMs: number): Promise<[string, Watch]> {
  const folder = newFolder(files);
  const watch = await startWatch(folder, join(newFolder(), "index.db"), debounceMs);
  onTestFinished(() => watch.stop());
  await until(() => watch.seen.runs > 0);
  await sleep(debounceMs + 200);
  return [folder, watch];
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 15_000;
  while (!(await condition()) && Date.now() < end) await sleep(10);
  expect(await condition()).toBe(true);
}

async function paths({ docsearch: index }: Watch, query: string): Promise<string[]> {
  const { results } = await index.search({ query, mode: "keyword", limit: 1000 });
  return results.map(({ document }) => document.id);
}

test("wa-atomic-save: a file is found at every moment, each save is one update, names of editors are not indexed", async () => {
  const [folder, watch] = await watching({ "a.md": "v0 alpha\n", "b.md": "v0 beta\n" }, 100);
  let missing = 0;
  const timer = setInterval(async () => {
    for (const [word, path] of [
      ["alpha", "a.md"],
      ["beta", "b.md"],
    ] as const) {
      if (!(await paths(watch, word)).includes(path)) missing++;
    }
  }, 20);
  onTestFinished(() => clearInterval(timer));
  const before = watch.seen.changing;
  for (const words of [
    ["lamp", "heron"],
    ["zebra", "harbour"],
    ["lichen", "anchor"],
  ] as const) {
    for (const [index, name] of ["a.md", "b.md"].entries()) {
      const word = words[index] as string;
      writeFileSync(join(folder, `${name}.tmp-1`), `${word} ${name === "a.md" ? "alpha" : "beta"}\n`);
      renameSync(join(folder, `${name}.tmp-1`), join(folder, name));
      await sleep(300);
      await until(async () => (await paths(watch, word)).join() === name);
    }
  }
  expect(watch.seen.changing - before).toBe(6);
  expect(missing).toBe(0);
  writeFiles(folder, {
    "a.md~": "backup alpha",
    ".a.md.swp": "b0VIM 9.0\u0000\u0001",
    "4913": "",
    "a.md.tmp-1": "half alpha",
  });
  await sleep(400);
  const ids = (await watch.docsearch.listDocuments({ limit: 10 })).map(({ id }) => id);
  expect(ids).toEqual(["a.md", "b.md"]);
});

test("wa-branch-switch: 500 files rewritten twice are at most three runs, and no moment without most of them", async () => {
  const page = (branch: string, i: number): string => `# File ${i}\n\n${branch} branch ${i}\n`;
  const names = Array.from({ length: 500 }, (_, i) => `file-${i}.md`);
  const [folder, watch] = await watching(Object.fromEntries(names.map((name, i) => [name, page("main", i)])), 500);
  const visible: number[] = [];
  const timer = setInterval(async () => visible.push((await paths(watch, "branch")).length), 50);
  onTestFinished(() => clearInterval(timer));
  const before = watch.seen.runs;
  for (const branch of ["other", "main", "other"]) {
    names.forEach((name, i) => {
      writeFileSync(join(folder, `${name}.new`), page(branch, i));
      renameSync(join(folder, `${name}.new`), join(folder, name));
    });
    await sleep(100);
  }
  const wanted = await freshContents(folder);
  await until(async () => (await watch.contents()) === wanted);
  await sleep(800);
  expect(watch.seen.runs - before).toBeLessThanOrEqual(3);
  expect(watch.seen.overlapped).toBe(false);
  expect(Math.min(...visible)).toBeGreaterThanOrEqual(400);
  expect(await paths(watch, "branch")).toHaveLength(500);
});

test("in-same-rules-on-sync: index, a later run and a first index take the same files", async () => {
  const [folder, watch] = await watching(
    { ".gitignore": "*.tmp\n", ".notes/a.md": "alpha\n", "drafts/x.md": "draft kelp\n", "b.md": "kelp\n" },
    80,
  );
  const expectFresh = async (): Promise<void> => {
    const wanted = await freshContents(folder);
    await until(async () => (await watch.contents()) === wanted);
  };
  await expectFresh();
  writeFileSync(join(folder, ".notes/a.md"), "beta\n");
  await expectFresh();
  expect(await paths(watch, "beta")).toEqual([".notes/a.md"]);
  writeFileSync(join(folder, ".gitignore"), "*.tmp\ndrafts/\n");
  await expectFresh();
  expect(await paths(watch, "kelp")).toEqual(["b.md"]);
});

test("docsearch watch: indexes, follows changes, ends with a signal and a whole index", async () => {
  const folder = newFolder({ "docs/a.md": "kelp one\n", "docs/b.md": "kelp two\n" });
  const child = start(folder, ["watch", "docs", "--debounce", "0.2", "--json"]);
  const ended = once(child, "close");
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data) => {
    stdout += data;
  });
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  await until(() => stderr.includes(`docsearch: watching ${join(folder, "docs")}; Ctrl-C ends it\n`));
  writeFileSync(join(folder, "docs/c.md"), "kelp three\n");
  rmSync(join(folder, "docs/a.md"));
  await until(() => stdout.split("\n").length === 3);
  child.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  const reports = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(reports).toMatchObject([
    { formatVersion: 1, scanned: 2, replaced: 2, deleted: 0 },
    { scanned: 2, unchanged: 1, replaced: 1, deleted: 1 },
  ]);
  expect(stderr.endsWith("docsearch: no longer watching\n")).toBe(true);
  expect((await found(folder, "kelp")).sort()).toEqual(["docs/b.md", "docs/c.md"]);
  expect((await json(folder, ["doctor"])).sound).toBe(true);
  expect((await docsearch(folder, ["status"])).stderr).toBe("");
});

test("docsearch watch: a path that is not there, and a debounce that is none, are said at once", async () => {
  const folder = newFolder({ "docs/a.md": "kelp" });
  const missing = start(folder, ["watch", "dosc"]);
  const stderr = text(missing.stderr);
  expect(await once(missing, "close")).toEqual([2, null]);
  expect(await stderr).toContain("cannot be indexed: ENOENT");
  const { code, stderr: message } = await docsearch(folder, ["watch", "docs", "--debounce", "soon"]);
  expect(code).toBe(2);
  expect(message).toContain("Expected seconds from 0 to 3600");
});
