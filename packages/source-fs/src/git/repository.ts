import { lstat, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** A working tree of git: a clone, a linked worktree or a submodule. */
export interface GitRepository {
  /** Absolute folder that holds `.git`. */
  readonly top: string;
  /** Absolute folder with `info/exclude` and `config`; absent when `.git` points to nothing. */
  readonly commonDirectory?: string;
  /** A second working tree of a repository that has its own elsewhere (`git worktree add`). */
  readonly isLinkedWorktree: boolean;
}

/** The working tree whose top is `folder`; undefined when it is not one. */
export async function repositoryAt(folder: string): Promise<GitRepository | undefined> {
  const dotGit = join(folder, ".git");
  const stats = await lstat(dotGit).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) {
    return (await exists(join(dotGit, "HEAD")))
      ? { top: folder, commonDirectory: dotGit, isLinkedWorktree: false }
      : undefined;
  }
  if (!stats.isFile()) return undefined;
  const pointer = await firstLine(dotGit);
  if (pointer === undefined || !pointer.startsWith("gitdir:")) return undefined;
  const gitDirectory = resolve(folder, pointer.slice("gitdir:".length).trim());
  const common = await firstLine(join(gitDirectory, "commondir"));
  const found = await exists(gitDirectory);
  return {
    top: folder,
    ...(found && { commonDirectory: common === undefined ? gitDirectory : resolve(gitDirectory, common) }),
    isLinkedWorktree: common !== undefined || (!found && looksLikeWorktree(gitDirectory)),
  };
}

/** The working tree that `folder` lies in. */
export async function enclosingRepository(folder: string): Promise<GitRepository | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const repository = await repositoryAt(at);
    if (repository !== undefined || dirname(at) === at) return repository;
  }
}

/** For a pointer to nothing, as in a copied tree: `.git/worktrees/NAME`, but not the submodule of such a name. */
function looksLikeWorktree(gitDirectory: string): boolean {
  return /(?<![\\/]modules)[\\/]worktrees[\\/][^\\/]+$/.test(gitDirectory);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function firstLine(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text?.split(/\r?\n/, 1)[0];
}
