import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Folder in which an index lives, beside what it indexes. */
export const INDEX_FOLDER = ".docsearch";

/** Names the sources of a project. */
export const CONFIG_FILE = "docsearch.config.json";

/** The nearest folder with an index or a config file, up to the root of the git repository; else the working directory. */
export function projectRoot(): string {
  const start = process.cwd();
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, INDEX_FOLDER)) || existsSync(join(folder, CONFIG_FILE))) return folder;
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return start;
  }
}

/**
 * Name of a file in the index, separated by `/`: inside the project its path from the project's folder, so that the
 * project can be moved; outside of it the absolute one. The folder itself is the empty name.
 */
export function nameInProject(root: string, file: string): string {
  const path = relative(root, file);
  const isInside = path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  return (isInside ? path : file).split(sep).join("/");
}

/** Absolute path of the file that a name stands for, whether it is there or not. */
export function fileOfName(root: string, name: string): string {
  return resolve(root, name);
}

/** Path by which the file of a name can be opened from the working directory; the name itself when there is none. */
export function shownPath(root: string, name: string): string {
  const file = fileOfName(root, name);
  if (isAbsolute(name) || !existsSync(file)) return name;
  return relative(process.cwd(), file) || name;
}
