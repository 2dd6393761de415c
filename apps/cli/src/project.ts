import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { projectRoot as rootAbove } from "@docsearch/service/project";

/** The folder of the project of the working directory. */
export function projectRoot(): string {
  return rootAbove(process.cwd());
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
