import { join, relative, sep } from "node:path";
import { decode } from "../decode/decode.js";
import { enclosingRepository, type GitRepository } from "../git/repository.js";
import { readGitSettings } from "../git/settings.js";
import { foldCase, toByteString } from "../ignore/byte-string.js";
import { type Pattern, parseIgnoreFile } from "../ignore/pattern.js";
import { readIgnoreFile } from "../ignore/read-ignore-file.js";
import { decidingPattern, type RuleList } from "../ignore/rule-list.js";
import type { CheckedOptions } from "./options.js";

/** The ignore rules that hold in one folder, from the weakest to the strongest. */
export interface Scope {
  readonly git: readonly RuleList[];
  /** Of `.docsearchignore`. They decide before git's. */
  readonly own: readonly RuleList[];
}

/** What holds for a whole walk. */
export interface Ground {
  /** Byte path from the top of the repository to the root, with a slash at its end; empty when they are the same. */
  readonly prefix: string;
  readonly ignoreCase: boolean;
  /** Of `core.excludesFile`. */
  readonly userPatterns: readonly Pattern[];
  /** What the folders above the root say about what is below it. */
  readonly scope: Scope;
}

/**
 * Reads what git and `.docsearchignore` say above the root, from the top of the repository downwards. When the rules
 * above leave out the root itself, none of them holds: it was named by hand, and such rules tend to match all of it.
 *
 * @param root real path of a folder
 */
export async function readGround(root: string, options: CheckedOptions): Promise<Ground> {
  const repository = await enclosingRepository(root);
  const settings = await readGitSettings(root, repository, options.env);
  const { ignoreCase } = settings;
  const top = repository?.top ?? root;
  const userPatterns = options.gitignore ? await patternsOfUser(settings.excludesFile, ignoreCase) : [];
  const git: RuleList[] = [];
  if (options.gitignore) git.push(...(await repositoryLists(repository, 0, userPatterns, ignoreCase)));
  const own: RuleList[] = [];
  let ignored = false;
  let ownIgnored = false;
  let path = "";
  for (const name of relative(top, root).split(sep)) {
    if (name === "") break;
    const folder = join(top, path);
    const baseLength = bytePath(path, ignoreCase).length;
    if (options.gitignore) {
      git.push({ patterns: await gitPatterns(join(folder, ".gitignore"), false, ignoreCase), baseLength });
    }
    own.push({ patterns: await ownPatterns(join(folder, ".docsearchignore"), ignoreCase), baseLength });
    const below = bytePath(path + name, ignoreCase);
    ignored ||= decidingPattern(git, below, true)?.negated === false;
    ownIgnored ||= decidingPattern(own, below, true)?.negated === false;
    path += `${name}/`;
  }
  return {
    prefix: bytePath(path, ignoreCase),
    ignoreCase,
    userPatterns,
    scope: { git: ignored ? [] : git, own: ownIgnored ? [] : own },
  };
}

export interface ScopeFolder {
  /** Real path. */
  readonly absolute: string;
  /** Byte path from the top of the repository, with a slash at its end; empty at the top. */
  readonly path: string;
  /** Names of the plain files in it. */
  readonly files: ReadonlySet<string>;
  /** The repository of which the folder is the top, when it is one below the root. */
  readonly repository?: GitRepository;
}

/** The rules in a folder: those of the folder above and its own. In a nested repository only its own git rules hold. */
export async function scopeWithin(
  parent: Scope,
  folder: ScopeFolder,
  ground: Ground,
  options: CheckedOptions,
): Promise<Scope> {
  const { ignoreCase } = ground;
  const baseLength = folder.path.length;
  let { git, own } = parent;
  if (options.gitignore) {
    if (folder.repository !== undefined) {
      git = await repositoryLists(folder.repository, baseLength, ground.userPatterns, ignoreCase);
    }
    if (folder.files.has(".gitignore")) {
      const patterns = await gitPatterns(join(folder.absolute, ".gitignore"), false, ignoreCase);
      git = [...git, { patterns, baseLength }];
    }
  }
  if (folder.files.has(".docsearchignore")) {
    const patterns = await ownPatterns(join(folder.absolute, ".docsearchignore"), ignoreCase);
    own = [...own, { patterns, baseLength }];
  }
  return { git, own };
}

/** What holds in a repository besides the ignore files of its folders. */
async function repositoryLists(
  repository: GitRepository | undefined,
  baseLength: number,
  userPatterns: readonly Pattern[],
  ignoreCase: boolean,
): Promise<RuleList[]> {
  const lists = [{ patterns: userPatterns, baseLength }];
  if (repository?.commonDirectory === undefined) return lists;
  const exclude = join(repository.commonDirectory, "info", "exclude");
  return [...lists, { patterns: await gitPatterns(exclude, true, ignoreCase), baseLength }];
}

/** Patterns of a file that git reads too. It follows links to its own files, and none in the tree. */
async function gitPatterns(file: string, followLink: boolean, ignoreCase: boolean): Promise<Pattern[]> {
  const bytes = await readIgnoreFile(file, followLink);
  return parseIgnoreFile(bytes.toString("latin1"), ignoreCase);
}

/** Patterns of `core.excludesFile`. Who runs without access to a home folder, as a service may, has none. */
async function patternsOfUser(file: string, ignoreCase: boolean): Promise<Pattern[]> {
  return gitPatterns(file, true, ignoreCase).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EACCES" || error.code === "EPERM") return [];
    throw error;
  });
}

/** Patterns of a `.docsearchignore`. Some Windows shells write UTF-16, which git would not understand. */
async function ownPatterns(file: string, ignoreCase: boolean): Promise<Pattern[]> {
  const bytes = await readIgnoreFile(file, false);
  const decoded = decode(bytes);
  const isWide = "encoding" in decoded && decoded.encoding.startsWith("utf-16");
  return parseIgnoreFile(isWide ? toByteString(decoded.text) : bytes.toString("latin1"), ignoreCase);
}

function bytePath(path: string, ignoreCase: boolean): string {
  const bytes = toByteString(path.split(sep).join("/"));
  return ignoreCase ? foldCase(bytes) : bytes;
}
