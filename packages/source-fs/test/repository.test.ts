import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REPOSITORY, tree, walkFiles, walkSkips } from "./tree.js";

describe("a root inside a repository", () => {
  const base = {
    ...REPOSITORY,
    ".gitignore": "*.tmp\n/docs/private/\nnode_modules/\nbuild/**\n",
    ".git/info/exclude": "excluded.md\n",
    "docs/.gitignore": "!kept.tmp\n",
    "docs/a.md": "",
    "docs/a.tmp": "",
    "docs/deep/excluded.md": "",
    "docs/deep/kept.tmp": "",
    "docs/private/b.md": "",
  };

  test("is under the rules above it, up to the top of the repository", async () => {
    const root = tree({
      ".gitignore": "*.md\n",
      ...Object.fromEntries(Object.entries(base).map(([path, entry]) => [`r/${path}`, entry])),
    });
    expect(await walkFiles({ root: join(root, "r/docs") })).toEqual([".gitignore", "a.md", "deep/kept.tmp"]);
    expect(await walkSkips({ root: join(root, "r/docs") })).toEqual([
      "a.tmp: gitignore",
      "deep/excluded.md: gitignore",
      "private/: gitignore",
    ]);
  });

  test("can have rules of git put aside", async () => {
    expect(await walkFiles({ root: join(tree(base), "docs"), gitignore: false })).toEqual([
      ".gitignore",
      "a.md",
      "a.tmp",
      "deep/excluded.md",
      "deep/kept.tmp",
      "private/b.md",
    ]);
  });

  test.each([
    ["node_modules/x", "a dependency"],
    ["build/pages", "a folder that a pattern matches with all below"],
  ])("is walked when it is ignored itself: %s, %s", async (folder) => {
    const root = tree({
      ...base,
      [`${folder}/.gitignore`]: "drafts/\n",
      [`${folder}/a.md`]: "",
      [`${folder}/a.tmp`]: "",
      [`${folder}/drafts/b.md`]: "",
      [`${folder}/node_modules/y/c.md`]: "",
    });
    expect(await walkFiles({ root: join(root, folder) })).toEqual([".gitignore", "a.md", "a.tmp"]);
    expect(await walkSkips({ root: join(root, folder) })).toEqual([
      "drafts/: gitignore",
      "node_modules/: dependencies",
    ]);
  });

  test("is walked when .docsearchignore leaves it out, and its other rules are put aside too", async () => {
    const root = tree({
      ...REPOSITORY,
      ".docsearchignore": "/docs/\n*.txt\n",
      "docs/a.md": "",
      "docs/b.txt": "",
      "c.txt": "",
    });
    expect(await walkFiles({ root: join(root, "docs") })).toEqual(["a.md", "b.txt"]);
    expect(await walkFiles({ root })).toEqual([".docsearchignore"]);
  });
});

describe(".docsearchignore", () => {
  test("has the last word over git, in both directions and at any depth", async () => {
    const root = tree({
      ...REPOSITORY,
      ".docsearchignore": "!kept.md\n!/api/\nsecret.md\n",
      ".gitignore": "*.md\n/api/\n/off/\n",
      "a.md": "",
      "api/page.txt": "",
      "deep/.gitignore": "!secret.md\nkept.md\n",
      "deep/kept.md": "",
      "deep/secret.md": "",
      "off/kept.md": "",
    });
    expect(await walkFiles({ root })).toEqual([
      ".docsearchignore",
      ".gitignore",
      "api/page.txt",
      "deep/.gitignore",
      "deep/kept.md",
    ]);
    expect(await walkSkips({ root })).toEqual([
      ".git/: version-control",
      "a.md: gitignore",
      "deep/secret.md: docsearchignore",
      "off/: gitignore",
    ]);
  });

  test("is read above the root, up to the top of the repository", async () => {
    const root = tree({
      ".docsearchignore": "*\n",
      "r/.docsearchignore": "*.txt\n",
      "r/docs/.docsearchignore": "!keep.txt\n",
      "r/docs/a.md": "",
      "r/docs/a.txt": "",
      "r/docs/keep.txt": "",
      ...Object.fromEntries(Object.entries(REPOSITORY).map(([path, entry]) => [`r/${path}`, entry])),
    });
    expect(await walkFiles({ root: join(root, "r/docs") })).toEqual([".docsearchignore", "a.md", "keep.txt"]);
  });

  test("may be UTF-16, as some Windows shells write it", async () => {
    const root = tree({
      ".docsearchignore": Buffer.from("\ufeffé.md\r\n*.txt\r\n", "utf16le"),
      "a.txt": "",
      "b.md": "",
      "é.md": "",
    });
    expect(await walkFiles({ root })).toEqual([".docsearchignore", "b.md"]);
  });
});

test("a nested repository is under its own git rules only", async () => {
  const nested = Object.fromEntries(Object.entries(REPOSITORY).map(([path, entry]) => [`lib/${path}`, entry]));
  const root = tree({
    ...REPOSITORY,
    ".gitignore": "*.txt\n",
    ".docsearchignore": "*.rst\n",
    "a.txt": "",
    ...nested,
    "lib/.git/info/exclude": "/excluded.md\n",
    "lib/.gitignore": "/own.md\n",
    "lib/a.rst": "",
    "lib/a.txt": "",
    "lib/excluded.md": "",
    "lib/own.md": "",
  });
  expect(await walkFiles({ root })).toEqual([".docsearchignore", ".gitignore", "lib/.gitignore", "lib/a.txt"]);
});

describe("a linked worktree", () => {
  const worktree = {
    "main/.git/HEAD": "ref: refs/heads/main\n",
    "main/.git/config": "",
    "main/.git/info/exclude": "private.md\n",
    "main/.git/worktrees/blue/commondir": "../..\n",
    "main/.git/worktrees/blue/HEAD": "ref: refs/heads/blue\n",
    "main/blue/.git": "gitdir: ../.git/worktrees/blue\n",
    "main/blue/a.md": "",
    "main/blue/private.md": "",
  };

  test("is left out below the root", async () => {
    expect(await walkSkips({ root: join(tree(worktree), "main") })).toEqual([
      ".git/: version-control",
      "blue/: linked-worktree",
    ]);
  });

  test("is walked as a root, under the exclude file that it shares", async () => {
    expect(await walkFiles({ root: join(tree(worktree), "main/blue") })).toEqual(["a.md"]);
  });

  test("is walked when it is named", async () => {
    const root = join(tree(worktree), "main");
    expect(await walkFiles({ root, allow: ["linked-worktree"] })).toEqual(["blue/a.md"]);
    expect(await walkFiles({ root, include: ["blue/"] })).toEqual(["blue/a.md"]);
  });
});

test("git's files may be links, those in the tree may not", async () => {
  const root = tree({
    rules: "a.md\n",
    "r/.git/HEAD": "ref: refs/heads/main\n",
    "r/.git/info/exclude": { link: "../../../rules" },
    "r/.gitignore": { link: "../more" },
    more: "b.md\n",
    "r/a.md": "",
    "r/b.md": "",
  });
  expect(await walkFiles({ root: join(root, "r") })).toEqual(["b.md"]);
});

describe("git's settings", () => {
  const files = async (
    home: Record<string, string>,
    config: string,
    env: Record<string, string> = {},
  ): Promise<string[]> => {
    const base = tree({
      ...Object.fromEntries(Object.entries(home).map(([path, content]) => [`home/${path}`, content])),
      "r/.git/HEAD": "ref: refs/heads/main\n",
      "r/.git/config": config,
      "r/A.md": "",
      "r/a.md": "",
      "r/b.md": "",
      "r/c.md": "",
      "r/rules": "c.md\n",
    });
    const absolute = Object.fromEntries(Object.entries(env).map(([name, path]) => [name, join(base, path)]));
    return walkFiles({ root: join(base, "r"), env: { HOME: join(base, "home"), ...absolute } });
  };

  test.each([
    ["the default place", { ".config/git/ignore": "b.md\n" }, "", {}, ["A.md", "a.md", "c.md", "rules"]],
    [
      "the default place by XDG_CONFIG_HOME",
      { "xdg/git/ignore": "b.md\n" },
      "",
      { XDG_CONFIG_HOME: "home/xdg" },
      ["A.md", "a.md", "c.md", "rules"],
    ],
    [
      "core.excludesFile of the user",
      { ".gitconfig": "[core]\n\texcludesFile = ~/mine\n", mine: "a.md\n", ".config/git/ignore": "b.md\n" },
      "",
      {},
      ["A.md", "b.md", "c.md", "rules"],
    ],
    [
      "core.excludesFile that is empty",
      { ".gitconfig": '[core]\n\texcludesFile = ""\n', ".config/git/ignore": "b.md\n" },
      "",
      {},
      ["A.md", "a.md", "b.md", "c.md", "rules"],
    ],
    [
      "an included file",
      { ".gitconfig": "[include]\n\tpath = more\n", more: "[core]\n\texcludesFile = ~/mine\n", mine: "a.md\n" },
      "",
      {},
      ["A.md", "b.md", "c.md", "rules"],
    ],
    [
      "core.excludesFile of the repository over that of the user",
      { ".gitconfig": "[core]\n\texcludesFile = ~/mine\n", mine: "a.md\n" },
      "[core]\n\texcludesFile = rules\n",
      {},
      ["A.md", "a.md", "b.md", "rules"],
    ],
    [
      "core.ignoreCase",
      { ".config/git/ignore": "A.MD\n" },
      "[core]\n\tignoreCase = yes\n",
      {},
      ["b.md", "c.md", "rules"],
    ],
    [
      "core.ignoreCase off",
      { ".config/git/ignore": "A.md\n" },
      "[core]\n\tignoreCase = false\n",
      {},
      ["a.md", "b.md", "c.md", "rules"],
    ],
    [
      "a file that includes itself",
      { ".gitconfig": "[include]\n\tpath = .gitconfig\n" },
      "",
      {},
      ["A.md", "a.md", "b.md", "c.md", "rules"],
    ],
  ])("%s", async (_, home, config, env, expected) => {
    expect(await files(home, config, env)).toEqual(expected);
  });
});
