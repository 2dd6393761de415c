import { expect, test } from "vitest";
import { detectLanguage } from "../src/detect-language.js";
import { chunker } from "./chunk.js";

const PLAIN = "text/plain";

test.each([
  ["src/a.TS", PLAIN, "", "typescript"],
  ["a.d.mts", PLAIN, "", "typescript"],
  ["a.jsx", PLAIN, "", "javascript"],
  ["Gemfile", PLAIN, "", "ruby"],
  ["docs/Makefile", PLAIN, "", "make"],
  ["page", "text/html; charset=utf-8", "", "html"],
  ["config", "application/yaml", "", "yaml"],
  ["a.h", PLAIN, "struct ship { int size; };\nint dock(struct ship *s);\n", "c"],
  ["a.h", PLAIN, "#pragma once\nnamespace harbour {\nclass Dock;\n}\n", "cpp"],
  ["a.h", PLAIN, "/* std::vector in C++ */\nint dock(void);\n", "cpp"],
  ["bin/deploy", "text/x-shellscript", "#!/usr/bin/env -S python3.11 -u\n", "python"],
  ["bin/deploy", "text/x-shellscript", "#!/bin/sh\n", "bash"],
  ["a.py", PLAIN, "#!/bin/sh\n", "python"],
  ["a.pl", PLAIN, "", "perl"],
  ["a.ipynb", PLAIN, "", "notebook"],
])("%s of %s is %s", (path, mediaType, text, language) => {
  expect(detectLanguage({ path, mediaType, text })?.name).toBe(language);
});

test.each([
  ["a.ts", PLAIN, true],
  ["a.unknown", "text/x-rust", true],
  ["Dockerfile", PLAIN, true],
  ["a.md", "text/markdown", false],
  ["a.txt", PLAIN, false],
  ["LICENSE", PLAIN, false],
  ["ts", PLAIN, false],
  ["a.rst", "text/x-rst", false],
  ["a.csv", "text/csv", false],
])("supports %s of %s: %s", (path, mediaType, supported) => {
  expect(chunker.supports({ path, mediaType })).toBe(supported);
  expect(chunker.supports({ mediaType })).toBe(supported && mediaType !== PLAIN);
});
