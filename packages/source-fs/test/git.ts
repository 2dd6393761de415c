import { spawnSync } from "node:child_process";

export const hasGit: boolean = spawnSync("git", ["--version"]).status === 0;

/**
 * Those of the paths that `git check-ignore` calls ignored, tracked or not.
 *
 * @param home folder with the user's settings of git
 * @param paths relative to `top`, beginning with `./` so that none is taken for a pathspec with magic
 */
export function checkIgnore(top: string, home: string, paths: readonly string[]): Set<string> {
  const { PATH } = process.env;
  const result = spawnSync("git", ["check-ignore", "-z", "--no-index", "--stdin"], {
    cwd: top,
    env: { PATH, HOME: home },
    input: paths.map((path) => `${path}\0`).join(""),
  });
  // 1 means that none is ignored.
  if (result.status !== 0 && result.status !== 1) throw new Error(`git check-ignore failed: ${result.stderr}`);
  return new Set(result.stdout.toString("utf8").split("\0"));
}
