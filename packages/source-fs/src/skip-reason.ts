/**
 * Rules that keep out what is rarely worth finding, or must not be found. A caller or the tree can lift them: see
 * `WalkOptions.allow` and the README. `generated` and `minified` look at the name and at the content.
 */
export const DEFAULT_RULES = [
  /** Folders of package managers and virtual environments. */
  "dependencies",
  /** Folders that tools write: bundles, caches. */
  "build-output",
  "lock-file",
  "minified",
  "generated",
  "source-map",
  /** Rules for tools about which files to take. */
  "ignore-file",
  /** What editors and downloads write beside a file for a while. */
  "temporary",
  /** Files and folders that hold keys or passwords. */
  "secret",
  /** A second working tree of a repository (`git worktree add`). */
  "linked-worktree",
] as const;

export type DefaultRule = (typeof DEFAULT_RULES)[number];

/** Why a file or folder was left out. A folder is reported once, what is below it is not looked at. */
export type SkipReason =
  | DefaultRule
  /** Data of git and other version control systems. */
  | "version-control"
  /** Our own index. */
  | "index"
  /** A git rule: `.gitignore`, `.git/info/exclude`, `core.excludesFile`. */
  | "gitignore"
  | "docsearchignore"
  /** The `exclude` option. */
  | "excluded"
  /** No pattern of the `include` option takes it. */
  | "not-included"
  | "too-large"
  /** Not text, by its content. */
  | "binary"
  /** A link, while links are not followed. */
  | "link"
  | "link-broken"
  | "link-outside-root"
  /** What the link points to comes up at another path. */
  | "link-duplicate"
  /** A socket, pipe or device. */
  | "special-file";
