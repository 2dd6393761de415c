import type { PathHint } from "../search/query-profile.js";

/**
 * What a query's paths say of the paths of an index: for each hint the paths with the longest equal tail, in whole
 * parts and file endings left aside, share its weight by the root of their number. A path without a file ending needs
 * two equal parts, for "read/write" is no file.
 */
export function matchPath(hints: readonly PathHint[], paths: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { kind, path: hint, weight } of hints) {
    const tails = paths.map((path) => Math.max(equalTail(hint, path), equalTail(parent(hint), path)));
    const longest = Math.max(0, ...tails);
    if (longest < (kind === "name" || /\.\w+$/.test(hint) ? 1 : 2)) continue;
    const matching = paths.filter((_, index) => tails[index] === longest);
    const value = weight / Math.sqrt(matching.length);
    for (const path of matching) found.set(path, Math.max(value, found.get(path) ?? 0));
  }
  return found;
}

/** How many of the last parts are equal. */
function equalTail(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)];
  let equal = 0;
  while (equal < Math.min(left.length, right.length) && left.at(-1 - equal) === right.at(-1 - equal)) equal++;
  return equal;
}

/** A dotted name may end with a member of its module. */
function parent(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}

function parts(path: string): string[] {
  const all = path.split("/").filter((part) => part !== "" && part !== ".");
  const last = all.pop();
  return last === undefined ? all : [...all, last.replace(/(?<=.)\.\w+$/, "")];
}
