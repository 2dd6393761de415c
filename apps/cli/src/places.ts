import { type Stats, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type Place as NamedPlace, placeOf } from "@docsearch/service/index-places";
import { type FileSourceOptions, fileSource } from "@docsearch/source-fs";
import { DocsearchError } from "@docsearch/spec";
import { readSources, type Sources } from "./config-file.js";

/** A place as the command line or the config file named it. */
export interface Place extends NamedPlace {
  /** What its root is called when the source leaves it out as a whole. */
  readonly rootName: string;
  readonly selection: Selection;
}

/** Which files of a place are read, and how. */
export type Selection = Pick<
  FileSourceOptions,
  "include" | "exclude" | "allow" | "maxFileBytes" | "indexPath" | "statCache" | "ignoreMissingMounts"
>;

/**
 * The places that paths name. A place inside another comes first, so that its files are of its collection.
 *
 * @throws `CONFIG_INVALID` for a path that is not there or is no folder or file, and for a pattern that is none
 */
export function placesOf(paths: readonly string[], selection: Selection, projectRoot: string): Place[] {
  const roots = [...new Set(paths.map((path) => resolve(path)))];
  return innerFirst(roots.map((root) => placeAt(root, selection, projectRoot)));
}

/** The same for the sources of a project, each under its name. Their own patterns go before those of the selection. */
function placesOfSources(sources: Sources, selection: Selection, projectRoot: string): Place[] {
  return innerFirst(
    Object.entries(sources).map(([name, { path, ...patterns }]) =>
      placeAt(resolve(projectRoot, path), { ...selection, ...patterns }, projectRoot, name),
    ),
  );
}

/**
 * The places of a run: those that were named, else the sources of the project, else the working directory.
 *
 * @throws like `placesOf` and `readSources`
 */
export function placesOfRun(paths: readonly string[], selection: Selection, projectRoot: string): Place[] {
  if (paths.length > 0) return placesOf(paths, selection, projectRoot);
  const sources = readSources(projectRoot) ?? {};
  if (Object.keys(sources).length === 0) return placesOf(["."], selection, projectRoot);
  return placesOfSources(sources, selection, projectRoot);
}

function innerFirst(places: readonly Place[]): Place[] {
  return [...places].sort((a, b) => b.root.length - a.root.length);
}

function placeAt(root: string, selection: Selection, projectRoot: string, name?: string): Place {
  const isDirectory = isFolder(root);
  const place = placeOf(root, isDirectory, projectRoot, (folder, ofPath) =>
    fileSource({ root: folder, collection: name ?? ofPath, env: process.env, ...selection }),
  );
  const { prefix, collection } = place;
  const rootName = isDirectory ? prefix || "./" : prefix + basename(root);
  return { ...place, collection: name ?? collection, rootName, selection };
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
