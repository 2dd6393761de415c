import { hasFiles } from "@docsearch/source-fs";
import { expect, test } from "vitest";
import { NO_SETTINGS, tree } from "./tree.js";

test("tells whether a walk would bring a file, by its patterns and its part", async () => {
  const options = { root: tree({ "docs/a.md": "a", "src/b.ts": "b" }), env: NO_SETTINGS };
  expect(await hasFiles(options)).toBe(true);
  expect(await hasFiles({ ...options, include: ["*.txt"] })).toBe(false);
  expect(await hasFiles({ ...options, include: ["*.md"], within: "docs" })).toBe(true);
  expect(await hasFiles({ ...options, include: ["*.md"], within: "src" })).toBe(false);
});
