import { configError } from "../config-error.js";
import { fileRule, folderRule, type NameRule } from "../default-rules.js";
import { expandBraces, MAX_ALTERNATIVES } from "../ignore/braces.js";
import { toByteString } from "../ignore/byte-string.js";
import type { Matcher } from "../ignore/glob.js";
import { compileName, type Pattern, parsePattern } from "../ignore/pattern.js";
import { decidingPattern, type RuleList } from "../ignore/rule-list.js";
import type { DefaultRule } from "../skip-reason.js";
import { namedRule, withoutWildcards } from "./named-rule.js";

/** The `include` and `exclude` options. Paths are byte strings relative to the root, case-folded when case is ignored. */
export interface Selection {
  excludes(path: string, isFolder: boolean): boolean;
  /** @param parent whether the folder of the entry is included */
  includes(path: string, isFolder: boolean, parent: boolean): boolean;
  /** Whether a file below the folder, which itself is not included, may be. */
  mayIncludeBelow(folder: string): boolean;
  /** Whether an include pattern names the entry, or its kind, so closely that `rule` does not hold for it. */
  lifts(rule: DefaultRule, path: string, isFolder: boolean): boolean;
}

export interface SelectionOptions {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** @throws `CONFIG_INVALID` for a pattern that cannot match anything below the root */
export function compileSelection({ include = [], exclude = [] }: SelectionOptions, ignoreCase: boolean): Selection {
  const included = compile("include", include, ignoreCase);
  const excluded: RuleList[] = [{ patterns: compile("exclude", exclude, ignoreCase), baseLength: 0 }];
  if (included.length > 0 && included.every(({ negated }) => negated)) {
    throw configError("include", include.join(" "), "at least one pattern without `!`");
  }
  const includeList: RuleList[] = [{ patterns: included, baseLength: 0 }];
  const positive = included.filter(({ negated }) => !negated);
  const reaches = positive.map((pattern) => folderTest(pattern, ignoreCase));
  const lifts = positive.flatMap((pattern) => liftsOf(pattern, ignoreCase));
  return {
    excludes: (path, isFolder) => decidingPattern(excluded, path, isFolder)?.negated === false,
    includes: (path, isFolder, parent) => {
      const deciding = decidingPattern(includeList, path, isFolder);
      return deciding === undefined ? parent || included.length === 0 : !deciding.negated;
    },
    mayIncludeBelow: (folder) => reaches.some((reach) => reach(folder)),
    lifts: (rule, path, isFolder) =>
      lifts.some(({ prefix, exact, folder, file }) => {
        const named = exact || (isFolder ? folder : file) === rule;
        return named && decidingPattern([{ patterns: [prefix], baseLength: 0 }], path, isFolder) !== undefined;
      }),
  };
}

function compile(setting: string, globs: readonly string[], ignoreCase: boolean): Pattern[] {
  return globs
    .flatMap((glob) => alternatives(setting, glob))
    .map((text) => {
      const pattern = parsePattern(toByteString(text.replace(/^(!?)(?:\.\/)+/, "$1")), ignoreCase);
      if (pattern === undefined || /^(?:\/?\.\.)(?:\/|$)/.test(pattern.text)) {
        throw configError(setting, text, "a pattern in the syntax of .gitignore, relative to the root");
      }
      return pattern;
    });
}

function alternatives(setting: string, glob: string): string[] {
  const patterns = expandBraces(glob);
  if (patterns === undefined) throw configError(setting, glob, `at most ${MAX_ALTERNATIVES} alternatives in braces`);
  return patterns;
}

/** Parts of a pattern between slashes; undefined for one that can match at any depth or hides a slash in brackets. */
function partsOf({ text, nameOnly }: Pattern): string[] | undefined {
  return nameOnly || /\[[^\]]*\//.test(text) ? undefined : text.replace(/^\//, "").split("/");
}

/** Whether the pattern may match something below a folder that it does not match itself. */
function folderTest(pattern: Pattern, ignoreCase: boolean): Matcher {
  const parts = partsOf(pattern);
  if (parts === undefined) return () => true;
  const matchers = parts.map((part) => compileName(part, ignoreCase));
  // Behind two stars anything may follow.
  const deep = parts.findIndex((part) => part.includes("**"));
  return (folder) => {
    const names = folder.split("/");
    if (deep === -1 && names.length >= parts.length) return false;
    const compared = deep === -1 ? names : names.slice(0, deep);
    return compared.every((name, index) => matchers[index]?.(name) === true);
  };
}

interface Lift {
  /** Matches what the pattern names up to one of its parts. */
  readonly prefix: Pattern;
  /** That part has no wildcard: it names one entry. */
  readonly exact: boolean;
  /** The rules that folders and files named by that part would fall under. */
  readonly folder: NameRule | undefined;
  readonly file: NameRule | undefined;
}

function liftsOf(pattern: Pattern, ignoreCase: boolean): Lift[] {
  const parts = partsOf(pattern);
  if (parts === undefined) return pattern.nameOnly ? liftAt(pattern, pattern.text) : [];
  return parts.flatMap((part, index) => {
    if (index === parts.length - 1) return liftAt(pattern, part);
    const prefix = parsePattern(`/${parts.slice(0, index + 1).join("/")}/`, ignoreCase);
    return prefix === undefined ? [] : liftAt(prefix, part);
  });
}

function liftAt(prefix: Pattern, part: string): Lift[] {
  const exact = withoutWildcards(part) !== undefined;
  const folder = namedRule(part, folderRule);
  const file = namedRule(part, (name) => fileRule(name));
  return exact || folder !== undefined || file !== undefined ? [{ prefix, exact, folder, file }] : [];
}
