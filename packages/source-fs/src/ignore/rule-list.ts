import type { Pattern } from "./pattern.js";

/** The patterns of one ignore file, with the place where they hold. */
export interface RuleList {
  readonly patterns: readonly Pattern[];
  /** Length of the path of the file's folder with its slash: where the part begins that the patterns are held against. */
  readonly baseLength: number;
}

/**
 * The pattern that decides about an entry: the last one that matches in the last list that has one. Folders above
 * the entry are not looked at: a walk does not come below a folder that is left out.
 *
 * @param lists from the weakest to the strongest, all of folders above the entry
 * @param path byte string, separated by `/`, from the folder that base lengths count from
 */
export function decidingPattern(lists: readonly RuleList[], path: string, isFolder: boolean): Pattern | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  for (let at = lists.length - 1; at >= 0; at--) {
    const { patterns, baseLength } = lists[at] as RuleList;
    const relative = path.slice(baseLength);
    for (let index = patterns.length - 1; index >= 0; index--) {
      const pattern = patterns[index] as Pattern;
      if (pattern.folderOnly && !isFolder) continue;
      if (pattern.matches(pattern.nameOnly ? name : relative)) return pattern;
    }
  }
  return undefined;
}
