/** More alternatives than this are a mistake, or meant to exhaust memory. */
export const MAX_ALTERNATIVES = 1000;

/**
 * `*.{md,mdx}` as `*.md`, `*.mdx`. gitignore has no braces; globs on a command line do, and people write them there.
 * Braces without a comma, unpaired ones and those after a backslash stay as they are.
 *
 * @returns undefined above `MAX_ALTERNATIVES`
 */
export function expandBraces(pattern: string): string[] | undefined {
  const finished: string[] = [];
  const waiting = [pattern];
  while (waiting.length > 0) {
    const next = waiting.pop() as string;
    const group = firstGroup(next);
    if (group === undefined) finished.push(next);
    else waiting.push(...group.reverse());
    if (finished.length + waiting.length > MAX_ALTERNATIVES) return undefined;
  }
  return finished;
}

/** The pattern once for each alternative of its first group that has a comma. */
function firstGroup(pattern: string): string[] | undefined {
  for (let open = 0; open < pattern.length; open++) {
    if (pattern[open] === "\\") open++;
    else if (pattern[open] === "{") {
      const group = splitGroup(pattern, open);
      if (group === undefined || group.parts.length < 2) continue;
      const before = pattern.slice(0, open);
      const after = pattern.slice(group.end);
      return group.parts.map((part) => before + part + after);
    }
  }
  return undefined;
}

/** Parts between the commas of the group that opens at `open`, and the position after its closing brace. */
function splitGroup(pattern: string, open: number): { readonly parts: string[]; readonly end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\") at++;
    else if (char === "{") depth++;
    else if (char === "," && depth === 1) {
      parts.push(pattern.slice(start, at));
      start = at + 1;
    } else if (char === "}" && --depth === 0) {
      parts.push(pattern.slice(start, at));
      return { parts, end: at + 1 };
    }
  }
  return undefined;
}
