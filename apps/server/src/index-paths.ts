import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { type ProjectSource, projectSources, readableSources, refusalOf } from "@docsearch/service/config";
import { isInside, resolveInside } from "@docsearch/service/project";
import type { Env } from "@docsearch/spec";

/** What of the disk a server may read. */
export interface Reach {
  readonly projectRoot: string;
  /** Real paths of the folders that may be indexed. */
  readonly roots: readonly string[];
  readonly env: Env;
}

/**
 * The sources of the project that the server may read now: those below its roots, and where no roots were named also those
 * outside the project that the user trusts.
 *
 * @throws `CONFIG_INVALID` for a config file that is not understood
 */
export function sourcesInReach({ projectRoot, roots, env }: Reach): readonly ProjectSource[] {
  const hasOwnRoots = (env.DOCS_SERVER_ROOTS?.trim() ?? "") !== "";
  return readableSources(projectSources(projectRoot, env)).filter(
    ({ real, access }) => (access === "trusted" && !hasOwnRoots) || roots.some((root) => isInside(root, real)),
  );
}

/**
 * The real path of what a caller wants indexed: a path from the project's folder, or the name of a source.
 *
 * @throws `CONFIG_INVALID` when it is not there, or the server may not read it; the message says nothing of what is outside
 */
export function resolveIndexPath(path: string, reach: Reach): string {
  const { projectRoot, roots, env } = reach;
  try {
    return resolveInside(path, projectRoot, roots);
  } catch (refusal) {
    const config = projectSources(projectRoot, env);
    if (config === undefined) throw refusal;
    const wanted = resolve(projectRoot, path);
    const named = config.sources.find(({ name, root }) => name === path || root === wanted);
    if (named?.access === "outside") throw refusalOf(config, named);
    const allowed = sourcesInReach(reach).map(({ real }) => real);
    return resolveInside(named?.real ?? path, projectRoot, [...roots, ...allowed]);
  }
}

/** Names of collections that were made from a folder which the server may read. */
export function collectionsInReach(names: readonly string[], { projectRoot, roots }: Reach): string[] {
  return names.filter((name) => {
    try {
      const real = realpathSync(resolve(projectRoot, name));
      return roots.some((root) => isInside(root, real));
    } catch {
      return false;
    }
  });
}
