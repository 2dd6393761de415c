import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../lib/run.mjs";
import { listPackages, listPublished } from "../lib/workspace.mjs";

const published = listPublished();
const readText = (folder: string, file: string): string => readFileSync(join(ROOT, folder, file), "utf8");

test("the published packages export these names and no others", () => {
  const pinned: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "exports.json"), "utf8"));
  // In a process of its own, because the tests' aliases lead to the sources and this is about what is built.
  const printed = execFileSync(process.execPath, [join(import.meta.dirname, "list-exports.mjs")], { encoding: "utf8" });
  // Also shows that an import prints nothing: the output is the JSON alone.
  expect(JSON.parse(printed)).toEqual(pinned);
});

test.each(published)("the exports map of $manifest.name has types, then default, and nothing else", ({ manifest }) => {
  const { "./package.json": self, ...entries } = manifest.exports ?? {};
  expect(self).toBe("./package.json");
  for (const target of Object.values(entries)) {
    expect(Object.keys(target as object)).toEqual(["types", "default"]);
    const { types, default: code } = target as { types: string; default: string };
    expect(code).toMatch(/^\.\/dist\/[a-z0-9/-]+\.js$/);
    expect(types).toBe(code.replace(/\.js$/, ".d.ts"));
  }
});

test.each(published)("$manifest.name is ready to be published", ({ folder, manifest }) => {
  expect(manifest).toMatchObject({
    type: "module",
    license: "MIT",
    engines: { node: ">=20.19" },
    description: expect.stringMatching(/\S/),
    files: expect.arrayContaining(["dist", "!dist/**/*.tsbuildinfo"]),
  });
  // An app is run and not imported: bundlers need not be told that its modules can be dropped.
  // Source maps lead to the sources of what is imported.
  if (folder.startsWith("packages/")) {
    expect(manifest).toMatchObject({ sideEffects: false, files: expect.arrayContaining(["src"]) });
  }
  const scripts = Object.keys(manifest.scripts ?? {});
  expect(scripts.filter((name) => /install|prepare|publish/.test(name))).toEqual([]);
  expect(readText(folder, "LICENSE")).toBe(readText(".", "LICENSE"));
  expect(readText(folder, "README.md")).toMatch(/^# /);
});

test("all published packages have one version, in one fixed group of the release tool", () => {
  expect([...new Set(published.map(({ manifest }) => manifest.version))]).toHaveLength(1);
  const { fixed } = JSON.parse(readText(".changeset", "config.json")) as { fixed: readonly string[][] };
  const [scope] = (
    published.find(({ folder }) => folder === "packages/core") as (typeof published)[0]
  ).manifest.name.split("/");
  const apps = published.filter(({ folder }) => folder.startsWith("apps/")).map(({ manifest }) => manifest.name);
  expect(fixed).toEqual([[`${scope}/*`, ...apps]]);
  for (const { folder, manifest } of published) {
    if (folder.startsWith("packages/")) expect(manifest.name).toBe(`${scope}/${folder.slice("packages/".length)}`);
  }
});

test("third-party dependencies are pinned exactly, or are the range that a driver's Node versions need", () => {
  const loose = listPackages().flatMap(({ manifest }) =>
    Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
      .filter(([, range]) => !/^(workspace:\^|\d+\.\d+\.\d+(-[a-z0-9.]+)?)$/.test(range))
      .map(([name, range]) => `${manifest.name}: ${name} ${range}`),
  );
  expect(loose).toEqual(["@docsearch/store-sqlite: better-sqlite3 ^12.11.1 || ^13.0.0"]);
});
