import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Docsearch } from "@docsearch/core";
import { isInside, nameInProject } from "@docsearch/service/project";
import { type WalkOptions, walk } from "@docsearch/source-fs";
import type { CallOptions } from "@docsearch/spec";
import type { IndexJob } from "./index-job.js";

/**
 * The folder of the source that a path belongs to: of those that the index has and that may be read, the innermost one
 * around it that would take it in. A file that has changed is brought up to date with its source, and does not become one of its own. The
 * path itself when it is a source or belongs to none.
 *
 * @param path real path
 */
export async function enclosingSource(
  docsearch: Docsearch,
  path: string,
  { projectRoot, roots, ...options }: Omit<WalkOptions, "root"> & Pick<IndexJob, "projectRoot" | "roots">,
  call: CallOptions,
): Promise<string> {
  const counts = await docsearch.countByCollection(call);
  const names = new Set(counts.map(({ collection }) => collection));
  if (names.has(nameInProject(projectRoot, path) || ".")) return path;
  const around = [...names]
    .map((name) => resolve(projectRoot, name))
    .filter((folder) => roots.some((root) => isInside(root, folder)) && isInside(folder, path))
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true)
    .sort((a, b) => b.length - a.length);
  for (const folder of around) {
    for await (const item of walk({ ...options, root: folder }, call)) {
      if (item.type === "file" && isInside(path, item.absolutePath)) return folder;
    }
  }
  return path;
}
