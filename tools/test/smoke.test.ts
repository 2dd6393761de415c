import { expect, test } from "vitest";
import { withDependencies } from "../lib/workspace.mjs";
import { inspectInstalled } from "../smoke/install.mjs";
import { loadedPackages } from "../smoke/loaded-packages.mjs";
import { makeTree } from "./tree.js";

test("an installed package with native code or an install script is seen", () => {
  const root = makeTree({
    "node_modules/plain/package.json": { name: "plain", scripts: { test: "x", prepare: "x" } },
    "node_modules/plain/fixtures/package.json": { name: "not-installed", scripts: { install: "x" } },
    "node_modules/@scope/native/package.json": { name: "@scope/native", scripts: { install: "node-gyp rebuild" } },
    "node_modules/@scope/native/binding.gyp": "{}",
    "node_modules/plain/node_modules/nested/package.json": { name: "nested", scripts: { postinstall: "x" } },
    "node_modules/plain/node_modules/nested/build/nested.node": "x".repeat(2_000_000),
  });
  const { packages, megabytes, native, scripts } = inspectInstalled(root);
  expect(packages).toBe(3);
  expect(megabytes).toBeCloseTo(2, 2);
  expect(native.map((file) => file.replaceAll("\\", "/")).sort()).toEqual([
    "@scope/native/binding.gyp",
    "plain/node_modules/nested/build/nested.node",
  ]);
  expect(scripts.sort()).toEqual(["@scope/native: install", "nested: postinstall"]);
});

test("an import loads what it imports statically, and not what it would import later", async () => {
  const manifest = { type: "module", exports: "./index.js" };
  const root = makeTree({
    "node_modules/a/package.json": { name: "a", ...manifest },
    "node_modules/a/index.js": 'import "@scope/b"; export const later = () => import("c");\n',
    "node_modules/@scope/b/package.json": { name: "@scope/b", ...manifest },
    "node_modules/@scope/b/index.js": "export {};\n",
    "node_modules/c/package.json": { name: "c", ...manifest },
    "node_modules/c/index.js": "export {};\n",
  });
  expect(await loadedPackages(root, "a")).toEqual(["@scope/b", "a"]);
});

test("an install brings the workspace packages that are needed, through several steps, and no others", () => {
  const entry = (name: string, dependencies: Record<string, string>) => ({
    folder: `packages/${name}`,
    manifest: { name, version: "0.1.0", dependencies },
  });
  const packages = [entry("a", { b: "1", left: "1" }), entry("b", { c: "1" }), entry("c", {}), entry("d", { a: "1" })];
  expect(withDependencies(packages, "a").map(({ manifest }) => manifest.name)).toEqual(["a", "b", "c"]);
  expect(withDependencies(packages, "c").map(({ manifest }) => manifest.name)).toEqual(["c"]);
});
