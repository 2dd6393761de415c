import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The number of the file system that a folder lies on; undefined when there is no such folder. */
export function deviceOf(folder: string): number | undefined {
  try {
    const stats = statSync(folder);
    return stats.isDirectory() ? stats.dev : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What is not there of files that lay on other file systems than the root: where such a file is gone and its folder, or
 * the nearest one above that is left, is now on the root's own file system, a drive is away.
 *
 * @param paths of the files, relative to the root
 * @returns the places that are missing, folders with a slash at their end
 */
export function missingMounts(root: string, paths: Iterable<string>): string[] {
  const device = deviceOf(root);
  const missing: string[] = [];
  for (const path of paths) {
    if (missing.some((place) => place.endsWith("/") && path.startsWith(place))) continue;
    const parts = path.split("/");
    const depth = parts.findIndex((_, index) => !exists(join(root, ...parts.slice(0, index + 1))));
    if (depth === -1) continue;
    const above = join(root, ...parts.slice(0, depth));
    if (deviceOf(above) !== device) continue;
    const isEmpty = depth > 0 && isEmptyFolder(above);
    const place = parts.slice(0, isEmpty ? depth : depth + 1).join("/");
    missing.push(place === path ? place : `${place}/`);
  }
  return missing;
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Where nothing can be looked at, nothing is known to be gone.
    return (error as NodeJS.ErrnoException).code !== "ENOTDIR";
  }
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}
