import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { mulberry32 } from "./crash-support.js";
import { temporaryFolders } from "./support.js";
import { freshContents, startWatch, type Watch } from "./watch-support.js";

// Random changes under a watched folder. After each sequence the index must come to be what a first index of the folder
// is. DOCSEARCH_WATCH_SEQUENCES=500 tries more; the seed is printed, and DOCSEARCH_WATCH_SEED takes it again.

const SEQUENCES = Number(process.env.DOCSEARCH_WATCH_SEQUENCES || 60);
const SEED = Number(process.env.DOCSEARCH_WATCH_SEED || Math.floor(Math.random() * 2 ** 31));
const DEBOUNCE_MS = 60;
/** An index that is not right by then never will be. */
const PATIENCE_MS = 10_000;

const random = mulberry32(SEED);
const newFolder = temporaryFolders();
const hasGit = spawnSync("git", ["--version"]).status === 0;

function pick<T>(values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T;
}

const FOLDERS = ["", "a/", "a/deep/", "a/deep/er/", "b/", "b c/", "é/", "node_modules/x/"];
const NAMES = ["one.md", "two.md", "three.txt", "four.mdx", "ö.md", "tmp.log"];
const RULES = ["", "*.log\n", "b/\n", "/a/deep\n", "*.md\n!one.md\n", "é\n*.txt\n"];
const WORDS = ["kelp", "tide", "boat", "harbour", "lichen", "anchor"];

function newText(): string {
  const section = (): string => `## ${pick(WORDS)}\n\n${Array.from({ length: 12 }, () => pick(WORDS)).join(" ")}\n\n`;
  return `# ${pick(WORDS)}\n\n${Array.from({ length: 1 + Math.floor(random() * 4) }, section).join("")}`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A change of the tree. What cannot be done as the tree is now is passed over. */
const CHANGES: Readonly<Record<string, (root: string) => void>> = {
  write: (root) => write(join(root, pick(FOLDERS) + pick(NAMES)), newText()),
  "write again": (root) => write(join(root, pick(FOLDERS) + pick(NAMES)), newText()),
  "atomic save": (root) => {
    const path = join(root, pick(FOLDERS) + pick(NAMES));
    write(`${path}.tmp-1`, newText());
    renameSync(`${path}.tmp-1`, path);
  },
  "rename a file": (root) => {
    const to = join(root, pick(FOLDERS) + pick(NAMES));
    mkdirSync(dirname(to), { recursive: true });
    renameSync(join(root, pick(FOLDERS) + pick(NAMES)), to);
  },
  "delete a file": (root) => rmSync(join(root, pick(FOLDERS) + pick(NAMES))),
  "change permissions": (root) => chmodSync(join(root, pick(FOLDERS) + pick(NAMES)), pick([0o600, 0o644, 0o444])),
  "move a folder": (root) =>
    renameSync(join(root, pick(FOLDERS.slice(1))), join(root, pick(["moved", "a/moved", "b"]))),
  "delete a folder": (root) => rmSync(join(root, pick(FOLDERS.slice(1))), { recursive: true }),
  "make a folder anew": (root) => {
    const folder = join(root, pick(FOLDERS.slice(1)));
    rmSync(folder, { recursive: true, force: true });
    write(join(folder, pick(NAMES)), newText());
  },
  "change the rules": (root) => write(join(root, pick(["", "a/", "b/"]), ".gitignore"), pick(RULES)),
  "switch the branch": (root) => git(root, "checkout", "-q", "-f", pick(["main", "other", "third"])),
};

function git(root: string, ...args: string[]): void {
  spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd: root });
}

/** A repository of three branches that differ in most files. */
function makeTree(root: string): void {
  write(join(root, "keep.md"), "# Keep\n\nThis file is never touched.\n");
  if (!hasGit) return;
  git(root, "init", "-q", "-b", "main");
  for (const branch of ["main", "other", "third"]) {
    git(root, "checkout", "-q", "-B", branch);
    for (let i = 0; i < 15; i++) write(join(root, pick(FOLDERS) + pick(NAMES)), newText());
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", branch);
  }
}

/** The tree stays small, so that what is left is worth comparing. */
function size(root: string): number {
  return readdirSync(root, { recursive: true }).length;
}

async function expectFresh(watch: Watch, root: string, what: string): Promise<void> {
  const wanted = await freshContents(root);
  const end = Date.now() + PATIENCE_MS;
  while ((await watch.contents()) !== wanted && Date.now() < end) await sleep(15);
  expect(await watch.contents(), what).toBe(wanted);
}

test(`after each of ${SEQUENCES} random sequences of changes the watched index is that of a first run (seed ${SEED})`, async () => {
  const root = newFolder();
  makeTree(root);
  const watch = await startWatch(root, join(newFolder(), "index.db"), DEBOUNCE_MS);
  const done: Record<string, number> = {};
  try {
    await expectFresh(watch, root, "at the start");
    for (let sequence = 0; sequence < SEQUENCES; sequence++) {
      const names: string[] = [];
      for (let step = 0; step < 2 + random() * 8; step++) {
        const name = pick(Object.keys(CHANGES));
        try {
          CHANGES[name]?.(root);
          done[name] = (done[name] ?? 0) + 1;
          names.push(name);
        } catch {
          // There is no such file or folder now.
        }
        if (random() < 0.3) await sleep(random() * 2 * DEBOUNCE_MS);
      }
      expect(existsSync(join(root, "keep.md")) && statSync(join(root, "keep.md")).size > 0).toBe(true);
      await expectFresh(watch, root, `seed ${SEED}, sequence ${sequence}: ${names.join(", ")}`);
    }
    expect(await watch.docsearch.check()).toEqual({ faults: [] });
    expect(watch.seen.overlapped).toBe(false);
    expect(size(root)).toBeGreaterThan(1);
  } finally {
    await watch.stop();
  }
  process.stdout.write(
    `watch oracle, seed ${SEED}: ${SEQUENCES} sequences, ${watch.seen.runs} runs, ${watch.seen.changing} of them changed the index; ${JSON.stringify(done)}\n`,
  );
}, 1_800_000);
