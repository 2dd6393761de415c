import { realpathSync, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { DocsearchError } from "@docsearch/spec";
import type { ProjectSource } from "./config/project-sources.js";
import { isInside, nameInProject } from "./project.js";

/** A folder or file that a run reads, and of which collection its documents are. */
export interface Tree {
  /** Absolute path. */
  readonly root: string;
  readonly collection: string;
  /** Patterns of the source; absent where the run's own hold. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Path from the root, separated by `/`, where only this part of the collection is read. */
  readonly within?: string;
}

export interface TreePlanOptions {
  /** Absolute paths of folders and files that are there. */
  readonly paths: readonly string[];
  /** Sources of the project that may be read. */
  readonly sources: readonly ProjectSource[];
  /** Names of the collections that the index has. */
  readonly collections: readonly string[];
  readonly projectRoot: string;
  /** Whether reading a tree brings any file. */
  readonly takesIn: (tree: Tree) => Promise<boolean>;
}

/** A tree with the real path of its root. */
interface Known extends Tree {
  readonly real: string;
}

/**
 * What a run reads to bring paths up to date, so that every document stays in the collection to which it belongs:
 * - the sources of the project that are at a path or below it, whole;
 * - of those around it the part that is at the path;
 * - where no source takes in anything there, and it is no collection itself, the part of the collection around it that
 *   does, of those that were made from a folder; of several the innermost;
 * - else the path, as a collection of its own.
 *
 * What lies inside another tree comes first, so that its files are of its collection.
 *
 * @throws `CONFIG_INVALID` when a path would become a collection with the name of a source that lies elsewhere
 */
export async function planTrees(options: TreePlanOptions): Promise<Tree[]> {
  const { sources } = options;
  const known = sources.filter(({ real }) => isThere(real)).map(treeOf);
  const trees: Known[] = [];
  for (const path of options.paths) {
    const real = realpathSync(path);
    const below = known.filter((tree) => isInside(real, tree.real));
    const around = partsAround(known, real);
    trees.push(...below, ...around);
    if (below.some((tree) => tree.real === real) || (await anyTakesIn(around, options))) continue;
    trees.push(await otherTree(path, real, options));
  }
  return innerFirst(withoutRepeats(trees)).map(({ real: _, ...tree }) => tree);
}

/** The trees of all sources, whether they are there or not. */
export function treesOfSources(sources: readonly ProjectSource[]): Tree[] {
  return innerFirst(sources.map(treeOf)).map(({ real: _, ...tree }) => tree);
}

function treeOf({ name, root, real, include, exclude }: ProjectSource): Known {
  return { root, real, collection: name, ...(include && { include }), ...(exclude && { exclude }) };
}

/** The part of each tree that is at a path, of those that are around it. */
function partsAround(trees: readonly Known[], real: string): Known[] {
  return trees
    .filter((tree) => tree.real !== real && isInside(tree.real, real))
    .map((tree) => ({ ...tree, within: relative(tree.real, real).split(sep).join("/") }));
}

async function anyTakesIn(trees: readonly Known[], { takesIn }: TreePlanOptions): Promise<boolean> {
  for (const { real: _, ...tree } of trees) if (await takesIn(tree)) return true;
  return false;
}

/** A path of which no source takes in anything. */
async function otherTree(path: string, real: string, options: TreePlanOptions): Promise<Known> {
  const { projectRoot, sources, collections, takesIn } = options;
  const collection = nameInProject(projectRoot, path) || ".";
  const own = { root: path, real, collection };
  const namesake = sources.find(({ name }) => name === collection);
  if (namesake !== undefined) {
    const expected = `another name for that source in the config file, since ${namesake.path} and ${collection} would share it`;
    const message = `${collection} is the name of a source, which is at ${namesake.path}; expected ${expected}`;
    throw new DocsearchError("CONFIG_INVALID", message, { setting: "paths", value: collection, expected });
  }
  if (collections.includes(collection)) return own;
  const isOfSource = new Set(sources.map(({ name }) => name));
  const folders = collections
    .filter((name) => !isOfSource.has(name))
    .map((name) => ({ root: resolve(projectRoot, name), collection: name }))
    .filter(({ root }) => isThere(root))
    .map((tree) => ({ ...tree, real: realpathSync(tree.root) }));
  for (const { real: folder, ...part } of innerFirst(partsAround(folders, real))) {
    if (await takesIn(part)) return { ...part, real: folder };
  }
  return own;
}

/** Each tree once, and no part of what is read anyway. */
function withoutRepeats(trees: readonly Known[]): Known[] {
  const kept: Known[] = [];
  const isCovered = (tree: Known): boolean =>
    kept.some(
      ({ collection, root, within }) =>
        collection === tree.collection &&
        root === tree.root &&
        (within === undefined || within === tree.within || tree.within?.startsWith(`${within}/`) === true),
    );
  const depth = ({ within }: Known): number => (within === undefined ? -1 : within.length);
  for (const tree of [...trees].sort((a, b) => depth(a) - depth(b))) if (!isCovered(tree)) kept.push(tree);
  return kept;
}

function innerFirst<T extends Known>(trees: readonly T[]): T[] {
  return [...trees].sort((a, b) => b.real.length - a.real.length);
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A folder above it that may not be entered, or links in a circle.
    return false;
  }
}
