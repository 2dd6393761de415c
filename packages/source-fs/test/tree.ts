import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type WalkItem, type WalkOptions, walk } from "@docsearch/source-fs";
import type { Env } from "@docsearch/spec";
import { onTestFinished } from "vitest";

/** What stands at a path: the content of a file, or a link. A path that ends with a slash is a folder. */
export type TreeEntry = string | Uint8Array | { readonly link: string };

/** A new folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "source-fs-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes the entries below `root`, in order. */
export function writeTree(root: string, entries: Readonly<Record<string, TreeEntry>>): void {
  for (const [path, entry] of Object.entries(entries)) {
    const absolute = join(root, path);
    if (path.endsWith("/")) {
      mkdirSync(absolute, { recursive: true });
      continue;
    }
    mkdirSync(dirname(absolute), { recursive: true });
    if (typeof entry === "string" || entry instanceof Uint8Array) writeFileSync(absolute, entry);
    else symlinkSync(entry.link, absolute);
  }
}

/** A temporary folder with these entries. */
export function tree(entries: Readonly<Record<string, TreeEntry>>): string {
  const root = temporaryFolder();
  writeTree(root, entries);
  return root;
}

/** What git needs to take a folder for a repository. */
export const REPOSITORY: Readonly<Record<string, TreeEntry>> = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/objects/": "",
  ".git/refs/": "",
  ".git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
};

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** A home folder without settings of git: those of whoever runs the tests must not count. */
export const NO_SETTINGS: Env = { HOME: "/nonexistent" };

/** All items of a walk. Ignore files are taken in, so that tests of rules see that they are there. */
export async function walkAll(options: WalkOptions): Promise<WalkItem[]> {
  return collect(walk({ env: NO_SETTINGS, allow: ["ignore-file", "temporary"], ...options }));
}

/** The paths of the files that a walk takes in. */
export async function walkFiles(options: WalkOptions): Promise<string[]> {
  const items = await walkAll(options);
  return items.filter(({ type }) => type === "file").map(({ path }) => path);
}

/** What a walk leaves out, as `path: reason`. */
export async function walkSkips(options: WalkOptions): Promise<string[]> {
  const items = await walkAll(options);
  return items.flatMap((item) => (item.type === "skip" ? [`${item.path}: ${item.reason}`] : []));
}
