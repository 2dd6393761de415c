import fc from "fast-check";
import { expect, test } from "vitest";
import { compileGlob, globFolder, isGlob } from "../src/glob.js";

const PATHS = ["a.md", "docs/a.md", "docs/b.mdx", "docs/guide/a.md", "docs/guide/deep/c.ts", "src/a.ts"];

test.each([
  ["*.md", ["a.md", "docs/a.md", "docs/guide/a.md"]],
  ["/*.md", ["a.md"]],
  ["docs/*.md", ["docs/a.md"]],
  ["docs/**", ["docs/a.md", "docs/b.mdx", "docs/guide/a.md", "docs/guide/deep/c.ts"]],
  ["docs/**/*.md", ["docs/a.md", "docs/guide/a.md"]],
  ["**/guide/**", ["docs/guide/a.md", "docs/guide/deep/c.ts"]],
  ["*.{md,mdx}", ["a.md", "docs/a.md", "docs/b.mdx", "docs/guide/a.md"]],
  ["?.md", ["a.md", "docs/a.md", "docs/guide/a.md"]],
  ["docs/*/a.md", ["docs/guide/a.md"]],
  ["*", PATHS],
])("%s", (pattern, expected) => {
  expect(PATHS.filter(compileGlob(pattern))).toEqual(expected);
});

test("the folder before the first wildcard", () => {
  expect(globFolder("docs/guide/*.md")).toBe("docs/guide/");
  expect(globFolder("*.md")).toBe("");
  expect(isGlob("docs/a.md")).toBe(false);
});

test("a hostile pattern takes no longer than its length allows", () => {
  const matches = compileGlob(`${"*a".repeat(200)}b`);
  expect(matches("a".repeat(2000))).toBe(false);
  expect(compileGlob("{".repeat(500) + ",}".repeat(500))("x")).toBe(false);
});

test("a path matches itself, and with any part replaced by a star", () => {
  const part = fc.stringMatching(/^[a-z0-9._-]{1,8}$/);
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.nat(4), (parts, index) => {
      const path = parts.join("/");
      expect(compileGlob(`/${path}`)(path)).toBe(true);
      const starred = parts.map((each, at) => (at === index % parts.length ? "*" : each)).join("/");
      expect(compileGlob(`/${starred}`)(path)).toBe(true);
      expect(compileGlob(`/${starred}`)(`${path}/more`)).toBe(false);
    }),
  );
});
