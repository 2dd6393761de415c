import { lstat, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Env } from "@docsearch/spec";
import { isTrue, parseGitConfig } from "./config.js";
import type { GitRepository } from "./repository.js";

/** What of git's configuration bears on which files are ignored. */
export interface GitSettings {
  /** Absolute: `core.excludesFile`, or where git looks when it is not set. The file need not be there. */
  readonly excludesFile: string;
  /** `core.ignoreCase`; where there is no repository, whether the file system itself ignores case. */
  readonly ignoreCase: boolean;
}

/** Files that include one another end somewhere. */
const MAX_INCLUDE_DEPTH = 10;

/**
 * Reads git's configuration without running git: the file of the system, the two of the user, the one of the
 * repository, and what they `include` (not `includeIf`). The last value counts.
 *
 * @param folder existing folder that is walked, as a real path
 * @param env where `HOME` and `XDG_CONFIG_HOME` are looked up
 */
export async function readGitSettings(
  folder: string,
  repository: GitRepository | undefined,
  env: Env,
): Promise<GitSettings> {
  const home = env.HOME || homedir();
  const userFolder = join(env.XDG_CONFIG_HOME || join(home, ".config"), "git");
  const files = ["/etc/gitconfig", join(userFolder, "config"), join(home, ".gitconfig")];
  if (repository?.commonDirectory !== undefined) files.push(join(repository.commonDirectory, "config"));
  let excludesFile: string | undefined;
  let ignoreCase: boolean | undefined;
  for (const file of files) {
    for (const { name, value } of await readVariables(file, home, 0)) {
      if (name === "core.excludesfile") excludesFile = value;
      if (name === "core.ignorecase") ignoreCase = isTrue(value);
    }
  }
  return {
    excludesFile:
      excludesFile === undefined
        ? join(userFolder, "ignore")
        : resolve(repository?.top ?? folder, expandHome(excludesFile, home)),
    ignoreCase: repository === undefined ? await ignoresCase(folder) : (ignoreCase ?? false),
  };
}

async function readVariables(file: string, home: string, depth: number): Promise<ReturnType<typeof parseGitConfig>> {
  const text = await readFile(file, "utf8").catch(() => "");
  const variables: ReturnType<typeof parseGitConfig> = [];
  for (const variable of parseGitConfig(text)) {
    if (variable.name !== "include.path") variables.push(variable);
    else if (depth < MAX_INCLUDE_DEPTH) {
      const included = resolve(dirname(file), expandHome(variable.value, home));
      variables.push(...(await readVariables(included, home, depth + 1)));
    }
  }
  return variables;
}

function expandHome(path: string, home: string): string {
  return /^~[\\/]/.test(path) ? join(home, path.slice(2)) : path;
}

/** Asks the file system for `folder` in the other case. A path without a letter counts as told apart by case. */
async function ignoresCase(folder: string): Promise<boolean> {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const name = basename(at);
    const swapped = name.toUpperCase() === name ? name.toLowerCase() : name.toUpperCase();
    if (swapped === name) continue;
    const [own, other] = await Promise.all([lstat(at), lstat(join(dirname(at), swapped)).catch(() => undefined)]);
    return other !== undefined && own.ino === other.ino && own.dev === other.dev;
  }
  return false;
}
