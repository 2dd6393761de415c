import type { Env } from "@docsearch/spec";
import { configError } from "../config-error.js";
import { DEFAULT_RULES, type DefaultRule } from "../skip-reason.js";
import { compileSelection } from "./selection.js";

export interface WalkOptions {
  /**
   * Folder, or a single file. Its own name and the folders above it are held against no rule but `secret`: a file or
   * folder of keys or passwords is left out, unless `allow` takes it.
   */
  readonly root: string;
  /**
   * Only what one of these patterns takes. Syntax of .gitignore, relative to the root, and braces: `*.md` at any
   * depth, `/*.md` in the root, `docs/` with all below, `*.{md,mdx}`; `!` takes out again. Default: everything.
   */
  readonly include?: readonly string[];
  /** Never what one of these takes, whatever the other rules say. Same syntax. */
  readonly exclude?: readonly string[];
  /** Default rules that do not hold in this walk. Default: none. */
  readonly allow?: readonly DefaultRule[];
  /** Whether the ignore rules of git hold. Default true. `.docsearchignore` holds always. */
  readonly gitignore?: boolean;
  /** Whether links are followed, inside the root. Default false. */
  readonly followLinks?: boolean;
  /** Larger files are left out. Bytes, default 10,000,000. */
  readonly maxFileBytes?: number;
  /**
   * Path of a file or folder from the root, separated by `/`: of all that the walk would bring, only this and what is below
   * it. Default: everything.
   */
  readonly within?: string;
  /** File of the index, which may lie among the files: it is left out, and so is what stands beside it under its name. */
  readonly indexPath?: string;
  /** Where `HOME` and `XDG_CONFIG_HOME` are looked up, for git's own settings. Default: only the user's home folder. */
  readonly env?: Env;
}

export type CheckedOptions = Required<
  Pick<WalkOptions, "root" | "allow" | "gitignore" | "followLinks" | "maxFileBytes" | "env">
> &
  Pick<WalkOptions, "include" | "exclude" | "indexPath" | "within">;

/** Fills in the defaults. Touches no file. Throws `CONFIG_INVALID`. */
export function checkOptions(options: WalkOptions): CheckedOptions {
  const { maxFileBytes = 10_000_000 } = options;
  if (options.root === "") throw configError("root", "", "the path of a folder or a file");
  if (!Number.isSafeInteger(maxFileBytes) || maxFileBytes < 1) {
    throw configError("maxFileBytes", String(maxFileBytes), "a whole number of bytes of at least 1");
  }
  for (const rule of options.allow ?? []) {
    if (!DEFAULT_RULES.includes(rule)) throw configError("allow", rule, `one of ${DEFAULT_RULES.join(", ")}`);
  }
  compileSelection(options, false);
  const { root, include, exclude, allow = [], gitignore = true, followLinks = false, env = {} } = options;
  const { indexPath, within } = options;
  if (within?.split("/").some((part) => ["", ".", ".."].includes(part))) {
    throw configError("within", within, "a path below the root, without . and .. and slashes at its ends");
  }
  const selection = {
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(indexPath && { indexPath }),
    ...(within !== undefined && { within }),
  };
  return { root, allow, gitignore, followLinks, maxFileBytes, env, ...selection };
}
