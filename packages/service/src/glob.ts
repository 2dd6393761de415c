/** Whether a pattern has a wildcard at all. */
export function isGlob(pattern: string): boolean {
  return /[*?{]/.test(pattern);
}

/** The folder before the first wildcard, with its slash; empty when the wildcard is in the first part. */
export function globFolder(pattern: string): string {
  const wildcard = pattern.search(/[*?{]/);
  return pattern.slice(0, pattern.lastIndexOf("/", wildcard) + 1);
}

/**
 * Whether paths match: `*` and `?` inside a part, `**` across parts, `{a,b}`; without a slash the pattern is for the
 * last part alone. Time is at most the product of both lengths, whatever the pattern.
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  const anchored = pattern.includes("/") ? pattern.replace(/^\//, "") : `**/${pattern}`;
  const alternatives = expandBraces(anchored).map(tokens);
  return (path) => alternatives.some((alternative) => matches(alternative, path));
}

/** Alternatives that one pattern may stand for. */
const MAX_ALTERNATIVES = 64;

function expandBraces(pattern: string): string[] {
  let patterns = [pattern];
  for (;;) {
    const expanded = patterns.flatMap((candidate) => {
      const found = /\{([^{}]*)\}/.exec(candidate);
      if (found === null) return [candidate];
      const [whole, choices = ""] = found;
      const before = candidate.slice(0, found.index);
      const after = candidate.slice(found.index + whole.length);
      return choices.split(",").map((choice) => before + choice + after);
    });
    if (expanded.length === patterns.length && expanded.every((one, index) => one === patterns[index])) return patterns;
    if (expanded.length > MAX_ALTERNATIVES) return patterns;
    patterns = expanded;
  }
}

/** `any` takes one character but a slash, `star` any number of them, `deep` any number of whole parts. */
type Token = string | { readonly kind: "any" | "star" | "deep" };

function tokens(pattern: string): Token[] {
  const found = pattern.match(/\*\*\/|\*+|\?|[^*?]/gs) ?? [];
  return found.map((part, index) => {
    if (part === "**/") return { kind: "deep" };
    if (part === "?") return { kind: "any" };
    if (part.startsWith("**") && index === found.length - 1) return { kind: "deep" };
    return part.startsWith("*") ? { kind: "star" } : part;
  });
}

/** One pass over the path with the set of tokens that may come next. */
function matches(pattern: readonly Token[], path: string): boolean {
  let states = closure(pattern, new Set([0]), true);
  for (let at = 0; at < path.length && states.size > 0; at++) {
    const character = path[at] as string;
    const next = new Set<number>();
    for (const state of states) {
      const token = pattern[state];
      if (token === undefined) continue;
      if (typeof token === "string") {
        if (token === character) next.add(state + 1);
      } else if (token.kind === "deep") next.add(state);
      else if (character !== "/") next.add(token.kind === "any" ? state + 1 : state);
    }
    states = closure(pattern, next, character === "/");
  }
  return states.has(pattern.length) || [...states].some((state) => isTrailingDeep(pattern, state));
}

/** Adds the states behind tokens that may take nothing more; `deep` ends only where a part begins. */
function closure(pattern: readonly Token[], states: Set<number>, atPartStart: boolean): Set<number> {
  for (const state of states) {
    const token = pattern[state];
    if (typeof token !== "object") continue;
    if (token.kind === "star" || (token.kind === "deep" && atPartStart)) states.add(state + 1);
  }
  return states;
}

function isTrailingDeep(pattern: readonly Token[], state: number): boolean {
  const token = pattern[state];
  return state === pattern.length - 1 && typeof token === "object" && token.kind === "deep";
}
