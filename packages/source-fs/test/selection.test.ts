import { walk } from "@docsearch/source-fs";
import { describe, expect, test } from "vitest";
import { REPOSITORY, tree, walkFiles, walkSkips } from "./tree.js";

const ENTRIES = {
  "README.md": "",
  "docs/a.md": "",
  "docs/b.mdx": "",
  "docs/deep/c.md": "",
  "docs/drafts/d.md": "",
  "src/docs/e.md": "",
  "src/f.ts": "",
};

describe("include", () => {
  test.each([
    [["*.md"], ["README.md", "docs/a.md", "docs/deep/c.md", "docs/drafts/d.md", "src/docs/e.md"]],
    [["/*.md"], ["README.md"]],
    [["**/*.{mdx,ts}"], ["docs/b.mdx", "src/f.ts"]],
    [["docs/"], ["docs/a.md", "docs/b.mdx", "docs/deep/c.md", "docs/drafts/d.md", "src/docs/e.md"]],
    [["/docs"], ["docs/a.md", "docs/b.mdx", "docs/deep/c.md", "docs/drafts/d.md"]],
    [["./docs/*.md"], ["docs/a.md"]],
    [["docs/*/*.md"], ["docs/deep/c.md", "docs/drafts/d.md"]],
    [
      ["docs/", "!docs/drafts/"],
      ["docs/a.md", "docs/b.mdx", "docs/deep/c.md", "src/docs/e.md"],
    ],
    [
      ["**/*.md", "!/docs/**", "/docs/deep/**"],
      ["README.md", "docs/deep/c.md", "src/docs/e.md"],
    ],
    [
      ["{README,NOTES}.md", "src/*.ts"],
      ["README.md", "src/f.ts"],
    ],
    [[], Object.keys(ENTRIES)],
  ])("%j", async (include, expected) => {
    expect(await walkFiles({ root: tree(ENTRIES), include })).toEqual(expected);
  });

  test("reports a folder that cannot hold anything included, and does not look into it", async () => {
    expect(await walkSkips({ root: tree(ENTRIES), include: ["docs/d*/*.md", "/*.ts"] })).toEqual([
      "README.md: not-included",
      "docs/a.md: not-included",
      "docs/b.mdx: not-included",
      "src/: not-included",
    ]);
  });

  test("does not take back what git ignores", async () => {
    const root = tree({ ...REPOSITORY, ".gitignore": "docs/\n", ...ENTRIES });
    expect(await walkFiles({ root, include: ["docs/a.md", "README.md"] })).toEqual(["README.md"]);
    expect(await walkFiles({ root, include: ["docs/a.md"], gitignore: false })).toEqual(["docs/a.md"]);
  });
});

describe("exclude", () => {
  test.each([
    [["docs"], ["README.md", "src/f.ts"]],
    [
      ["*.md", "!README.md"],
      ["README.md", "docs/b.mdx", "src/f.ts"],
    ],
    [["**/*.{md,mdx}"], ["src/f.ts"]],
  ])("%j", async (exclude, expected) => {
    expect(await walkFiles({ root: tree(ENTRIES), exclude })).toEqual(expected);
  });

  test("holds against include and .docsearchignore", async () => {
    const root = tree({ ...ENTRIES, ".docsearchignore": "!docs/a.md\n" });
    expect(await walkFiles({ root, include: ["docs/a.md"], exclude: ["docs/a.md"] })).toEqual([]);
  });
});

test("braces nest, and stay when escaped, unpaired or alone", async () => {
  const root = tree({ "a.md": "", "b.md": "", "bc.md": "", "{a}.md": "", "{x,y}.md": "", "{z.md": "" });
  expect(await walkFiles({ root, include: ["{a,b{,c}}.md"] })).toEqual(["a.md", "b.md", "bc.md"]);
  expect(await walkFiles({ root, include: ["{a}.md"] })).toEqual(["{a}.md"]);
  expect(await walkFiles({ root, include: ["\\{x,y}.md"] })).toEqual(["{x,y}.md"]);
  expect(await walkFiles({ root, include: ["{z.md"] })).toEqual(["{z.md"]);
});

describe("a pattern that can match nothing is refused", () => {
  test.each([
    [{ include: [""] }, 'include is ""; expected a pattern in the syntax of .gitignore, relative to the root'],
    [{ exclude: ["../x"] }, 'exclude is "../x"; expected a pattern in the syntax of .gitignore, relative to the root'],
    [{ include: ["!*.md"] }, 'include is "!*.md"; expected at least one pattern without `!`'],
    [
      { include: ["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"] },
      'include is "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"; expected at most 1000 alternatives in braces',
    ],
  ])("%j", (options, message) => {
    expect(() => walk({ root: ".", ...options })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID", message }));
  });
});
