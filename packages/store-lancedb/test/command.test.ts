import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolders } from "./support.js";

const newFolder = temporaryFolders();
const PACKAGE = dirname(import.meta.dirname);
const COMMAND = join(PACKAGE, "..", "..", "apps", "cli", "bin", "docsearch.js");

/** Runs the command with this package where Node looks for packages that are installed globally, or without it. */
function docsearch(cwd: string, packages: string, ...args: readonly string[]): { status: number | null; out: string } {
  const env = { PATH: process.env.PATH, DOCS_STORE_BACKEND: "lancedb", NODE_PATH: packages };
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], { cwd, env, encoding: "utf8" });
  return { status, out: stdout + stderr };
}

test("the command indexes, searches, checks, rebuilds and rolls back with DOCS_STORE_BACKEND=lancedb", () => {
  const project = newFolder();
  const packages = join(project, "packages");
  mkdirSync(join(packages, "@docsearch"), { recursive: true });
  symlinkSync(PACKAGE, join(packages, "@docsearch", "store-lancedb"));
  mkdirSync(join(project, "docs"));
  writeFileSync(join(project, "docs", "backup.md"), "# Backups\n\nRestore a backup with `tool restore`.\n");
  writeFileSync(join(project, "docs", "hats.md"), "# Hats\n\nWear one in the sun.\n");
  const run = (...args: readonly string[]): string => {
    const { status, out } = docsearch(project, packages, ...args);
    expect([args[0], status, status === 0 ? "" : out]).toEqual([args[0], 0, ""]);
    return out;
  };
  expect(run("index", "docs")).toContain("2 documents: 2 new or changed");
  expect(readdirSync(join(project, ".docsearch"))).toContain("lancedb");
  expect(run("search", "how do I restore a backup", "--limit", "1")).toContain("backup.md:1-3");
  expect(run("search", "Hats", "--mode", "keyword", "--limit", "1")).toContain("hats.md:1-3");
  expect(run("doctor")).toContain("what is stored is whole");
  expect(run("status")).toMatch(/store +lancedb/);
  writeFileSync(join(project, "docs", "hats.md"), "# Gloves\n\nWear two in winter.\n");
  expect(run("index", "docs", "--rebuild")).toContain("2 documents: 2 new or changed");
  expect(run("search", "Gloves", "--mode", "keyword", "--limit", "1")).toContain("hats.md:1-3");
  run("index", "rollback");
  expect(run("search", "Hats", "--mode", "keyword", "--limit", "1")).toContain("hats.md:1-3");
}, 60_000);

test("without the package the command names the one to install", () => {
  const project = newFolder();
  mkdirSync(project);
  const { status, out } = docsearch(project, "", "search", "x");
  expect(status).toBe(2);
  expect(out).toContain("@docsearch/store-lancedb is not installed");
  expect(out).toContain("run: npm install @docsearch/store-lancedb");
});
