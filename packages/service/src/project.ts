import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { DocsearchError } from "@docsearch/spec";

/** Folder in which an index lives, beside what it indexes. */
export const INDEX_FOLDER = ".docsearch";

/** Names that the file with the sources of a project may have; a project has one of them. */
export const CONFIG_FILES = ["docsearch.config.json", "docsearch.config.yaml", "docsearch.config.yml"] as const;

/**
 * The nearest folder with an index or a config file, from `start` up to the root of the git repository; else `start`
 * itself.
 */
export function projectRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if ([INDEX_FOLDER, ...CONFIG_FILES].some((name) => existsSync(join(folder, name)))) return folder;
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return start;
  }
}

/**
 * Name of a file in the index, separated by `/`: inside the project its path from the project's folder, so that the
 * project can be moved; outside of it the absolute one. The folder itself is the empty name.
 */
export function nameInProject(root: string, file: string): string {
  return (isInside(root, file) ? relative(root, file) : file).split(sep).join("/");
}

/** Whether `file` is `folder` or lies below it; both absolute. */
export function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

/**
 * The file or folder that a caller wants indexed, as its real path.
 *
 * @param roots real paths of the folders that may be indexed
 * @throws `CONFIG_INVALID` when it is not there or leads outside the roots; the message says nothing of what is outside
 */
export function resolveInside(path: string, base: string, roots: readonly string[]): string {
  const refuse = (): never => {
    const expected = "a folder or file of the project that exists, as a path from the project's folder";
    const message = `${JSON.stringify(path.slice(0, 200))} cannot be indexed: expected ${expected}. Other folders: DOCS_SERVER_ROOTS.`;
    throw new DocsearchError("CONFIG_INVALID", message, { setting: "path", value: path, expected });
  };
  if (path.includes("\0") || /^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return refuse();
  const wanted = resolve(base, path);
  // Before the file system is asked: whether something outside exists is nobody's business.
  if (!roots.some((root) => isInside(root, wanted))) return refuse();
  let real: string;
  try {
    real = realpathSync(wanted);
  } catch {
    return refuse();
  }
  return roots.some((root) => isInside(root, real)) ? real : refuse();
}
