import { type Stats, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { projectSources, readableSources, requireReadable } from "@docsearch/service/config";
import { type Place as NamedPlace, placeOf } from "@docsearch/service/index-places";
import { nameInProject } from "@docsearch/service/project";
import { planTrees, type Tree, treesOfSources } from "@docsearch/service/tree-plan";
import { type FileSourceOptions, fileSource, hasFiles } from "@docsearch/source-fs";
import { type CallOptions, DocsearchError } from "@docsearch/spec";

/** A place as the command line or the config file named it. */
export interface Place extends NamedPlace {
  /** What its root is called when the source leaves it out as a whole. */
  readonly rootName: string;
  /** With the patterns of its source, and the part of it that is read. */
  readonly selection: Selection;
}

/** Which files of a place are read, and how. */
export type Selection = Pick<
  FileSourceOptions,
  "include" | "exclude" | "allow" | "maxFileBytes" | "indexPath" | "statCache" | "ignoreMissingMounts" | "within"
>;

/** What a run was asked for. */
export interface RunRequest {
  /** Absolute paths of folders and files; empty for the sources of the project. */
  readonly paths: readonly string[];
  readonly selection: Selection;
  readonly projectRoot: string;
}

/** The places that paths name, each as a collection of its own, whatever the project's config file says. */
export function placesOf(paths: readonly string[], selection: Selection, projectRoot: string): Place[] {
  const trees = [...new Set(paths.map((path) => resolve(path)))].map((root) => ({
    root,
    collection: nameInProject(projectRoot, root) || ".",
  }));
  return placesOfTrees(trees, selection, projectRoot).sort((a, b) => b.root.length - a.root.length);
}

/**
 * Checks what a run was asked for, before an index is opened: what was named, else the sources of the project, else the
 * working directory.
 *
 * @throws `CONFIG_INVALID` for a path that is not there or is no folder or file, for a pattern that is none, for a config
 * file that is not understood, and for a source outside the project that the user has not trusted
 */
export function requestOf(paths: readonly string[], selection: Selection, projectRoot: string): RunRequest {
  const sources = projectSources(projectRoot, process.env);
  if (paths.length === 0 && sources !== undefined && sources.sources.length > 0) {
    requireReadable(sources);
    placesOfTrees(treesOfSources(sources.sources), selection, projectRoot);
    return { paths: [], selection, projectRoot };
  }
  const named = [...new Set((paths.length === 0 ? ["."] : paths).map((path) => resolve(path)))];
  placesOf(named, selection, projectRoot);
  return { paths: named, selection, projectRoot };
}

/**
 * The places of a run, by what the config file says and what is on the disk now.
 *
 * @param collections names of those that the index has
 * @throws like `requestOf`
 */
export async function placesOfRun(
  { paths, selection, projectRoot }: RunRequest,
  collections: readonly string[],
  call: CallOptions,
): Promise<Place[]> {
  const sources = projectSources(projectRoot, process.env);
  if (paths.length === 0 && sources !== undefined) {
    requireReadable(sources);
    return placesOfTrees(treesOfSources(sources.sources), selection, projectRoot);
  }
  const takesIn = (tree: Tree): Promise<boolean> =>
    hasFiles({ root: tree.root, env: process.env, ...selectionWithin(tree, selection) }, call);
  const plan = { paths, sources: readableSources(sources), collections, projectRoot, takesIn };
  return placesOfTrees(await planTrees(plan), selection, projectRoot);
}

function placesOfTrees(trees: readonly Tree[], selection: Selection, projectRoot: string): Place[] {
  return trees.map((tree) => placeAt(tree, selectionWithin(tree, selection), projectRoot));
}

/** Patterns of a source go before those of the run. */
function selectionWithin({ include, exclude, within }: Tree, selection: Selection): Selection {
  return {
    ...selection,
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(within !== undefined && { within }),
  };
}

function placeAt(tree: Tree, selection: Selection, projectRoot: string): Place {
  const { root, collection } = tree;
  const isDirectory = isFolder(root);
  const source = fileSource({ root, collection, env: process.env, ...selection });
  const place = placeOf(tree, isDirectory, projectRoot, source);
  const { prefix } = place;
  return { ...place, rootName: isDirectory ? prefix || "./" : prefix + basename(root), selection };
}

function isFolder(path: string): boolean {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch (cause) {
    throw cannotBeIndexed(path, cause instanceof Error ? String(cause.message.split(",")[0]) : String(cause), cause);
  }
  if (stats.isFile() || stats.isDirectory()) return stats.isDirectory();
  throw cannotBeIndexed(path, "it is a pipe, a socket or a device");
}

function cannotBeIndexed(path: string, reason: string, cause?: unknown): DocsearchError {
  const expected = "a folder or file that exists and can be read";
  const message = `${path} cannot be indexed: ${reason}; expected ${expected}`;
  return new DocsearchError("CONFIG_INVALID", message, { setting: "paths", value: path, expected }, { cause });
}
