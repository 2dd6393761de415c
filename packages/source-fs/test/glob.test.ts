import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldCase, toByteString } from "../src/ignore/byte-string.js";
import { parseIgnoreFile } from "../src/ignore/pattern.js";
import { decidingPattern } from "../src/ignore/rule-list.js";
import { checkIgnore, hasGit } from "./git.js";
import { REPOSITORY, tree, writeTree } from "./tree.js";

function ignored(line: string, path: string, ignoreCase = false): boolean {
  const patterns = parseIgnoreFile(toByteString(line), ignoreCase);
  const bytes = toByteString(path.replace(/\/$/, ""));
  const subject = ignoreCase ? foldCase(bytes) : bytes;
  return decidingPattern([{ patterns, baseLength: 0 }], subject, path.endsWith("/"))?.negated === false;
}

/** Line of an ignore file, path, and whether git ignores it. */
type Row = readonly [string, string, boolean];

const ROWS: readonly Row[] = [
  ["foo", "a/foo", true],
  ["/foo", "a/foo", false],
  ["a/foo", "b/a/foo", false],
  ["foo/", "foo", false],
  ["foo/", "foo/", true],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a/**/b", "a/xb", false],
  ["**/b", "xb", false],
  ["a/**", "a/", false],
  ["a/**", "a/x/y", true],
  ["a**b", "a/b", false],
  // The part before the first wildcard is compared apart, so these stars stand at the start of a pattern.
  ["foo**/bar", "foobar", true],
  ["foo**/bar", "foo/x/bar", true],
  ["/foo**/bar", "fooxbar", false],
  ["*", "a/b", true],
  ["a/*.md", "a/b/c.md", false],
  // A byte, not a character.
  ["?", "é", false],
  ["??", "é", true],
  ["[é]x", "éx", false],
  ["\\!a", "!a", true],
  ["\\#a", "#a", true],
  ["#a", "#a", false],
  ["a ", "a", true],
  ["a\\ ", "a ", true],
  ["a\\ ", "a", false],
  ["a\t", "a\t", true],
  ["a\r\n", "a", true],
  ["\ufeffa", "a", true],
  ["a\0b", "a", true],
  ["[a", "[a", false],
  ["a\\", "a\\", false],
  ["[]-a]", "]", true],
  ["[]-a]", "^", true],
  ["[!a]", "b", true],
  ["[^a]", "a", false],
  ["a[!b]c", "a/c", false],
  ["[[:digit:]]", "7", true],
  ["[[:space:]]", "\v", false],
  ["[[:nope:]]", "n", false],
  ["[[:digit]", ":", true],
  ["[\\]]", "]", true],
  ["/", "a", false],
  ["!a", "a", false],
  ["*\n!a", "a", false],
  ["foo//", "foo/", false],
];

const ROWS_IGNORING_CASE: readonly Row[] = [
  ["FOO", "foo", true],
  ["*.MD", "a.md", true],
  ["A/*.md", "a/B.MD", true],
  ["[A-C]x", "bX", true],
  ["z[[:upper:]]", "zq", true],
  // Neither a letter in brackets nor one after a backslash is folded.
  ["[A]x", "ax", false],
  ["[A]x", "Ax", false],
  ["\\Ab", "ab", false],
  ["É", "é", false],
];

describe("as git does it", () => {
  test.each(ROWS)("%j on %j: %j", (line, path, expected) => {
    expect(ignored(line, path)).toBe(expected);
  });

  test.each(ROWS_IGNORING_CASE)("with case ignored, %j on %j: %j", (line, path, expected) => {
    expect(ignored(line, path, true)).toBe(expected);
  });

  test.skipIf(!hasGit).each([
    ["", ROWS, false],
    [" when case is ignored", ROWS_IGNORING_CASE, true],
  ])("the rows above are what git says%s (skipped when git is not installed)", (_, rows, ignoreCase) => {
    const root = tree({ ...REPOSITORY, ".git/config": `[core]\n\tignorecase = ${ignoreCase}\n` });
    rows.forEach(([line, path], index) => {
      writeTree(root, { [`${index}/${path}`]: "", [`${index}/.gitignore`]: line });
    });
    const asked = rows.map(([, path], index) => `./${index}/${path.replace(/\/$/, "")}`);
    const said = checkIgnore(root, "/nonexistent", asked);
    expect(rows.map((row, index) => [row[0], row[1], said.has(asked[index] as string)])).toEqual(rows);
  });
});

test("a line that makes other matchers try for hours", () => {
  expect(ignored(`${"*a".repeat(30)}b`, "a".repeat(200))).toBe(false);
  expect(ignored(`/${"**/a*".repeat(30)}b`, "a/".repeat(100).slice(0, -1))).toBe(false);
});

test("any line against any path neither throws nor depends on what came before", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "binary" }),
      fc.boolean(),
      (line, path, ignoreCase) => {
        const once = ignored(line, path, ignoreCase);
        ignored(line, "other/path", ignoreCase);
        expect(ignored(line, path, ignoreCase)).toBe(once);
      },
    ),
    { numRuns: 2000 },
  );
});
