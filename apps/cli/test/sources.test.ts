import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { docsearch, found, json, temporaryFolders } from "./support.js";

const newFolder = temporaryFolders();
const FILES = {
  "docs/a.md": "# Kelp\n\nkelp alpha\n",
  "docs/a.txt": "kelp notes\n",
  "src/b.ts": "export const kelp = 1;\n",
  "src/b.test.ts": "kelp();\n",
  "other/c.md": "kelp\n",
};

test("index without paths takes the sources, each as its collection with its patterns, from any folder of the project", async () => {
  const folder = newFolder({ ...FILES, ".git/HEAD": "" });
  const add = await docsearch(folder, ["sources", "add", "handbook", "./docs", "--include", "**/*.md"]);
  expect(add).toMatchObject({
    code: 0,
    stderr: "",
    stdout: "handbook is a source now; docsearch index brings it into the index\n",
  });
  expect(await docsearch(join(folder, "src"), ["sources", "add", "code", ".", "--exclude", "*.test.ts"])).toMatchObject(
    { code: 0 },
  );
  expect(JSON.parse(readFileSync(join(folder, "docsearch.config.json"), "utf8"))).toEqual({
    sources: { handbook: { path: "docs", include: ["**/*.md"] }, code: { path: "src", exclude: ["*.test.ts"] } },
  });
  expect(await json(join(folder, "src"), ["index"])).toMatchObject({ scanned: 2, replaced: 2 });
  expect((await found(folder, "kelp")).sort()).toEqual(["docs/a.md", "src/b.ts"]);
  expect(await found(folder, "kelp", ["--collection", "handbook"])).toEqual(["docs/a.md"]);
  expect((await docsearch(folder, ["sources"])).stdout).toBe(
    "handbook      docs  --include **/*.md\ncode          src  --exclude *.test.ts\n",
  );
  expect(await json(folder, ["index"])).toMatchObject({ scanned: 2, unchanged: 2, deleted: 0 });
  expect((await docsearch(folder, ["sources", "remove", "code"])).stdout).toBe(
    "code is no source any more; 1 document left the index\n",
  );
  expect(await found(folder, "kelp")).toEqual(["docs/a.md"]);
  expect(await json(folder, ["index", "other"])).toMatchObject({ scanned: 1, replaced: 1 });
});

test("comments of the file stay when a source is added, and a name is given once", async () => {
  const folder = newFolder(FILES);
  const file = join(folder, "docsearch.config.json");
  writeFileSync(file, '{\n  // ours\n  "sources": { "docs": { "path": "docs" }, },\n}\n');
  expect(await docsearch(folder, ["sources", "add", "code", "src"])).toMatchObject({ code: 0 });
  expect(readFileSync(file, "utf8")).toContain("// ours");
  expect(await json(folder, ["sources"])).toMatchObject({ sources: { docs: { path: "docs" }, code: { path: "src" } } });
  const again = await docsearch(folder, ["sources", "add", "code", "other"]);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("docsearch sources remove code before");
  expect(await docsearch(folder, ["sources", "remove", "nothing"])).toMatchObject({
    code: 2,
    stderr: "docsearch: there is no source nothing; known: docs, code\n",
  });
});

test.each([
  ["no JSON", '{ "sources": ', "expected JSON"],
  ["another key", '{ "command": "rm" }', "command in .*docsearch.config.json:1 is rm; expected no key but sources"],
  ["a source without a path", '{ "sources": { "a": {} } }', "sources.a.path in .* is missing; expected the path"],
  [
    "a misspelt key",
    '{ "sources": { "a": { "path": "docs", "includes": [] } } }',
    "sources.a.includes in .*expected one of path, include, exclude",
  ],
  [
    "patterns that are no list",
    '{ "sources": { "a": { "path": "docs", "include": "*.md" } } }',
    "expected a list of patterns",
  ],
  [
    "a path outside the project",
    '{ "sources": { "a": { "path": "../x" } } }',
    "is \\.\\./x, which leads out of the project; expected .*: docsearch trust",
  ],
  ["an absolute path", '{ "sources": { "a": { "path": "/etc" } } }', "which leads out of the project"],
  ["a link that leads outside", '{ "sources": { "a": { "path": "link" } } }', "which leads out of the project"],
])("a config file with %s is refused in a sentence", async (_name, text, expected) => {
  const folder = newFolder({ ...FILES, "docsearch.config.json": text });
  symlinkSync("/etc", join(folder, "link"));
  const { code, stderr } = await docsearch(folder, ["index"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(new RegExp(`^docsearch: .*${expected}.*\n$`));
});

test("without a config file the working directory is indexed, and the list says so", async () => {
  const folder = newFolder(FILES);
  expect((await docsearch(folder, ["sources"])).stderr).toContain("docsearch sources add <name> <path>");
  expect(await json(folder, ["index"])).toMatchObject({ scanned: 5 });
});

test("a source that is not there is not added", async () => {
  const folder = newFolder(FILES);
  expect(await docsearch(folder, ["sources", "add", "x", "nowhere"])).toMatchObject({
    code: 2,
    stderr: "docsearch: nowhere cannot be a source; expected a folder or file that is there\n",
  });
});

test("a source outside the project is read once the user trusts the file, and asks again when it names others", async () => {
  const outside = newFolder({ "a.md": "# Outside\n\nkelp beside\n" });
  const folder = newFolder(FILES);
  const env = { HOME: folder, XDG_CONFIG_HOME: newFolder() };
  expect((await docsearch(folder, ["sources", "add", "beside", outside], { env })).stdout).toBe(
    "beside is a source now, outside the project: docsearch trust allows to read it, then docsearch index brings it into the index\n",
  );
  const refused = await docsearch(folder, ["index"], { env });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toBe(
    `docsearch: sources.beside.path in ${join(folder, "docsearch.config.json")} is ${outside}, which leads out of the project; expected a path in the project, or the user's word that this one may be read: docsearch trust\n`,
  );
  expect((await docsearch(folder, ["trust"], { env })).stdout).toBe(
    `beside        ${outside}  ${outside}\n1 source outside the project may be read now; back: docsearch trust --revoke\n`,
  );
  expect(await json(folder, ["index"], { env })).toMatchObject({ scanned: 1, replaced: 1 });
  expect(await found(folder, "kelp", ["--collection", "beside"])).toEqual([join(outside, "a.md")]);
  expect(await json(folder, ["trust", "--list"], { env })).toMatchObject({
    trusted: [{ config: join(folder, "docsearch.config.json"), paths: [outside] }],
  });
  writeFileSync(join(folder, "docsearch.config.json"), '{ "sources": { "beside": { "path": "/etc" } } }');
  expect((await docsearch(folder, ["index"], { env })).stderr).toContain("is /etc, which leads out of the project");
  expect((await docsearch(folder, ["sources"], { env })).stdout).toBe("beside        /etc  (outside, not trusted)\n");
  expect((await docsearch(folder, ["trust", "--revoke"], { env })).stdout).toContain(
    "may no longer name paths outside",
  );
});

test("a file inside a source or an indexed folder is brought up to date in its collection", async () => {
  const folder = newFolder({
    ...FILES,
    "docsearch.config.yaml": "sources:\n  handbook: { path: docs, include: ['*.md'] }\n",
  });
  await docsearch(folder, ["index"]);
  await docsearch(folder, ["index", "src"]);
  writeFileSync(join(folder, "docs", "a.md"), "# Kelp\n\nkelp changed\n");
  writeFileSync(join(folder, "docs", "new.md"), "kelp new\n");
  writeFileSync(join(folder, "src", "b.ts"), "export const kelp = 2;\n");
  expect(await json(folder, ["index", "docs/a.md", "src/b.ts"])).toMatchObject({ scanned: 2, replaced: 2, deleted: 0 });
  expect(await found(folder, "kelp", ["--collection", "handbook"])).toEqual(["docs/a.md"]);
  expect((await found(folder, "kelp", ["--collection", "src"])).sort()).toEqual(["src/b.test.ts", "src/b.ts"]);
  expect(await json(folder, ["index", "docs"])).toMatchObject({ scanned: 2, replaced: 1, unchanged: 1 });
  expect((await found(folder, "kelp", ["--collection", "handbook"])).sort()).toEqual(["docs/a.md", "docs/new.md"]);
});

test("add and remove with --json print what was done as JSON", async () => {
  const folder = newFolder(FILES);
  expect(await json(folder, ["sources", "add", "code", "src", "--exclude", "*.test.ts"])).toEqual({
    formatVersion: 1,
    name: "code",
    path: "src",
    exclude: ["*.test.ts"],
  });
  await docsearch(folder, ["index"]);
  expect(await json(folder, ["sources", "remove", "code"])).toEqual({
    formatVersion: 1,
    removed: "code",
    documents: 1,
  });
});
