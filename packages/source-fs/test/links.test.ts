import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileSource } from "@docsearch/source-fs";
import { expect, test } from "vitest";
import { collect, NO_SETTINGS, tree, walkAll, walkFiles, walkSkips } from "./tree.js";

test("a link to what is left out at its own path is followed", async () => {
  const root = tree({
    "a/page.md": "a\n",
    docs: { link: "node_modules/x/docs" },
    "node_modules/x/docs/guide.md": "guide\n",
    "node_modules/x/readme.md": "readme\n",
    "readme.md": { link: "node_modules/x/readme.md" },
  });
  expect(await walkFiles({ root, followLinks: true })).toEqual(["a/page.md", "docs/guide.md", "readme.md"]);
  const items = await collect(fileSource({ env: NO_SETTINGS, root, followLinks: true }).read());
  expect(items.flatMap((item) => (item.type === "document" ? [item.document.text] : []))).toEqual([
    "a\n",
    "guide\n",
    "readme\n",
  ]);
});

test("of two links to one folder the first is followed", async () => {
  const root = tree({
    "dist/docs/deep/a.md": "a\n",
    one: { link: "dist/docs" },
    two: { link: "dist/docs/deep" },
  });
  expect(await walkFiles({ root, followLinks: true })).toEqual(["one/deep/a.md"]);
  expect(await walkSkips({ root, followLinks: true })).toEqual(["dist/: build-output", "two/: link-duplicate"]);
});

test("links in a circle end", async () => {
  const root = tree({
    "a/page.md": "a\n",
    "a/to-b": { link: "../dist/b" },
    "dist/b/page.md": "b\n",
    "dist/b/self": { link: "." },
    "dist/b/to-a": { link: "../../a" },
    loop: { link: "loop" },
  });
  expect(await walkFiles({ root, followLinks: true })).toEqual(["a/page.md", "a/to-b/page.md"]);
  expect(await walkSkips({ root, followLinks: true })).toEqual([
    "a/to-b/self/: link-duplicate",
    "a/to-b/to-a/: link-duplicate",
    "dist/: build-output",
    "loop: link-broken",
  ]);
});

test("a folder beside the root with its name as a beginning is outside", async () => {
  const base = tree({ "root/a.md": "a\n", "root-2/b.md": "b\n" });
  symlinkSync("../root-2", join(base, "root/link"));
  expect(await walkSkips({ root: join(base, "root"), followLinks: true })).toEqual(["link: link-outside-root"]);
});

test("the rules hold for the path of the link", async () => {
  const root = tree({
    ".gitignore": "ignored\n",
    "dist/a.md": "a\n",
    "dist/b.md": "b\n",
    ignored: { link: "dist/a.md" },
    "taken.md": { link: "dist/b.md" },
  });
  expect(await walkFiles({ root, followLinks: true })).toEqual([".gitignore", "taken.md"]);
});

test("a root that is a link is followed", async () => {
  const base = tree({ "real/a.md": "a\n", root: { link: "real" } });
  const items = await walkAll({ root: join(base, "root") });
  expect(items).toMatchObject([{ type: "file", path: "a.md", absolutePath: join(base, "real/a.md") }]);
});
