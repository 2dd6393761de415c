import { lstatSync, type Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { CallOptions } from "@docsearch/spec";
import { configError } from "../config-error.js";
import { fileRule, folderRule } from "../default-rules.js";
import { FileAccess } from "../file-access.js";
import { fileError } from "../file-error.js";
import { type FileStep, FolderReader, type Step } from "./folder-reader.js";
import { type CheckedOptions, checkOptions, type WalkOptions } from "./options.js";
import { readGround } from "./scope.js";
import type { WalkItem } from "./walked.js";

type EntryStep = Exclude<Step, { type: "folder" }>;

/** Files of a folder that are looked at together. */
const STAT_AHEAD = 64;

/**
 * The files below a root that the ignore rules, the default rules and the options take in, and what was left out
 * with the reason, in code unit order of their paths. No file is opened but those with ignore rules.
 *
 * @throws `CONFIG_INVALID` at once for wrong options, and while iterating when the root is not there, cannot be
 * read, or goes away during the walk: what is missing then was not deleted
 */
export function walk(options: WalkOptions, call: CallOptions = {}): AsyncIterable<WalkItem> {
  const checked = checkOptions(options);
  return { [Symbol.asyncIterator]: () => walkItems(checked, call) };
}

async function* walkItems(options: CheckedOptions, call: CallOptions): AsyncGenerator<WalkItem, void, undefined> {
  for await (const items of walkGroups(options, call)) {
    for (const item of items) yield item;
  }
}

interface Root {
  /** Real path. */
  readonly absolute: string;
  readonly stats: Stats;
}

/** A root that was named by hand is taken whatever the rules say, but for this one: it may have been a wildcard of a shell. */
function isSecret({ absolute, stats }: Root, name: string): boolean {
  const names = [name, basename(absolute)];
  if (!stats.isFile()) return names.some((one) => folderRule(one) === "secret");
  return names.some((one) => fileRule(one, basename(dirname(absolute))) === "secret");
}

/** The same in groups of a few items: a step of an asynchronous iteration costs more than what is done for a file. */
export async function* walkGroups(
  options: CheckedOptions,
  { signal }: CallOptions,
): AsyncGenerator<WalkItem[], void, undefined> {
  signal?.throwIfAborted();
  const root = await findRoot(options);
  const path = basename(resolve(options.root));
  if (isSecret(root, path) && !options.allow.includes("secret")) {
    yield [{ type: "skip", path: root.stats.isFile() ? path : "./", reason: "secret" }];
    return;
  }
  if (root.stats.isFile()) {
    yield [
      fileItem(
        { type: "file", path, absolute: root.absolute, contentRules: [], reached: "directly" },
        root.stats,
        options,
      ),
    ];
    return;
  }
  const access = new FileAccess();
  const { reader, steps } = await openRoot(root, options, access);
  const levels = [{ steps: stepsWithin(steps, options.within), next: 0 }];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    signal?.throwIfAborted();
    const step = level.steps[level.next];
    if (step === undefined) {
      levels.pop();
    } else if (step.type === "folder") {
      level.next++;
      levels.push({ steps: stepsWithin(await reader.open(step.folder), options.within), next: 0 });
    } else if (isThroughLink(step) && (await reader.isDuplicate(step))) {
      level.next++;
      yield [{ type: "skip", path: step.path, reason: "link-duplicate" }];
    } else {
      const group = groupAt(level.steps, level.next);
      level.next += group.length;
      yield await access.call(
        () => group.map((one) => itemOf(one, options)),
        () => Promise.all(group.map((one) => itemThroughPool(one, options))),
      );
    }
  }
  await checkRoot(root, options);
}

/** The steps that lead to a part of the root or lie in it. */
function stepsWithin(steps: readonly Step[], within: string | undefined): readonly Step[] {
  if (within === undefined) return steps;
  return steps.filter((step) => {
    const path = pathOf(step).replace(/\/$/, "");
    return path === within || path.startsWith(`${within}/`) || within.startsWith(`${path}/`);
  });
}

function pathOf(step: Step): string {
  if (step.type === "folder") return step.folder.path;
  return step.type === "item" ? step.item.path : step.path;
}

/** The step at `start` and those behind it that can be done together with it. */
function groupAt(steps: readonly Step[], start: number): EntryStep[] {
  const few = steps.slice(start, start + STAT_AHEAD);
  const end = few.findIndex((step, index) => step.type === "folder" || (index > 0 && isThroughLink(step)));
  return (end === -1 ? few : few.slice(0, end)) as EntryStep[];
}

function isThroughLink(step: Step): step is FileStep {
  return step.type === "file" && step.reached !== "directly";
}

async function findRoot({ root }: CheckedOptions): Promise<Root> {
  const expected = "a folder or a file that exists and can be read";
  try {
    const absolute = await realpath(resolve(root));
    const stats = await lstat(absolute);
    if (stats.isFile() || stats.isDirectory()) return { absolute, stats };
  } catch (error) {
    throw configError("root", root, expected, error);
  }
  throw configError("root", root, expected);
}

async function openRoot(
  { absolute }: Root,
  options: CheckedOptions,
  access: FileAccess,
): Promise<{ readonly reader: FolderReader; readonly steps: readonly Step[] }> {
  try {
    const reader = new FolderReader(absolute, options, await readGround(absolute, options), access);
    return { reader, steps: await reader.open(reader.rootFolder) };
  } catch (error) {
    throw configError("root", options.root, "a folder that can be read, with its ignore files", error);
  }
}

/** A root that is another folder at the end (a mount that went away) makes the whole walk worthless. */
async function checkRoot(root: Root, options: CheckedOptions): Promise<void> {
  const { stats } = await findRoot(options);
  if (stats.ino !== root.stats.ino || stats.dev !== root.stats.dev) {
    throw configError("root", options.root, "a folder that stays in its place while it is read; run it again");
  }
}

function itemOf(step: EntryStep, options: CheckedOptions): WalkItem {
  if (step.type === "item") return step.item;
  try {
    return fileItem(step, lstatSync(step.absolute), options);
  } catch (error) {
    return failure(step, error);
  }
}

async function itemThroughPool(step: EntryStep, options: CheckedOptions): Promise<WalkItem> {
  if (step.type === "item") return step.item;
  try {
    return fileItem(step, await lstat(step.absolute), options);
  } catch (error) {
    return failure(step, error);
  }
}

function failure({ path }: FileStep, error: unknown): WalkItem {
  return { type: "failure", path, error: fileError(path, error) };
}

function fileItem(step: FileStep, { size, mtimeMs, ctimeMs, ino }: Stats, { maxFileBytes }: CheckedOptions): WalkItem {
  const { path, absolute, contentRules } = step;
  if (size > maxFileBytes) return { type: "skip", path, reason: "too-large" };
  return { type: "file", path, absolutePath: absolute, size, mtimeMs, ctimeMs, inode: ino, contentRules };
}
