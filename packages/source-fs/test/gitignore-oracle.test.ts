import { rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkIgnore, hasGit } from "./git.js";
import { REPOSITORY, type TreeEntry, temporaryFolder, walkFiles, writeTree } from "./tree.js";

/** Other than the usual 1,000: `SOURCE_FS_TREES=100 npx vitest run packages/source-fs`. */
const trees = Number(process.env.SOURCE_FS_TREES ?? 1000);

const NAMES = [
  "a",
  "b",
  "ab",
  "aB",
  "A",
  "foo",
  "bar",
  "a.b",
  ".x",
  "é",
  "aé",
  " s",
  "s ",
  "[a]",
  "a]",
  "!a",
  "#a",
  "a\\b",
  "a-b",
  "~",
  "1",
];
const name = fc.constantFrom(...NAMES);
const folder = fc.array(name, { maxLength: 3 }).map((parts) => parts.map((part) => `${part}/`).join(""));

const wild = fc.constantFrom(
  "*",
  "**",
  "***",
  "?",
  "[ab]",
  "[!a]",
  "[^b]",
  "[a-c]",
  "[A-C]",
  "[]a]",
  "[a",
  "[[:alpha:]]",
  "[[:upper:]]",
  "[[:nope:]]",
  "[[:punct:]]",
  "[\\]a]",
  "[a/b]",
  "[a-]",
  "\\",
  "\\a",
  "\\A",
  "\\*",
  "é",
  ".",
);
const part = fc.oneof(
  { weight: 4, arbitrary: name },
  {
    weight: 4,
    arbitrary: fc.array(fc.oneof(name, wild), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join("")),
  },
  { weight: 2, arbitrary: fc.constantFrom("*", "**") },
);
const line = fc
  .record({
    negation: fc.constantFrom("", "", "", "!", "!!"),
    start: fc.constantFrom("", "", "/", "**/", "//"),
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    end: fc.constantFrom("", "", "", "/", "/**", "/*", " ", "  ", "\\ ", "\r", "//"),
  })
  .map(({ negation, start, parts, end }) => negation + start + parts.join("/") + end);
const ignoreFile = fc
  .tuple(
    fc.constantFrom("", "", "\ufeff"),
    fc.array(fc.oneof({ weight: 9, arbitrary: line }, fc.constantFrom("", "#a", " ", "*\n!*/")), { maxLength: 6 }),
    fc.constantFrom("", "\n"),
  )
  .map(([start, lines, end]) => start + lines.join("\n") + end);

const repository = fc.record({
  files: fc.uniqueArray(
    fc.tuple(folder, name).map((path) => path.join("")),
    { minLength: 1, maxLength: 25 },
  ),
  ignores: fc.array(fc.tuple(folder, ignoreFile), { minLength: 1, maxLength: 4 }),
  exclude: fc.option(ignoreFile, { nil: undefined }),
  user: fc.option(ignoreFile, { nil: undefined }),
  ignoreCase: fc.boolean(),
  root: folder,
});

type Repository = typeof repository extends fc.Arbitrary<infer T> ? T : never;

/** The folders that a path lies in, the outermost first. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** What is written to disk: no path is a file and a folder at once. */
function entriesOf({ files, ignores, exclude, ignoreCase }: Repository): Record<string, TreeEntry> {
  const entries: Record<string, TreeEntry> = {};
  const folders = new Set<string>();
  const add = (path: string, content: string): void => {
    if (folders.has(path) || foldersOf(path).some((folder) => folder in entries)) return;
    for (const folder of foldersOf(path)) folders.add(folder);
    entries[path] = content;
  };
  for (const path of files) add(path, "");
  for (const [place, content] of ignores) add(`${place}.gitignore`, content);
  if (exclude !== undefined) entries[".git/info/exclude"] = exclude;
  return { ...entries, ...REPOSITORY, ".git/config": `[core]\n\tignorecase = ${ignoreCase}\n` };
}

test.skipIf(!hasGit)(
  `agrees with git check-ignore on ${trees} random trees (skipped when git is not installed)`,
  async () => {
    const base = temporaryFolder();
    const top = join(base, "repository");
    const home = join(base, "home");
    await fc.assert(
      fc.asyncProperty(repository, async (generated) => {
        await Promise.all([top, home].map((old) => rm(old, { recursive: true, force: true })));
        const entries = entriesOf(generated);
        writeTree(top, entries);
        writeTree(home, { "./": "", ...(generated.user !== undefined && { ".config/git/ignore": generated.user }) });

        const paths = Object.keys(entries).filter((path) => !path.startsWith(".git/"));
        const folder = generated.root.slice(0, -1);
        const ignored = checkIgnore(
          top,
          home,
          [folder, ...paths].filter(Boolean).map((path) => `./${path}`),
        );
        // A root that is not there has nothing, and rules above a root that they ignore do not hold: git has no such case.
        const isRoot = paths.some((path) => path.startsWith(generated.root)) && !ignored.has(`./${folder}`);
        const root = isRoot ? generated.root : "";
        const kept = paths.filter((path) => path.startsWith(root) && !ignored.has(`./${path}`));
        const expected = kept.map((path) => path.slice(root.length)).sort();
        expect(await walkFiles({ root: join(top, root), env: { HOME: home } })).toEqual(expected);
      }),
      { numRuns: trees },
    );
  },
  600_000,
);
