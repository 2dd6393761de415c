import { planTrees, type Tree } from "@docsearch/service/tree-plan";
import { hasFiles, type WalkOptions } from "@docsearch/source-fs";
import type { CallOptions } from "@docsearch/spec";
import { collectionsInReach, type Reach, resolveIndexPath, sourcesInReach } from "./index-paths.js";

/** Which files the server takes in where a source has no patterns of its own. */
export interface Patterns {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

export interface TreeRequest extends Reach, Patterns {
  /** Real paths of folders and files. */
  readonly paths: readonly string[];
  readonly indexPath?: string;
}

/**
 * What a run over paths reads, each tree with how it is walked, by what the config file says and the user trusts now.
 *
 * @param collections names of those that the index has
 * @throws `CONFIG_INVALID` for a path that is not there or may no longer be read, and for a wrong config file
 */
export async function indexTrees(
  request: TreeRequest,
  collections: readonly string[],
  call: CallOptions,
): Promise<readonly { readonly tree: Tree; readonly walk: WalkOptions }[]> {
  const { paths, projectRoot } = request;
  const trees = await planTrees({
    // Looked up again: a link may lead elsewhere by now, and trust may have been taken back.
    paths: paths.map((path) => resolveIndexPath(path, request)),
    sources: sourcesInReach(request),
    collections: collectionsInReach(collections, request),
    projectRoot,
    takesIn: (tree) => hasFiles(walkOf(tree, request), call),
  });
  return trees.map((tree) => ({ tree, walk: walkOf(tree, request) }));
}

/** How a tree is walked. Patterns of a source go before those of the server. */
export function walkOf(
  { root, within, ...patterns }: Omit<Tree, "collection">,
  { env, indexPath, ...byDefault }: Pick<TreeRequest, "env" | "indexPath" | "include" | "exclude">,
): WalkOptions {
  const include = patterns.include ?? byDefault.include;
  const exclude = patterns.exclude ?? byDefault.exclude;
  return {
    root,
    env,
    ...(include !== undefined && { include }),
    ...(exclude !== undefined && { exclude }),
    ...(within !== undefined && { within }),
    ...(indexPath !== undefined && { indexPath }),
  };
}
