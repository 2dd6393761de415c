import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storedBytes } from "../src/stored-bytes.js";
import { temporaryFolders } from "./support.js";

const folder = temporaryFolders();

test("a file has its size, a folder that of all files below it; links are not followed", () => {
  const root = folder({
    "index/a.lance": "12345",
    "index/data/deep/b.lance": "1234567",
    "other/large": "x".repeat(999),
  });
  symlinkSync(join(root, "other"), join(root, "index", "folder-link"));
  symlinkSync(join(root, "other", "large"), join(root, "index", "file-link"));
  expect(storedBytes(join(root, "other", "large"))).toBe(999);
  expect(storedBytes(join(root, "index"))).toBe(12);
});

test("what is not there, as the address of a server, has no size", () => {
  const root = folder();
  expect(storedBytes(join(root, "none"))).toBeUndefined();
  expect(storedBytes("postgres://localhost/docs")).toBeUndefined();
});
