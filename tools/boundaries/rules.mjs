// The arrows of ARCHITECTURE.md, as tables. A rule is changed here and nowhere else.

/**
 * What each package may import of this repository. A package of another name fails the check until it has a row.
 * Apps may import every package; nothing may import an app, but what `APP_ARROWS` names.
 *
 * @type {readonly { packages: RegExp, may: readonly string[] }[]}
 */
export const ARROWS = [
  { packages: /^spec$/, may: [] },
  { packages: /^text-split$/, may: ["spec"] },
  { packages: /^core$/, may: ["spec", "text-split"] },
  { packages: /^chunker-[a-z0-9-]+$/, may: ["spec", "text-split"] },
  { packages: /^store-kit$/, may: ["spec"] },
  { packages: /^store-[a-z0-9-]+$/, may: ["spec", "store-kit"] },
  { packages: /^(embedder|source)-[a-z0-9-]+$/, may: ["spec"] },
  { packages: /^(readers|transformers|conformance)$/, may: ["spec"] },
  { packages: /^(service|eval)$/, may: ["core", "spec"] },
];

/**
 * Apps that another app may import: the command starts the server.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const APP_ARROWS = { "apps/cli": ["apps/server"] };

/**
 * Packages that only some of ours may import: a heavy dependency stays behind one door.
 *
 * @type {readonly { modules: RegExp, only: RegExp, what: string }[]}
 */
export const GUARDED = [
  {
    what: "a database driver belongs in a store",
    modules:
      /^(better-sqlite3|sqlite-vec|sqlite3|node:sqlite|pg|pg-.+|postgres|@electric-sql\/.+|@lancedb\/.+|@qdrant\/.+)$/,
    only: /^packages\/store-/,
  },
  {
    what: "transformers.js and the ONNX runtime belong in packages/transformers",
    modules: /^(@huggingface\/.+|onnxruntime-.+)$/,
    only: /^packages\/transformers$/,
  },
  { what: "the MCP SDK belongs in an app", modules: /^@modelcontextprotocol\/.+$/, only: /^apps\// },
];

/**
 * Files that may touch `process.env`. Everything else takes its settings as arguments; the store of LanceDB sets one
 * variable, for which its native module has no other setting.
 */
export const MAY_READ_ENVIRONMENT =
  /^(apps\/.+|packages\/core\/src\/(env|settings)\.ts|packages\/store-lancedb\/src\/lance\.ts)$/;

/** Lines of a source file: more than the first is a smell, more than the second fails. */
export const LONG_FILE = { warnAbove: 400, failAbove: 500 };

/**
 * Text that must not stand in a tracked file: it ties the repository to one machine or to one registry.
 * A path counts only where it begins, so `packages/work/` and `example.com/home/` are fine.
 *
 * @type {readonly { what: string, pattern: RegExp }[]}
 */
export const FORBIDDEN_TEXT = [
  { what: "a path of one machine", pattern: /(?<![\w.~*}>-])\/(?:work|home|root)\/[\w$]/ },
  {
    what: "a registry's host",
    pattern:
      /\b(?:registry\.(?:npmjs\.(?:org|com)|yarnpkg\.com|npmmirror\.com)|npm\.pkg\.github\.com|deb\.debian\.org)\b/,
  },
  {
    what: "a registry's address in a lockfile or setting",
    pattern: /^\s*(?:tarball:|resolved\b|registry\s*=)\s*["']?https?:/,
  },
];

/** Files whose text is not ours: test corpora quote other people's paths and hosts. */
export const QUOTED_TEXT = /(^|\/)fixtures\//;
