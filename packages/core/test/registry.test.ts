import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRegistry } from "../src/registry.js";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "docsearch-registry-"));
  writeFileSync(join(root, "package.json"), "{}");
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (name: string, source: string): void => writeFileSync(join(root, name), source);

test("the memory store is always there", async () => {
  expect((await createRegistry({ root }).load("store", "memory")).name).toBe("memory");
});

test("an unknown name is refused with the known ones", async () => {
  await expect(createRegistry({ root }).load("store", "sqlit")).rejects.toMatchObject({
    code: "BACKEND_UNKNOWN",
    message:
      'there is no store named "sqlit"; known: lancedb, memory, pgvector, sqlite, or a module specifier such as ./my-store.js',
    details: { name: "sqlit", known: ["lancedb", "memory", "pgvector", "sqlite"] },
  });
});

test("a package that is not installed is refused with the command that brings it", async () => {
  await expect(createRegistry({ root }).load("store", "@nobody/no-such-store")).rejects.toMatchObject({
    code: "BACKEND_NOT_INSTALLED",
    details: { package: "@nobody/no-such-store", install: "npm install @nobody/no-such-store" },
  });
});

test("the command that brings an entry of a package names the package", async () => {
  for (const [specifier, name] of [
    ["@nobody/no-such-store/entry", "@nobody/no-such-store"],
    ["no-such-store/entry", "no-such-store"],
  ]) {
    await expect(createRegistry({ root }).load("store", specifier as string)).rejects.toMatchObject({
      code: "BACKEND_NOT_INSTALLED",
      details: { install: `npm install ${name}` },
    });
  }
});

test.each([
  ["embedder", "transformers"],
  ["embedder", "openai"],
  ["reranker", "transformers"],
  ["reranker", "http"],
] as const)("there is a %s named %s", (kind, name) => {
  expect(createRegistry({ root }).names(kind)).toContain(name);
});

test("a module of the application is loaded from its folder", async () => {
  write("my.mjs", `export const provider = { specVersion: 1, kind: "store", name: "mine", fromEnv: () => "made" };`);
  const provider = await createRegistry({ root }).load("store", "./my.mjs");
  expect(provider.fromEnv({})).toBe("made");
});

test("a module that throws keeps its cause", async () => {
  write("bad.mjs", `throw new Error("wrong ABI");`);
  await expect(createRegistry({ root }).load("store", "./bad.mjs")).rejects.toMatchObject({
    code: "BACKEND_LOAD_FAILED",
    message: "./bad.mjs is there but did not load: wrong ABI",
    cause: { message: "wrong ABI" },
  });
});

test("a file that is not there is named", async () => {
  await expect(createRegistry({ root }).load("store", "./gone.mjs")).rejects.toMatchObject({
    code: "BACKEND_LOAD_FAILED",
    message: `./gone.mjs cannot be loaded: there is no file ${join(root, "gone.mjs")}`,
  });
});

test("a module without a fitting provider is refused", async () => {
  write("none.mjs", "export const other = 1;");
  write("kind.mjs", `export const provider = { specVersion: 1, kind: "embedder", name: "x", fromEnv: () => 1 };`);
  write("version.mjs", `export const provider = { specVersion: 2, kind: "store", name: "x", fromEnv: () => 1 };`);
  const registry = createRegistry({ root });
  await expect(registry.load("store", "./none.mjs")).rejects.toMatchObject({ code: "BACKEND_LOAD_FAILED" });
  await expect(registry.load("store", "./kind.mjs")).rejects.toMatchObject({ code: "BACKEND_LOAD_FAILED" });
  await expect(registry.load("store", "./version.mjs")).rejects.toMatchObject({
    code: "SPEC_VERSION_UNSUPPORTED",
    details: { found: 2, supported: [1] },
  });
});

test("what the application registers goes first", async () => {
  const registry = createRegistry({ root });
  const mine = { specVersion: 1, kind: "store", name: "sqlite", fromEnv: () => "mine" } as never;
  registry.register(mine);
  expect(await registry.load("store", "sqlite")).toBe(mine);
  expect(registry.names("store")).toEqual(["lancedb", "memory", "pgvector", "sqlite"]);
});
