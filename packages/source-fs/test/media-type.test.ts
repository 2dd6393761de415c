import { mediaTypeOf } from "@docsearch/source-fs";
import { expect, test } from "vitest";

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
  expect(mediaTypeOf(path)).toBe(mediaType);
});

test.each([
  ["bin/deploy", "#!/bin/sh\necho\n", "text/x-shellscript"],
  ["bin/run", "#!/usr/bin/env -S python3.11 -u\n", "text/x-python"],
  ["bin/tool", "#!/usr/bin/env FORCE=1 node\n", "text/javascript"],
  ["bin/other", "#!/opt/unknown\n", "text/plain"],
  ["LICENSE", "MIT\n#!/bin/sh\n", "text/plain"],
  ["notes.txt", "#!/bin/sh\n", "text/plain"],
  ["lib.rb", "#!/bin/sh\n", "text/x-ruby"],
])("a name without extension has the type of its `#!` line: %s", (path, text, mediaType) => {
  expect(mediaTypeOf(path, text)).toBe(mediaType);
});
