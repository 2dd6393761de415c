import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseConfig, readConfig } from "../src/config/config-file.js";
import { addSource, listTrusted, projectSources, removeSource, requireReadable, revoke, trust } from "../src/config.js";

const top = realpathSync(mkdtempSync(join(tmpdir(), "docsearch-config-")));
afterAll(() => rmSync(top, { recursive: true }));
let made = 0;

/** A project with files beside it, and the environment of a user who has said nothing yet. */
function project(files: Readonly<Record<string, string>> = {}): {
  root: string;
  beside: string;
  env: { XDG_CONFIG_HOME: string };
} {
  const place = join(top, String(made++));
  const root = join(place, "project");
  mkdirSync(join(root, "docs"), { recursive: true });
  mkdirSync(join(place, "beside"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return { root, beside: join(place, "beside"), env: { XDG_CONFIG_HOME: join(place, "user") } };
}

const yaml = (path: string): Record<string, string> => ({
  "docsearch.config.yaml": `sources:\n  a:\n    path: ${JSON.stringify(path)}\n`,
});

function accessOf(root: string, env: object): string | undefined {
  return projectSources(root, { ...env })?.sources[0]?.access;
}

function allow(root: string, env: object): void {
  const config = projectSources(root, { ...env });
  if (config === undefined) throw new Error("no config");
  trust(
    { ...env },
    config.identity,
    config.sources.filter(({ access }) => access !== "inside").map(({ real }) => real),
  );
}

test.each([
  ["docsearch.config.json", '{ "sources": { "docs": { "path": "docs", "include": ["*.md"] } } }'],
  ["docsearch.config.yaml", "sources:\n  docs: { path: docs, include: ['*.md'] }\n"],
  ["docsearch.config.yml", "sources:\n  docs:\n    path: docs\n    include:\n      - '*.md'\n"],
])("the sources of %s", (name, text) => {
  const { root } = project({ [name]: text });
  expect([...(readConfig(root)?.sources ?? [])]).toEqual([["docs", { path: "docs", include: ["*.md"] }]]);
});

test("a project without a config file has no sources, and an empty one none either", () => {
  expect(readConfig(project().root)).toBeUndefined();
  for (const text of ["", "sources:\n", "# nothing yet\n"]) expect(parseConfig(text, "a.yaml").sources.size).toBe(0);
});

test("two config files are an error that names both", () => {
  const { root } = project({ "docsearch.config.json": "{}", "docsearch.config.yml": "" });
  expect(() => readConfig(root)).toThrow(
    `${root}/docsearch.config.json and ${root}/docsearch.config.yml are there both; expected one of them`,
  );
});

test.each([
  ["a tag of its own", "sources: !!js/function x\n", "line 1 is no plain YAML: Unresolved tag"],
  ["another tag", "sources:\n  a: !env HOME\n", "line 2 is no plain YAML: Unresolved tag: !env"],
  ["binary data", "sources:\n  a: !!binary aGk=\n", "line 2 is no plain YAML"],
  [
    "a key twice",
    "sources:\n  a: { path: x }\n  b: { path: x }\n  a: { path: y }\n",
    'line 4 has the key "a" again, which line 2 has',
  ],
  [
    "an unknown key",
    "# ours\nsource:\n  a: { path: x }\n",
    'source in a.yaml:2 is {"a":{"path":"x"}}; expected no key but sources',
  ],
  [
    "a misspelt key",
    "sources:\n  a:\n    path: x\n    includes: []\n",
    "sources.a.includes in a.yaml:4 is []; expected one of path, include, exclude",
  ],
  ["a merge key", "sources:\n  a: &a { path: x }\n  b:\n    <<: *a\n", "sources.b.<< in a.yaml:4"],
  ["two documents", "sources: {}\n---\nsources: {}\n", "line 2 begins another document"],
  ["a directive", "%YAML 1.1\n---\nsources: {}\n", "line 1 has a directive"],
  ["a key that is a list", "sources:\n  [a]: x\n", "line 2 has a key that is no word"],
  ["no YAML", "sources: [\n", "expected YAML of plain data"],
  ["depth in brackets", "[".repeat(200_000), "line 1 lies deeper than 32 levels"],
  ["depth in dashes", "- ".repeat(100_000), "line 1 lies deeper than 32 levels"],
  [
    "depth in lines",
    Array.from({ length: 600 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
    "line 202 lies deeper than 32 levels",
  ],
  [
    "aliases that multiply",
    `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
      .split("")
      .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[i]}`).join(",")}]`)
      .join("\n")}\n`,
    "an alias is wrong: Excessive alias count",
  ],
])("YAML with %s is refused", (_name, text, message) => {
  expect(() => parseConfig(text, "a.yaml")).toThrow(message);
});

test.each([
  [
    "a key twice",
    '{ "sources": {\n "a": { "path": "x" },\n "a": { "path": "y" } } }',
    'line 3 has the key "a" again, which line 2 has',
  ],
  ["an unknown key", '{\n  // ours\n  "source": {} }', "source in a.json:3 is {}; expected no key but sources"],
  ["depth", "[".repeat(100_000), "line 1 is no JSON"],
])("JSON with %s is refused", (_name, text, message) => {
  expect(() => parseConfig(text, "a.json")).toThrow(message);
});

test("names of sources that objects have anyway are names like others", () => {
  const { sources } = parseConfig(
    "sources:\n  constructor: { path: a }\n  __proto__: { path: b }\n  1: { path: c }\n",
    "a.yaml",
  );
  expect([...sources.keys()].sort()).toEqual(["1", "__proto__", "constructor"]);
});

test("sources come and go, and comments of a YAML file stay", () => {
  const text =
    "# our sources\nsources:\n  # the handbook\n  docs:\n    path: docs # all of it\n  code:\n    path: src\n# the end\n";
  const { root } = project({ "docsearch.config.yaml": text });
  const file = join(root, "docsearch.config.yaml");
  expect(addSource(root, "api", { path: "api", include: ["*.md"] })).toBe(file);
  expect(readFileSync(file, "utf8")).toBe(
    text.replace("# the end\n", '  api:\n    path: api\n    include:\n      - "*.md"\n\n# the end\n'),
  );
  removeSource(root, "api");
  expect(readFileSync(file, "utf8")).toBe(text.replace("# the end", "\n# the end"));
  removeSource(root, "code");
  expect(readFileSync(file, "utf8")).toBe(text.replace("  code:\n    path: src\n", "\n"));
});

test("a source is taken out of JSON with comments, and nothing else", () => {
  const text =
    '{\n  // ours\n  "sources": {\n    "a": { "path": "a" }, // first\n    "b": { "path": "b" },\n    "c": { "path": "c" }\n  }\n}\n';
  const { root } = project({ "docsearch.config.json": text });
  const file = join(root, "docsearch.config.json");
  removeSource(root, "b");
  expect(readFileSync(file, "utf8")).toBe(text.replace('    "b": { "path": "b" },\n', ""));
  removeSource(root, "c");
  removeSource(root, "a");
  expect(readFileSync(file, "utf8")).toContain("// ours");
  expect(readConfig(root)?.sources.size).toBe(0);
});

test.each(["..", "../beside", "docs/../../beside", "/etc", "./../project/../beside", "../PROJECT/docs"])(
  "a source at %j is not read before the user has said so",
  (path) => {
    const { root, env } = project(yaml(path));
    expect(accessOf(root, env)).toBe("outside");
    const config = projectSources(root, env);
    expect(() => config && requireReadable(config)).toThrow(
      `sources.a.path in ${root}/docsearch.config.yaml is ${path}, which leads out of the project; expected a path in the project, or the user's word that this one may be read: docsearch trust`,
    );
    allow(root, env);
    expect(accessOf(root, env)).toBe("trusted");
  },
);

test.each(["~", "~/.ssh", "~root/x", "file:///etc", "a\0b"])("a source at %j is refused, trust or not", (path) => {
  const { root, env } = project(yaml(path));
  expect(() => projectSources(root, env)).toThrow("expected a path from the folder of this file, or an absolute one");
});

test("a link that leads out is outside; one that is made, or led elsewhere, after the trust is not trusted", () => {
  const { root, beside, env } = project(yaml("link/notes"));
  const link = join(root, "link");
  mkdirSync(link);
  expect(accessOf(root, env)).toBe("inside");
  rmSync(link, { recursive: true });
  symlinkSync(beside, link);
  expect(accessOf(root, env)).toBe("outside");
  allow(root, env);
  expect(accessOf(root, env)).toBe("trusted");
  rmSync(link);
  symlinkSync("/etc", link);
  expect(accessOf(root, env)).toBe("outside");
});

test("trust is for the paths and the place of the file: other paths, or a copy of the project, ask again", () => {
  const { root, env } = project(yaml("../beside"));
  allow(root, env);
  const file = join(root, "docsearch.config.yaml");
  writeFileSync(file, "sources:\n  a: { path: ../beside }\n  b: { path: /etc }\n");
  expect(projectSources(root, env)?.sources.map(({ access }) => access)).toEqual(["outside", "outside"]);
  writeFileSync(file, "sources:\n  other: { path: ../beside, include: ['*.md'] }\n  b: { path: docs }\n");
  expect(projectSources(root, env)?.sources.map(({ access }) => access)).toEqual(["trusted", "inside"]);
  const copy = join(root, "..", "copy");
  mkdirSync(copy);
  writeFileSync(join(copy, "docsearch.config.yaml"), readFileSync(file));
  expect(accessOf(copy, env)).toBe("outside");
  expect(listTrusted(env)).toEqual([{ config: file, paths: [join(root, "..", "beside")] }]);
  expect(revoke(env, root)).toBe(true);
  expect(revoke(env, root)).toBe(false);
  expect(accessOf(root, env)).toBe("outside");
  expect(listTrusted(env)).toEqual([]);
});

test("trust that lies in the project is no word of the user's", () => {
  const { root, env } = project(yaml("../beside"));
  allow(root, env);
  const forged = join(root, ".config");
  mkdirSync(join(forged, "docsearch"), { recursive: true });
  writeFileSync(
    join(forged, "docsearch", "trust.json"),
    readFileSync(join(env.XDG_CONFIG_HOME, "docsearch", "trust.json")),
  );
  expect(accessOf(root, { HOME: root })).toBe("outside");
  expect(() => allow(root, { HOME: root })).toThrow(
    "lies in the project; expected a folder of the user outside the project",
  );
});

test("a config file that is a link out of the project is not read", () => {
  const { root, beside } = project();
  writeFileSync(join(beside, "secret"), "sources: secret\n");
  symlinkSync(join(beside, "secret"), join(root, "docsearch.config.yaml"));
  expect(() => readConfig(root)).toThrow("it is a link that leads out of the project");
});
