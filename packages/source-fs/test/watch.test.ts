import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type WatchFilesOptions, watchFiles } from "@docsearch/source-fs";
import { expect, onTestFinished, test } from "vitest";
import { Hints } from "../src/watch/hints.js";
import { NO_SETTINGS, tree, walkFiles } from "./tree.js";

const never = new AbortController().signal;

/** Watches a folder; `seen` is the list of files that the last run found. */
function watching(root: string, options: Partial<WatchFilesOptions> = {}) {
  const end = new AbortController();
  const state = { runs: 0, active: 0, overlaps: 0, seen: [] as string[] };
  const done = watchFiles(
    { trees: [{ root, env: NO_SETTINGS }], debounceMs: 60, signal: end.signal, ...options },
    async () => {
      if (++state.active > 1) state.overlaps++;
      state.seen = await walkFiles({ root }).catch(() => ["gone"]);
      state.runs++;
      state.active--;
    },
  ).catch((error: unknown) => error);
  onTestFinished(async () => {
    end.abort();
    expect(await done).toMatchObject({ name: "AbortError" });
    expect(state.overlaps).toBe(0);
  });
  return state;
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 10_000;
  while (!condition() && Date.now() < end) await sleep(10);
  expect(condition()).toBe(true);
}

test("runs at the start, and again after files came, changed, moved and went", async () => {
  const root = tree({ "a.md": "a" });
  const state = watching(root);
  await until(() => state.runs === 1);
  const steps: [() => void, string[]][] = [
    [() => writeFileSync(join(root, "b.md"), "b"), ["a.md", "b.md"]],
    [() => mkdirSync(join(root, "deep/er/folder"), { recursive: true }), ["a.md", "b.md"]],
    [() => writeFileSync(join(root, "deep/er/folder/c.md"), "c"), ["a.md", "b.md", "deep/er/folder/c.md"]],
    [() => renameSync(join(root, "deep/er"), join(root, "er")), ["a.md", "b.md", "er/folder/c.md"]],
    [() => rmSync(join(root, "er"), { recursive: true }), ["a.md", "b.md"]],
    [() => renameSync(join(root, "b.md"), join(root, "a.md")), ["a.md"]],
  ];
  for (const [step, files] of steps) {
    const before = state.runs;
    step();
    await until(() => state.runs > before && state.seen.join() === files.join());
  }
});

test("a burst of changes is one run, and an edit of a file in a folder is seen", async () => {
  const root = tree({ "docs/a.md": "a" });
  const state = watching(root, { debounceMs: 300 });
  await until(() => state.runs === 1);
  await sleep(700);
  const before = state.runs;
  for (let i = 0; i < 100; i++) appendFileSync(join(root, "docs/a.md"), `line ${i}\n`);
  await until(() => state.runs === before + 1);
  await sleep(700);
  expect(state.runs).toBe(before + 1);
});

test("what is never indexed, and what the run writes itself, brings no run", async () => {
  const root = tree({
    ".git/HEAD": "",
    ".docsearch/index.db": "",
    "node_modules/x/a.js": "",
    ".gitignore": "out/\n",
    "out/a.md": "",
    "own.db": "",
  });
  const state = watching(root, { ignorePrefixes: [join(root, "own.db")] });
  await until(() => state.runs === 1);
  await sleep(300);
  const before = state.runs;
  for (const path of [".git/HEAD", ".docsearch/index.db", "node_modules/x/a.js", "out/a.md", "own.db", "own.db-wal"]) {
    writeFileSync(join(root, path), "new");
  }
  await sleep(500);
  expect(state.runs).toBe(before);
});

test("a folder that an ignore file takes back is watched from then on", async () => {
  const root = tree({ ".gitignore": "out/\n", "out/a.md": "a" });
  const state = watching(root);
  await until(() => state.runs === 1);
  writeFileSync(join(root, ".gitignore"), "");
  await until(() => state.seen.includes("out/a.md"));
  await sleep(300);
  writeFileSync(join(root, "out/b.md"), "b");
  await until(() => state.seen.includes("out/b.md"));
});

test("a root that goes away and comes back is watched again", async () => {
  const root = join(tree({ "docs/a.md": "a" }), "docs");
  const state = watching(root);
  await until(() => state.runs === 1);
  rmSync(root, { recursive: true });
  await until(() => state.seen.join() === "gone");
  mkdirSync(root);
  writeFileSync(join(root, "b.md"), "b");
  await until(() => state.seen.join() === "b.md");
  await sleep(300);
  writeFileSync(join(root, "c.md"), "c");
  await until(() => state.seen.join() === "b.md,c.md");
});

test("a root that is a file is seen through atomic saves, its neighbours are not", async () => {
  const folder = tree({ "a.md": "a", "b.md": "b" });
  const state = watching(join(folder, "a.md"));
  await until(() => state.runs === 1);
  await sleep(300);
  const before = state.runs;
  writeFileSync(join(folder, "b.md"), "new");
  await sleep(400);
  expect(state.runs).toBe(before);
  for (let save = 1; save <= 3; save++) {
    const runs = state.runs;
    writeFileSync(join(folder, "a.md.tmp"), `save ${save}`);
    renameSync(join(folder, "a.md.tmp"), join(folder, "a.md"));
    await until(() => state.runs > runs);
    await sleep(200);
  }
});

test("polling sees changes without being told", async () => {
  const root = tree({ "a.md": "a" });
  const state = watching(root, { poll: true });
  await until(() => state.runs === 1);
  await sleep(100);
  writeFileSync(join(root, "b.md"), "b");
  await until(() => state.seen.join() === "a.md,b.md");
});

test("an error of the run ends the watching", async () => {
  const failing = watchFiles({ trees: [{ root: tree({}) }], signal: never }, () => Promise.reject(new Error("full")));
  await expect(failing).rejects.toThrow("full");
});

test("hints that never rest are worked off all the same", async () => {
  const hints = new Hints(100, 300);
  const timer = setInterval(() => hints.add(), 20);
  onTestFinished(() => clearInterval(timer));
  await hints.quiet(never);
  await hints.quiet(never);
});

test("a wrong debounce is refused", async () => {
  await expect(watchFiles({ trees: [], debounceMs: -1, signal: never }, async () => {})).rejects.toMatchObject({
    code: "CONFIG_INVALID",
  });
});

test("of a part of a tree the changes there bring runs, and no others", async () => {
  const root = tree({ "guide/deep/a.md": "a", "guide/b.md": "b" });
  const state = watching(root, { trees: [{ root, env: NO_SETTINGS, include: ["*.md"], within: "guide/deep" }] });
  await until(() => state.runs === 1);
  await sleep(300);
  appendFileSync(join(root, "guide/b.md"), "more");
  await sleep(500);
  expect(state.runs).toBe(1);
  appendFileSync(join(root, "guide/deep/a.md"), "more");
  await until(() => state.runs === 2);
});

test("what is watched may change with each run, and stays when it cannot be told", async () => {
  const [first, second] = [tree({ "a.md": "a" }), tree({ "b.md": "b" })];
  let answer = async (): Promise<WatchFilesOptions["trees"]> => [{ root: first, env: NO_SETTINGS }];
  const state = watching(first, { treesNow: () => answer() });
  const bringsRun = async (file: string): Promise<void> => {
    const before = state.runs;
    appendFileSync(file, "more");
    await until(() => state.runs > before);
    await sleep(500);
  };
  const bringsNone = async (file: string): Promise<void> => {
    const before = state.runs;
    appendFileSync(file, "more");
    await sleep(500);
    expect(state.runs).toBe(before);
  };
  await until(() => state.runs === 1);
  await sleep(300);
  answer = async () => [{ root: second, env: NO_SETTINGS }];
  await bringsRun(join(first, "a.md"));
  await bringsNone(join(first, "a.md"));
  answer = () => Promise.reject(new Error("the config file is wrong"));
  for (let edit = 0; edit < 2; edit++) {
    await bringsRun(join(second, "b.md"));
    await bringsNone(join(first, "a.md"));
  }
});
