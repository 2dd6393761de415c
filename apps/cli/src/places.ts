import { type Stats, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type Place as NamedPlace, placeOf } from "@docsearch/service/index-places";
import { type FileSourceOptions, fileSource } from "@docsearch/source-fs";
import { DocsearchError } from "@docsearch/spec";

/** A place as the command line named it. */
export interface Place extends NamedPlace {
  /** What its root is called when the source leaves it out as a whole. */
  readonly rootName: string;
}

export type Selection = Pick<FileSourceOptions, "include" | "exclude" | "allow" | "maxFileBytes">;

/**
 * The places that paths name. A place inside another comes first, so that its files are of its collection.
 *
 * @throws `CONFIG_INVALID` for a path that is not there or is no folder or file, and for a pattern that is none
 */
export function placesOf(paths: readonly string[], selection: Selection, projectRoot: string): Place[] {
  const roots = [...new Set(paths.map((path) => resolve(path)))].sort((a, b) => b.length - a.length);
  return roots.map((root) => {
    const isDirectory = isFolder(root);
    const place = placeOf(root, isDirectory, projectRoot, (folder, collection) =>
      fileSource({ root: folder, collection, env: process.env, ...selection }),
    );
    const { prefix } = place;
    return { ...place, rootName: isDirectory ? prefix || "./" : prefix + basename(root) };
  });
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
