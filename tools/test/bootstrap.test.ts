import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../lib/run.mjs";
import { makeTree } from "./tree.js";

const MANIFEST = { packageManager: "pnpm@1.2.3", engines: { node: ">=20.19" } };

/** Stands in for npx: notes its arguments, makes what an install would make, and ends as it is told to. */
const NPX = `#!/usr/bin/env node
const fs = require("node:fs");
fs.appendFileSync("calls", process.argv.slice(2).join(" ") + "\\n");
fs.mkdirSync("node_modules", { recursive: true });
console.log("output of " + process.argv[4]);
process.exit(process.argv[4] === process.env.FAILS ? 7 : 0);
`;

function makeRepository(files: Readonly<Record<string, string | object>> = {}): string {
  const root = makeTree({
    "package.json": MANIFEST,
    "pnpm-lock.yaml": "a: 1\n",
    "pnpm-workspace.yaml": "b: 1\n",
    ...files,
  });
  for (const folder of ["tools", "bin", "elsewhere"]) mkdirSync(join(root, folder));
  copyFileSync(join(ROOT, "tools", "bootstrap.mjs"), join(root, "tools", "bootstrap.mjs"));
  writeFileSync(join(root, "bin", "npx"), NPX, { mode: 0o755 });
  return root;
}

function bootstrap(root: string, args: readonly string[], env: Record<string, string> = {}) {
  const path = [join(root, "bin"), dirname(process.execPath)].join(delimiter);
  return spawnSync(process.execPath, [join(root, "tools", "bootstrap.mjs"), ...args], {
    cwd: join(root, "elsewhere"),
    env: { PATH: path, HOME: join(root, "elsewhere"), CI: "true", ...env },
    encoding: "utf8",
    input: "",
  });
}

const callsOf = (root: string): string[] => readFileSync(join(root, "calls"), "utf8").trimEnd().split("\n");
const INSTALL = "-y pnpm@1.2.3 install --frozen-lockfile";
const BUILD = "-y pnpm@1.2.3 exec turbo run build --output-logs=errors-only";

test("an unknown task and a missing one are refused", () => {
  const root = makeRepository();
  expect(bootstrap(root, ["tset"])).toMatchObject({
    status: 2,
    stderr: 'docsearch: unknown task "tset", expected one of: build, demo, test, smoke, check, bench\n',
  });
  expect(bootstrap(root, [])).toMatchObject({ status: 2, stderr: expect.stringContaining('unknown task ""') });
  expect(existsSync(join(root, "calls"))).toBe(false);
});

test("a Node that is too old is refused before anything is installed", () => {
  const root = makeRepository({ "package.json": { ...MANIFEST, engines: { node: ">=99.5" } } });
  const { status, stderr } = bootstrap(root, ["build"]);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `docsearch: Node 99.5 or newer is needed, this is ${process.versions.node}. See .nvmrc for the version to install.\n`,
  });
  expect(existsSync(join(root, "calls"))).toBe(false);
});

// The stand-in for npx is a script that Windows would not start; there npx is run as a file of npm's.
describe.skipIf(process.platform === "win32")("with npx", () => {
  test("it installs once, and again when the lockfile or the workspace file changes", () => {
    const root = makeRepository();
    expect(bootstrap(root, ["build"]).status).toBe(0);
    expect(bootstrap(root, ["build"]).status).toBe(0);
    writeFileSync(join(root, "pnpm-lock.yaml"), "a: 2\n");
    bootstrap(root, ["build"]);
    writeFileSync(join(root, "pnpm-workspace.yaml"), "b: 2\n");
    bootstrap(root, ["build"]);
    expect(callsOf(root)).toEqual([INSTALL, BUILD, BUILD, INSTALL, BUILD, INSTALL, BUILD]);
  });

  test("a failed install ends it with the same exit code, and is tried again", () => {
    const root = makeRepository();
    const { status, stderr } = bootstrap(root, ["test"], { FAILS: "install" });
    expect(status).toBe(7);
    expect(stderr).toMatch(
      /^docsearch: install \(pnpm@1\.2\.3, from the lockfile\): failed with exit code 7 in \d+\.\d s$/m,
    );
    bootstrap(root, ["build"]);
    expect(callsOf(root)).toEqual([INSTALL, INSTALL, BUILD]);
  });

  test("what a step prints goes to stderr, what the task prints to stdout, and its exit code is passed on", () => {
    const root = makeRepository();
    const { status, stdout, stderr } = bootstrap(root, ["check", "lint", "types"], { FAILS: "exec" });
    expect({ status, stdout }).toEqual({ status: 7, stdout: "output of exec\n" });
    expect(stderr).toMatch(/^output of install\ndocsearch: install .* done in \d+\.\d s\n$/);
    expect(callsOf(root)).toEqual([INSTALL, "-y pnpm@1.2.3 exec node tools/check.mjs lint types"]);
  });

  test("test without arguments checks, with arguments runs those tests alone", () => {
    const root = makeRepository();
    bootstrap(root, ["test"]);
    bootstrap(root, ["test", "packages/core", "-t", "fusion"]);
    expect(callsOf(root)).toEqual([
      INSTALL,
      "-y pnpm@1.2.3 exec node tools/check.mjs test",
      BUILD,
      "-y pnpm@1.2.3 exec vitest run packages/core -t fusion",
    ]);
  });
});
