import { describe, expect, test } from "vitest";
import { checkBoundaries } from "../boundaries/check.mjs";
import { readSource } from "../boundaries/imports.mjs";
import { makeTree } from "./tree.js";

type Files = Readonly<Record<string, string | object>>;

const manifest = (name: string, dependencies: Record<string, string> = {}, more: object = {}): object => ({
  name,
  version: "0.1.0",
  exports: { ".": {}, "./package.json": "./package.json" },
  dependencies,
  ...more,
});
const SPEC = { "@docsearch/spec": "workspace:^" };
const CORE = { "@docsearch/core": "workspace:^" };

/** Four packages and an app that keep every rule. Each test breaks one. */
const SOUND: Files = {
  "packages/spec/package.json": manifest("@docsearch/spec"),
  "packages/spec/src/index.ts": "export const A: number = 1;\n",
  "packages/core/package.json": manifest("@docsearch/core", SPEC),
  "packages/core/src/index.ts": 'import { readFileSync } from "node:fs";\nexport { A } from "@docsearch/spec";\n',
  "packages/core/src/env.ts": "export const home: string | undefined = process.env.HOME;\n",
  "packages/store-sqlite/package.json": manifest("@docsearch/store-sqlite", { ...SPEC, "better-sqlite3": "12.11.1" }),
  "packages/store-sqlite/src/index.ts": 'import { A } from "@docsearch/spec";\nawait import("better-sqlite3");\n',
  "packages/eval/package.json": manifest("@docsearch/eval", { ...SPEC, ...CORE }),
  "packages/eval/src/index.ts": 'import { A } from "@docsearch/core";\n',
  "apps/cli/package.json": manifest("docsearch", { ...CORE, "@docsearch/eval": "workspace:^" }),
  "apps/cli/src/main.ts": 'import "@docsearch/eval";\nimport { A } from "@docsearch/core";\nprocess.env.HOME;\n',
};

function problemsOf(broken: Files): readonly string[] {
  return check(broken).problems;
}

function check(broken: Files): { problems: readonly string[]; warnings: readonly string[] } {
  const files = { ...SOUND, ...broken };
  return checkBoundaries(makeTree(files), Object.keys(files));
}

test("a sound tree has no problem", () => {
  expect(check({})).toEqual({ problems: [], warnings: [] });
});

describe("arrows between packages", () => {
  test("spec imports nothing", () => {
    expect(problemsOf({ "packages/spec/src/index.ts": 'import { A } from "@docsearch/core";\n' })).toEqual([
      "packages/spec/src/index.ts:1: packages/spec must not import packages/core",
    ]);
  });

  test("core imports no store, by whatever form of import", () => {
    const forms = [
      'import { A } from "@docsearch/store-sqlite";',
      'import type { A } from "@docsearch/store-sqlite";',
      'export { A } from "@docsearch/store-sqlite";',
      'export * from "@docsearch/store-sqlite";',
      'export const f = () => import("@docsearch/store-sqlite");',
      "export const f = () => import(`@docsearch/store-sqlite`);",
      'export type T = import("@docsearch/store-sqlite").T;',
      'export const p: string = require.resolve("@docsearch/store-sqlite");',
      'export const p: unknown = require("@docsearch/store-sqlite");',
    ];
    for (const form of forms) {
      expect(problemsOf({ "packages/core/src/index.ts": `\n${form}\n` })).toEqual([
        "packages/core/src/index.ts:2: packages/core must not import packages/store-sqlite",
      ]);
    }
  });

  test("a name in a comment, in a string or computed is not an import", () => {
    const text =
      '// import "@docsearch/cli"\nexport const a = \'import x from "@docsearch/eval"\';\nexport const f = (name: string) => import(name);\n';
    expect(problemsOf({ "packages/core/src/index.ts": text })).toEqual([]);
  });

  test("a store does not import core", () => {
    expect(problemsOf({ "packages/store-sqlite/src/index.ts": 'import { A } from "@docsearch/core";\n' })).toEqual([
      "packages/store-sqlite/src/index.ts:1: packages/store-sqlite must not import packages/core",
    ]);
  });

  test("a manifest may not draw a forbidden arrow either, except for tests", () => {
    expect(
      problemsOf({
        "packages/store-sqlite/package.json": manifest("@docsearch/store-sqlite", {
          ...SPEC,
          ...CORE,
          "better-sqlite3": "12.11.1",
        }),
      }),
    ).toEqual(["packages/store-sqlite/package.json:1: packages/store-sqlite must not depend on packages/core"]);
    expect(
      problemsOf({
        "packages/store-sqlite/package.json": manifest(
          "@docsearch/store-sqlite",
          { ...SPEC, "better-sqlite3": "12.11.1" },
          { devDependencies: CORE },
        ),
      }),
    ).toEqual([]);
  });

  test("nothing imports an app, not even another app", () => {
    const files = {
      "packages/eval/src/index.ts": 'import { run } from "docsearch";\n',
      "packages/eval/package.json": manifest(
        "@docsearch/eval",
        { ...SPEC, ...CORE },
        { devDependencies: { docsearch: "workspace:^" } },
      ),
      "apps/server/package.json": manifest("docsearch-mcp"),
      "apps/server/src/main.ts": 'import { run } from "docsearch";\n',
    };
    expect(problemsOf(files)).toEqual([
      "packages/eval/package.json:1: nothing depends on an app, not even for tests: docsearch",
      'packages/eval/src/index.ts:1: "docsearch": nothing imports an app',
      'apps/server/src/main.ts:1: "docsearch": nothing imports an app',
    ]);
  });

  test("a package of an unknown kind needs a rule", () => {
    expect(problemsOf({ "packages/utils/package.json": manifest("@docsearch/utils") })).toEqual([
      "packages/utils/package.json:1: no rule says what this package may import; give it a row in tools/boundaries/rules.mjs",
    ]);
  });

  test("project references agree with the dependencies", () => {
    expect(problemsOf({ "packages/eval/tsconfig.json": { references: [{ path: "../core" }] } })).toEqual([
      "packages/eval/package.json:1: tsconfig.json references [packages/core], the dependencies are [packages/core, packages/spec]",
    ]);
  });
});

describe("how a package imports", () => {
  test("not by a path into another package", () => {
    expect(problemsOf({ "packages/core/src/index.ts": 'import { A } from "../../spec/src/index.js";\n' })).toEqual([
      'packages/core/src/index.ts:1: "../../spec/src/index.js" leaves the package; import other packages by name',
    ]);
  });

  test("not by a subpath that the other package does not export", () => {
    expect(
      problemsOf({ "packages/core/src/index.ts": 'import { A } from "@docsearch/spec/dist/index.js";\n' }),
    ).toEqual([
      'packages/core/src/index.ts:1: "@docsearch/spec/dist/index.js" is not among the exports of @docsearch/spec',
    ]);
  });

  test("not without declaring the dependency", () => {
    expect(
      problemsOf({
        "packages/core/src/index.ts": 'import { a } from "left-pad/lib/a.js";\nimport "@docsearch/core";\n',
      }),
    ).toEqual([
      'packages/core/src/index.ts:1: "left-pad/lib/a.js" is not among the dependencies of @docsearch/core',
      'packages/core/src/index.ts:2: "@docsearch/core" is imported for an effect; importing a package has none',
    ]);
  });

  test("types may come from a declared @types package", () => {
    const source = {
      "packages/core/src/index.ts": 'import type { Root } from "mdast";\nimport type { B } from "@scope/b";\n',
    };
    const types = { ...SPEC, "@types/mdast": "4.0.4", "@types/scope__b": "1.0.0" };
    expect(problemsOf({ ...source, "packages/core/package.json": manifest("@docsearch/core", types) })).toEqual([]);
    expect(problemsOf({ "packages/core/src/index.ts": 'import type { Root } from "mdast";\n' })).toEqual([
      'packages/core/src/index.ts:1: "mdast" is not among the dependencies of @docsearch/core',
    ]);
  });

  test("not for an effect, except in an app", () => {
    expect(problemsOf({ "packages/core/src/index.ts": 'import "./env.js";\n' })).toEqual([
      'packages/core/src/index.ts:1: "./env.js" is imported for an effect; importing a package has none',
    ]);
  });

  test("a database driver in a store alone", () => {
    const declared = manifest("@docsearch/core", { ...SPEC, pg: "8.0.0" });
    const source = 'import { DatabaseSync } from "node:sqlite";\nimport pg from "pg";\n';
    expect(problemsOf({ "packages/core/package.json": declared, "packages/core/src/index.ts": source })).toEqual([
      'packages/core/src/index.ts:1: "node:sqlite": a database driver belongs in a store',
      'packages/core/src/index.ts:2: "pg": a database driver belongs in a store',
    ]);
  });
});

describe("process.env", () => {
  const forms = [
    "export const a = process.env.HOME;",
    'export const a = process["env"].HOME;',
    "export const { env } = process;",
    "export const a = globalThis.process.env;",
    'import { env } from "node:process"; export const a = env.HOME;',
    'import system from "node:process"; export const a = system.env.HOME;',
    'import * as system from "process"; export const a = system.env.HOME;',
  ];
  test.each(forms)("is not read elsewhere: %s", (form) => {
    expect(problemsOf({ "packages/core/src/index.ts": `${form}\n` })).toEqual([
      "packages/core/src/index.ts:1: process.env is read by core/src/env.ts and the apps alone",
    ]);
  });

  test("the rest of process is free, and so is an argument named env", () => {
    const text =
      'import { cwd } from "node:process";\nexport const f = (env: { a: string }): string => env.a + process.cwd() + cwd();\n';
    expect(problemsOf({ "packages/core/src/index.ts": text })).toEqual([]);
  });
});

describe("files", () => {
  const lines = (count: number): Files => ({ "packages/core/src/index.ts": "export {};\n".repeat(count) });

  test("of more than 400 lines warn, of more than 500 fail", () => {
    expect(check(lines(400))).toEqual({ problems: [], warnings: [] });
    expect(check(lines(401))).toEqual({
      problems: [],
      warnings: ["packages/core/src/index.ts:401: 401 lines: consider two files"],
    });
    expect(check(lines(500)).problems).toEqual([]);
    expect(check(lines(501)).problems).toEqual([
      "packages/core/src/index.ts:501: 501 lines, at most 500: this holds two concepts",
    ]);
  });

  test("that are generated are not looked at", () => {
    expect(problemsOf({ "packages/core/src/generated/kernel.ts": 'import "effect";\n' })).toEqual([]);
  });

  test("that cannot be parsed fail", () => {
    expect(problemsOf({ "packages/core/src/index.ts": "export const = 1;\n" })).toEqual([
      "packages/core/src/index.ts:1: cannot be parsed: Unexpected token",
    ]);
  });
});

describe("text of tracked files", () => {
  // Put together here, so that this file does not hold what it looks for.
  const path = (top: string): string => `/${top}/me/notes.md`;
  const host = ["registry", "npmjs", "org"].join(".");

  test.each(["work", "home", "root"])("no path below /%s", (top) => {
    expect(problemsOf({ "README.md": `# Title\n\nSee ${path(top)}.\n` })).toEqual([
      `README.md:3: names a path of one machine: /${top}/m`,
    ]);
    expect(problemsOf({ "a.json": `{"a":"file://${path(top)}"}` })).toEqual([
      `a.json:1: names a path of one machine: /${top}/m`,
    ]);
  });

  test("a relative path and an address that look like one are fine", () => {
    expect(
      problemsOf({
        "README.md": `packages${path("work")} https://example.com${path("home")} ~${path("work")} ./root/x`,
      }),
    ).toEqual([]);
  });

  test("no host of a registry, and no address in a lockfile", () => {
    expect(problemsOf({ "docs/a.md": `from ${host}` })).toEqual([`docs/a.md:1: names a registry's host: ${host}`]);
    expect(problemsOf({ "pnpm-lock.yaml": "a:\n  tarball: https://example.com/a.tgz\n" })).toEqual([
      "pnpm-lock.yaml:2: names a registry's address in a lockfile or setting: tarball: https:",
    ]);
    expect(problemsOf({ ".npmrc": "registry=https://example.com/\n" })).toEqual([
      ".npmrc:1: names a registry's address in a lockfile or setting: registry=https:",
    ]);
  });

  test("fixtures and binary files are left alone", () => {
    expect(problemsOf({ "packages/core/test/fixtures/a.md": path("home"), "data.bin": `\0${path("home")}` })).toEqual(
      [],
    );
  });
});

test("readSource tells what an import leaves behind", () => {
  const text = 'import type { A } from "a";\nimport { type B } from "b";\nimport "c";\n\nexport type { D } from "d";\n';
  expect(readSource("x.ts", text).imports).toEqual([
    { specifier: "a", line: 1, typeOnly: true, effectOnly: false },
    { specifier: "b", line: 2, typeOnly: false, effectOnly: false },
    { specifier: "c", line: 3, typeOnly: false, effectOnly: true },
    { specifier: "d", line: 5, typeOnly: true, effectOnly: false },
  ]);
});
