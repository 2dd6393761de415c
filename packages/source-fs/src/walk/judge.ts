import { basename, dirname } from "node:path";
import { fileRule, folderRule } from "../default-rules.js";
import type { Pattern } from "../ignore/pattern.js";
import { decidingPattern } from "../ignore/rule-list.js";
import type { DefaultRule, SkipReason } from "../skip-reason.js";
import type { Entry } from "./entries.js";
import { namedRule, withoutWildcards } from "./named-rule.js";
import type { Scope } from "./scope.js";
import type { Selection } from "./selection.js";
import type { ContentRule } from "./walked.js";

const CONTENT_RULES: readonly ContentRule[] = ["generated", "minified"];

export interface Verdict {
  readonly skip?: SkipReason;
  /** Whether the include patterns take the entry. A folder that is not included may hold files that are. */
  readonly included: boolean;
  /** The pattern of `.docsearchignore` that decides about the entry. */
  readonly own?: Pattern;
}

/** What holds for all entries of one folder. */
export interface JudgeContext {
  readonly scope: Scope;
  readonly selection: Selection;
  readonly allow: readonly DefaultRule[];
  /** Length of the byte path of the root. */
  readonly rootLength: number;
  /** Whether the folder is included. */
  readonly parentIncluded: boolean;
  /** Whether a file, by its real path, belongs to our own index. */
  readonly isOfIndex: (absolute: string) => boolean;
}

/**
 * What the rules say about an entry by its name, path and kind. In this order: version control and our own index;
 * `exclude`; `.docsearchignore`; git, unless `.docsearchignore` takes the entry back; the default rules, unless
 * lifted; links and special files; `include`.
 *
 * @param path byte path from the top of the repository
 */
export function judge(entry: Entry, path: string, context: JudgeContext): Verdict {
  const { scope, selection } = context;
  const isFolder = entry.kind === "folder";
  const relative = path.slice(context.rootLength);
  const rule = isFolder ? folderRule(entry.bytes) : fileRule(entry.bytes, basename(dirname(entry.absolute)));
  const included = selection.includes(relative, isFolder, context.parentIncluded);
  if (rule === "version-control" || rule === "index") return { skip: rule, included };
  if (context.isOfIndex(entry.absolute)) return { skip: "index", included };
  if (selection.excludes(relative, isFolder)) return { skip: "excluded", included };
  const own = decidingPattern(scope.own, path, isFolder);
  if (own?.negated === false) return { skip: "docsearchignore", included };
  if (own === undefined && decidingPattern(scope.git, path, isFolder)?.negated === false) {
    return { skip: "gitignore", included };
  }
  const verdict: Verdict = own === undefined ? { included } : { included, own };
  if (rule !== undefined && !isLifted(rule, path, isFolder, verdict, context)) return { skip: rule, included };
  if (entry.linkProblem !== undefined) return { skip: entry.linkProblem, included };
  if (entry.kind === "special-file") return { skip: "special-file", included };
  if (included || (isFolder && selection.mayIncludeBelow(relative))) return verdict;
  return { skip: "not-included", included };
}

/** The rules about content that hold for a file. */
export function contentRulesOf(path: string, verdict: Verdict, context: JudgeContext): readonly ContentRule[] {
  const lifted = CONTENT_RULES.filter((rule) => isLifted(rule, path, false, verdict, context));
  return lifted.length === 0 ? CONTENT_RULES : CONTENT_RULES.filter((rule) => !lifted.includes(rule));
}

/** Whether a default rule does not hold for an entry: by `allow`, by `include`, or by `.docsearchignore`. */
export function isLifted(
  rule: DefaultRule,
  path: string,
  isFolder: boolean,
  { own }: Verdict,
  { allow, selection, rootLength }: JudgeContext,
): boolean {
  return (
    allow.includes(rule) ||
    selection.lifts(rule, path.slice(rootLength), isFolder) ||
    (own?.negated === true && names(own.text, rule, isFolder))
  );
}

/**
 * Whether a `!` pattern of `.docsearchignore` means entries that `rule` is about. Its last part must name one entry or
 * their kind: `!*.md` takes no lock file back. For rules about content, any part without a wildcard will do.
 */
function names(pattern: string, rule: DefaultRule, isFolder: boolean): boolean {
  const parts = pattern.split("/").filter((part) => part !== "");
  const telling = CONTENT_RULES.some((one) => one === rule) ? parts : parts.slice(-1);
  if (telling.some((part) => withoutWildcards(part) !== undefined)) return true;
  return namedRule(parts.at(-1) ?? "", isFolder ? folderRule : (name) => fileRule(name)) === rule;
}
