import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkIgnore, hasGit } from "./git.js";
import { REPOSITORY, type TreeEntry, temporaryFolder, walkFiles, writeTree } from "./tree.js";

/** More than the usual 200: `SOURCE_FS_TREES=1000 npx vitest run packages/source-fs`. */
const trees = Number(process.env.SOURCE_FS_TREES ?? 200);

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

test.skipIf(!hasGit)(
  `agrees with git check-ignore on ${trees} random trees (skipped when git is not installed)`,
  async () => {
    const base = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(repository, async ({ files, ignores, exclude, user, ignoreCase, root }) => {
        const top = join(base, "repository");
        const home = join(base, "home");
        await Promise.all([top, home].map((old) => rm(old, { recursive: true, force: true })));
        const entries: Record<string, TreeEntry> = { ...REPOSITORY };
        // A path cannot be a file and a folder: the first one stands.
        const taken = new Set<string>();
        const paths = files.filter((path) => {
          const folders = path
            .split("/")
            .slice(0, -1)
            .map((_, index, parts) => parts.slice(0, index + 1).join("/"));
          if (taken.has(`${path}/`) || folders.some((one) => taken.has(one))) return false;
          for (const one of folders) taken.add(`${one}/`);
          taken.add(path);
          return true;
        });
        for (const path of paths) entries[path] = "";
        for (const [place, content] of ignores) {
          const folders = place
            .split("/")
            .slice(0, -1)
            .map((_, index, parts) => parts.slice(0, index + 1).join("/"));
          if (!folders.some((one) => taken.has(one))) entries[`${place}.gitignore`] = content;
        }
        if (exclude !== undefined) entries[".git/info/exclude"] = exclude;
        entries[".git/config"] = `[core]\n\trepositoryformatversion = 0\n\tignorecase = ${ignoreCase}\n`;
        writeTree(top, entries);
        mkdirSync(home);
        if (user !== undefined) writeTree(home, { ".config/git/ignore": user });
        if (root !== "" && !paths.some((path) => path.startsWith(root))) root = "";

        const all = Object.keys(entries).filter((path) => !path.startsWith(".git/"));
        const ignored = checkIgnore(top, home, root === "" ? all : [...all, root.slice(0, -1)]);
        // Rules above a root that they ignore do not hold; git has no such case.
        if (root !== "" && ignored.has(root.slice(0, -1))) root = "";
        const expected = all
          .filter((path) => path.startsWith(root) && !ignored.has(path))
          .map((path) => path.slice(root.length));
        expect(await walkFiles({ root: join(top, root), env: { HOME: home } })).toEqual(expected.sort());
      }),
      { numRuns: trees },
    );
  },
  600_000,
);
