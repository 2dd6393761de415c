import * as sourceFs from "@docsearch/source-fs";
import { expect, test } from "vitest";

test("the package exports these values", () => {
  expect(Object.keys(sourceFs).sort()).toEqual([
    "DEFAULT_RULES",
    "decode",
    "fileSource",
    "mediaTypeOf",
    "readDocument",
    "walk",
  ]);
});

test.each([
  ["a.md", "text/markdown"],
  ["a/b.MDX", "text/mdx"],
  ["a.html", "text/html"],
  ["a.rst", "text/x-rst"],
  ["a.json", "application/json"],
  ["a.yml", "application/yaml"],
  ["a.toml", "application/toml"],
  ["a.py", "text/x-python"],
  ["a.d.ts", "text/x-typescript"],
  ["a.tsx", "text/x-tsx"],
  ["a.js", "text/javascript"],
  ["a.cpp", "text/x-c++"],
  ["a.txt", "text/plain"],
  ["Makefile", "text/x-makefile"],
  ["docs/Dockerfile", "text/x-dockerfile"],
  ["CMakeLists.txt", "text/x-cmake"],
  ["LICENSE", "text/plain"],
  ["a.unknown", "text/plain"],
  ["md", "text/plain"],
  [".md", "text/markdown"],
  ["a.md/b", "text/plain"],
  ["constructor", "text/plain"],
])("%s is %s", (path, mediaType) => {
  expect(sourceFs.mediaTypeOf(path)).toBe(mediaType);
});
