import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decode, fileSource } from "@docsearch/source-fs";
import type { Document } from "@docsearch/spec";
import { expect, test } from "vitest";
import { collect, NO_SETTINGS, REPOSITORY, temporaryFolder, tree, walkFiles, walkSkips, writeTree } from "./tree.js";

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, "fixtures", name));

/** The documents of a folder by path; the test fails when a file could not be read. */
async function documentsOf(root: string): Promise<Map<string, Document>> {
  const items = await collect(fileSource({ env: NO_SETTINGS, root }).read());
  expect(items.filter(({ type }) => type === "failure")).toEqual([]);
  return new Map(
    items.flatMap((item) => (item.type === "document" ? [[item.document.id, item.document] as const] : [])),
  );
}

test("enc-bom-heading: the byte-order mark is taken off", () => {
  const decoded = decode(fixture("bom-heading.md"));
  expect(decoded).toMatchObject({ encoding: "utf-8", replaced: 0 });
  expect("text" in decoded && decoded.text.startsWith("# Opening hours\n")).toBe(true);
});

test("enc-crlf: line ends stay as they are", () => {
  const bytes = fixture("crlf-guide.md");
  expect(decode(bytes)).toEqual({ text: bytes.toString("latin1"), encoding: "utf-8", replaced: 0 });
  expect(bytes.includes("\r\n")).toBe(true);
});

test("enc-utf16le: a file of a Windows shell can be read", async () => {
  const { text } = (await documentsOf(tree({ "utf16le-notes.txt": fixture("utf16le-notes.txt") }))).get(
    "utf16le-notes.txt",
  ) as Document;
  expect(text).toContain("lubrication");
  expect(text).toContain("Next inspection: week 34.");
  expect(text).not.toContain("\0");
});

test("enc-latin1-in-tree: a file that is not UTF-8 stops nothing and can be read", async () => {
  const documents = await documentsOf(
    tree({
      "ok1.md": "# First\n\nanchor light\n",
      "latin1-notes.txt": fixture("latin1-notes.txt"),
      "ok2.md": "# Second\n\nstern light\n",
    }),
  );
  expect([...documents.keys()]).toEqual(["latin1-notes.txt", "ok1.md", "ok2.md"]);
  expect(documents.get("latin1-notes.txt")?.text).toContain("café");
});

const GITIGNORE_BASICS = {
  ".gitignore": "/Assets/\nbuild/\nmods/*\n!mods/core\n!mods/README.md\n*.log.md\n# comment\n",
  ".prettierignore": "*\n",
  "Assets/tone.md": "a\n",
  "docs/Assets/keep.md": "b\n",
  "build/out.md": "c\n",
  "src/build/out.md": "d\n",
  "src/build.md": "e\n",
  "mods/core/main.md": "f\n",
  "mods/extra/main.md": "g\n",
  "mods/README.md": "h\n",
  "run.log.md": "i\n",
  "web/.gitignore": ".nitro\n",
  "web/.nitro/page.md": "j\n",
  "web/page.md": "k\n",
  "notes.md": "l\n",
};

test.each([
  ["in a repository", { ...REPOSITORY, ...GITIGNORE_BASICS }],
  ["without one", GITIGNORE_BASICS],
])("wk-gitignore-basics: the files that git would list, %s", async (_, entries) => {
  expect(await walkFiles({ root: tree(entries), exclude: [".prettierignore"] })).toEqual([
    ".gitignore",
    "docs/Assets/keep.md",
    "mods/README.md",
    "mods/core/main.md",
    "notes.md",
    "src/build.md",
    "web/.gitignore",
    "web/page.md",
  ]);
});

const LINKS = {
  "outside-root/outside.md": "secret\n",
  "root/docs/a.md": "# A\n",
  "root/docs/b.md": "# B\n",
  "root/docs/loop": { link: "." },
  "root/docs/up": { link: ".." },
  "root/docs/dangling.md": { link: "nowhere.md" },
  "root/docs/out": { link: "../../outside-root" },
};

test("wk-symlinks: links are left out, each with its reason", async () => {
  const root = join(tree(LINKS), "root");
  expect(await walkFiles({ root })).toEqual(["docs/a.md", "docs/b.md"]);
  expect(await walkSkips({ root })).toEqual([
    "docs/dangling.md: link",
    "docs/loop: link",
    "docs/out: link",
    "docs/up: link",
  ]);
});

test("wk-symlinks: when followed, no file comes up twice and none from outside", async () => {
  const root = join(tree(LINKS), "root");
  expect(await walkFiles({ root, followLinks: true })).toEqual(["docs/a.md", "docs/b.md"]);
  expect(await walkSkips({ root, followLinks: true })).toEqual([
    "docs/dangling.md: link-broken",
    "docs/loop/: link-duplicate",
    "docs/out: link-outside-root",
    "docs/up/: link-duplicate",
  ]);
});

const DEFAULT_EXCLUDES = {
  "README.md": "# App\n",
  "src/app.ts": "export const app = 1;\n",
  "package-lock.json": '{"lockfileVersion":3}\n',
  "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
  "public/widget.min.js": fixture("widget.min.js"),
  "gen/telemetry.pb.go": fixture("telemetry.pb.go"),
  "node_modules/x/README.md": "# X\n",
  ".venv/lib/y.py": "y = 1\n",
  "dist/app.js": "var a=1\n",
  "logo.png": Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB", "base64"),
};

test("wk-default-excludes: everything but the sources is left out, with its reason", async () => {
  const items = await collect(fileSource({ env: NO_SETTINGS, root: tree(DEFAULT_EXCLUDES) }).read());
  expect(items.map((item) => (item.type === "document" ? item.document.id : item))).toEqual([
    { type: "skip", path: ".venv/", reason: "dependencies" },
    "README.md",
    { type: "skip", path: "dist/", reason: "build-output" },
    { type: "skip", path: "gen/telemetry.pb.go", reason: "generated" },
    { type: "skip", path: "logo.png", reason: "binary" },
    { type: "skip", path: "node_modules/", reason: "dependencies" },
    { type: "skip", path: "package-lock.json", reason: "lock-file" },
    { type: "skip", path: "pnpm-lock.yaml", reason: "lock-file" },
    { type: "skip", path: "public/widget.min.js", reason: "minified" },
    "src/app.ts",
  ]);
});

test.each([
  ["package-lock.json"],
  ["pnpm-lock.yaml"],
  ["public/widget.min.js"],
  ["gen/telemetry.pb.go"],
  ["node_modules/x/README.md"],
  [".venv/lib/y.py"],
  ["dist/app.js"],
])("wk-default-excludes: include brings back %s", async (path) => {
  const items = await collect(fileSource({ env: NO_SETTINGS, root: tree(DEFAULT_EXCLUDES), include: [path] }).read());
  expect(items.flatMap((item) => (item.type === "document" ? [item.document.id] : []))).toEqual([path]);
});

test("wk-worktrees: linked worktrees are left out, the submodule is not", async () => {
  const root = tree({
    ".git/HEAD": "ref: refs/heads/main\n",
    "a.md": "# A\n",
    "agents/worktrees/blue/.git": "gitdir: ../../../.git/worktrees/blue\n",
    "agents/worktrees/blue/a.md": "# A\n",
    "wt2/.git": "gitdir: ../.git/modules/sub/worktrees/w2\n",
    "wt2/s.md": "# S\n",
    "lib/sub/.git": "gitdir: ../../.git/modules/sub\n",
    "lib/sub/s.md": "# S\n",
  });
  expect(await walkFiles({ root })).toEqual(["a.md", "lib/sub/s.md"]);
  expect(await walkSkips({ root })).toEqual([
    ".git/: version-control",
    "agents/worktrees/blue/: linked-worktree",
    "lib/sub/.git: version-control",
    "wt2/: linked-worktree",
  ]);
});

test("in-same-rules-on-sync: a rule that is added holds in the next walk", async () => {
  const root = temporaryFolder();
  writeTree(root, {
    ".gitignore": "*.tmp\n",
    ".notes/a.md": "alpha\n",
    "drafts/x.md": "draft kelp\n",
    "b.md": "kelp\n",
  });
  const before = [".gitignore", ".notes/a.md", "b.md", "drafts/x.md"];
  expect(await walkFiles({ root })).toEqual(before);
  writeTree(root, { ".notes/a.md": "beta\n" });
  expect(await walkFiles({ root })).toEqual(before);
  writeTree(root, { ".gitignore": "*.tmp\ndrafts/\n" });
  expect(await walkFiles({ root })).toEqual([".gitignore", ".notes/a.md", "b.md"]);
});

test("in-path-keys: a root gives the same paths however it is written, and a backslash is part of a name", async () => {
  const top = tree({ "r/docs/a.md": "a", "r/docs/sub/b.md": "b", "r/back\\slash.md": "c" });
  for (const root of ["r", "r/", "r/.", "./r", "r//", "r/docs/.."]) {
    const { collection } = fileSource({ root: `${top}/${root}`, env: NO_SETTINGS });
    expect({ collection, files: await walkFiles({ root: `${top}/${root}` }) }).toEqual({
      collection: "r",
      files: ["back\\slash.md", "docs/a.md", "docs/sub/b.md"],
    });
  }
});
