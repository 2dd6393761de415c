import type { NameRule } from "../default-rules.js";

/** The name that a part of a pattern stands for; undefined when it has a wildcard. */
export function withoutWildcards(part: string): string | undefined {
  const name = part.replace(/\\(.)/gs, "$1");
  return /[*?[]/.test(part.replace(/\\./gs, "")) ? undefined : name;
}

/**
 * The default rule that a part of a pattern names: the one that catches its text when a letter stands for each
 * wildcard. So `*.min.js` names the rule for minified files and `*.js` names none.
 */
export function namedRule(part: string, ruleOf: (name: string) => NameRule | undefined): NameRule | undefined {
  return ruleOf(part.replace(/\\(.)|\*+|\?|\[[^\]]*\]/gs, (_, escaped: string | undefined) => escaped ?? "x"));
}
