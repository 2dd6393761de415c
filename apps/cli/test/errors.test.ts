import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { docsearch, temporaryFolders } from "./support.js";

const newFolder = temporaryFolders();

describe("a command line that is not understood: exit code 2, one line with a hint, nothing on stdout", () => {
  const folder = (): string => newFolder();

  test.each([
    [["serch", "kelp"], "unknown command 'serch'; did you mean search? (see docsearch --help)"],
    [["frobnicate"], "unknown command 'frobnicate' (see docsearch --help)"],
    [["find"], "unknown command 'find' (see docsearch --help)"],
    [["indx"], "unknown command 'indx'; did you mean index? (see docsearch --help)"],
    [["index", "--reubild"], "unknown option '--reubild'; did you mean --rebuild? (see docsearch index --help)"],
    [["index", "--quiet"], "unknown option '--quiet' (see docsearch index --help)"],
    [["search"], "missing required argument 'query' (see docsearch search --help)"],
    [
      ["search", "-kelp"],
      "unknown option '-kelp' (a query that begins with a dash goes behind --; see docsearch search --help)",
    ],
    [["index", "--rebiuld"], "unknown option '--rebiuld'; did you mean --rebuild? (see docsearch index --help)"],
    [
      ["status", "here"],
      "too many arguments for 'status'. Expected 0 arguments but got 1 (see docsearch status --help)",
    ],
    [
      ["search", "x", "--limit", "abc"],
      "option '-n, --limit <count>' argument 'abc' is invalid. Expected a whole number of at least 1 (see docsearch search --help)",
    ],
    [
      ["search", "x", "--limit=0"],
      "option '-n, --limit <count>' argument '0' is invalid. Expected a whole number of at least 1 (see docsearch search --help)",
    ],
    [
      ["search", "x", "-n", "1.5"],
      "option '-n, --limit <count>' argument '1.5' is invalid. Expected a whole number of at least 1 (see docsearch search --help)",
    ],
    [
      ["search", "x", "--mode", "fuzzy"],
      "option '-m, --mode <mode>' argument 'fuzzy' is invalid. Allowed choices are hybrid, keyword, semantic (see docsearch search --help)",
    ],
    [
      ["search", "-path:test", "retry"],
      "unknown option '-path:test' (a query that begins with a dash goes behind --; see docsearch search --help)",
    ],
    [
      ["search", "-path:src"],
      "unknown option '-path:src' (a query that begins with a dash goes behind --; see docsearch search --help)",
    ],
    [
      ["why", "-path:src", "a.md"],
      "unknown option '-path:src' (a query that begins with a dash goes behind --; see docsearch why --help)",
    ],
    [["mcp", "install", "codex", "--read-only"], "unknown option '--read-only' (see docsearch mcp install --help)"],
    [["index", "rollback", "--rebuild"], "unknown option '--rebuild' (see docsearch index rollback --help)"],
    [
      ["gaps", "nothere.jsonl"],
      "there is no file nothere.jsonl; expected the file of a query log; searches write one where DOCS_QUERY_LOG names it",
    ],
    [
      ["search", "x", "--fusion", "sum"],
      "option '--fusion <value>' argument 'sum' is invalid. Allowed choices are convex, rrf (see docsearch search --help)",
    ],
  ])("%j", async (args, message) => {
    expect(await docsearch(folder(), args)).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr: `docsearch: ${message}\n`,
    });
  });

  test("no command at all prints the help to stderr", async () => {
    const { code, stdout, stderr } = await docsearch(folder(), []);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^Usage: docsearch/);
  });
});

describe("help", () => {
  test.each(["index", "watch", "search", "status", "doctor", "chunk"])(
    "%s: with examples, no line longer than a terminal",
    async (command) => {
      const { code, stdout, stderr } = await docsearch(newFolder(), [command, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("Examples:\n  docsearch");
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    },
  );

  test("--help and --version go to stdout", async () => {
    const [help, version] = await Promise.all([
      docsearch(newFolder(), ["--help"]),
      docsearch(newFolder(), ["--version"]),
    ]);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain("Exit codes: 0 done or found;");
    expect(version).toMatchObject({ code: 0, stderr: "" });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

test("two first runs at a time: one index, with both", async () => {
  const folder = newFolder({ "a/one.md": "kelp", "b/two.md": "kelp" });
  const runs = await Promise.all([docsearch(folder, ["index", "a"]), docsearch(folder, ["index", "b"])]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  const { stdout } = await docsearch(folder, ["status", "--json"]);
  expect(JSON.parse(stdout).stats.documents).toBe(2);
});

describe("no index", () => {
  test.each([[["search", "kelp"]], [["search", "kelp", "--json"]], [["status"]], [["status", "--json"]]])(
    "%j says which command makes one, and makes none itself",
    async (args) => {
      const folder = newFolder();
      expect(await docsearch(folder, args)).toEqual({
        code: 2,
        signal: null,
        stdout: "",
        stderr: `docsearch: There is no index at ${join(folder, ".docsearch", "index.db")}. Make one: docsearch index\n`,
      });
      expect(existsSync(join(folder, ".docsearch"))).toBe(false);
    },
  );
});

describe("an index that does not fit", () => {
  let folder = "";
  beforeAll(async () => {
    folder = newFolder({ "a.md": "kelp" });
    await docsearch(folder, ["index", "--chunk-size", "800", "--embedder", "none"]);
  });

  test.each([[["search", "kelp"]], [["status", "--json"]], [["index"]]])(
    "%j says what differs and what mends it",
    async (args) => {
      const { code, stdout, stderr } = await docsearch(folder, args, { env: { DOCS_CHUNK_SIZE: "900" } });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toBe(
        `docsearch: the index at ${join(folder, ".docsearch", "index.db")} was made with other settings: chunking size=800 in the index, chunking size=900 now. Use the settings of the index, or make it anew: docsearch index --rebuild <paths>\n`,
      );
    },
  );

  test("an embedder that the environment names differs too", async () => {
    const env = { DOCS_CHUNK_SIZE: "900", DOCS_EMBEDDER_BACKEND: "static" };
    const { code, stderr } = await docsearch(folder, ["search", "kelp"], { env });
    expect(code).toBe(2);
    expect(stderr.replace(/static\/[\w./-]+/, "MODEL")).toContain(
      "other settings: no embedder in the index, embedder MODEL of 256 dimensions now; chunking size=800 in the index, chunking size=900 now. ",
    );
  });

  test("with its settings it answers; those of flags win over the environment", async () => {
    const env = { DOCS_CHUNK_SIZE: "900", DOCS_EMBEDDER_BACKEND: "none" };
    expect(await docsearch(folder, ["search", "kelp"], { env })).toMatchObject({ code: 2 });
    expect(await docsearch(folder, ["search", "kelp", "--chunk-size", "800"], { env })).toMatchObject({ code: 0 });
  });

  test("a file that is no index is left alone", async () => {
    const other = newFolder({ "a.md": "kelp", "notes.txt": "my notes" });
    const { code, stderr } = await docsearch(other, ["index", "--rebuild", "a.md", "--store-url", "notes.txt"]);
    expect(code).toBe(2);
    expect(stderr).toContain("notes.txt is a file of another kind and was left as it is");
  });
});

describe("settings", () => {
  test("a wrong value is named as it was given", async () => {
    const folder = newFolder({ "a.md": "kelp" });
    const [flag, variable] = await Promise.all([
      docsearch(folder, ["index", "--chunk-size", "ten"], { env: { DOCS_CHUNK_SIZE: "500" } }),
      docsearch(folder, ["index"], { env: { DOCS_CHUNK_SIZE: "ten" } }),
    ]);
    expect(flag).toMatchObject({
      code: 2,
      stderr: 'docsearch: --chunk-size is "ten"; expected a whole number of at least 100\n',
    });
    expect(variable).toMatchObject({
      code: 2,
      stderr: 'docsearch: DOCS_CHUNK_SIZE is "ten"; expected a whole number of at least 100\n',
    });
    expect(existsSync(join(folder, ".docsearch"))).toBe(false);
  });

  test("a variable that looks like one and is none is a warning, not an error", async () => {
    const folder = newFolder({ "a.md": "kelp" });
    const { code, stderr } = await docsearch(folder, ["index"], { env: { DOCS_STORE_BACKND: "sqlite" } });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "docsearch: DOCS_STORE_BACKND is not a setting; did you mean DOCS_STORE_BACKEND?\n",
    });
  });

  test("a variable that is like no setting has no suggestion", async () => {
    const { stderr } = await docsearch(newFolder({ "a.md": "kelp" }), ["index"], { env: { DOCS_FROBNICATE: "1" } });
    expect(stderr).toBe(
      "docsearch: DOCS_FROBNICATE is not a setting; docsearch index --help and docsearch search --help list them\n",
    );
  });

  test("a backend that is a relative path lies below the working directory", async () => {
    const folder = newFolder({ "a.md": "kelp", "sub/mine.mjs": "throw new Error('loaded')" });
    const message = `docsearch: ${join(folder, "sub/mine.mjs")} is there but did not load: loaded\n`;
    const runs = await Promise.all([
      docsearch(folder, ["search", "kelp", "--store", "./sub/mine.mjs"]),
      docsearch(join(folder, "sub"), ["search", "kelp"], { env: { DOCS_STORE_BACKEND: "./mine.mjs" } }),
      docsearch(join(folder, "sub"), ["search", "kelp", "--embedder", "../sub/mine.mjs"]),
    ]);
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(3).fill({ code: 2, stderr: message }));
  });

  test("a backend that is not known, and one that does not load", async () => {
    const folder = newFolder({ "a.md": "kelp", "broken.mjs": "throw new Error('first line\\nsecond line')" });
    const unknown = await docsearch(folder, ["search", "kelp", "--store", "oracle"]);
    expect(unknown).toMatchObject({
      code: 2,
      stderr:
        'docsearch: there is no store named "oracle"; known: lancedb, memory, pgvector, sqlite, or a module specifier such as ./my-store.js\n',
    });
    const specifier = join(folder, "broken.mjs");
    const broken = await docsearch(folder, ["search", "kelp", "--store", specifier]);
    expect(broken).toMatchObject({
      code: 2,
      stderr: `docsearch: ${specifier} is there but did not load: first line second line\n`,
    });
  });
});

test("a stack is shown with DOCSEARCH_DEBUG=1 and not without", async () => {
  const folder = newFolder();
  const [plain, debugged] = await Promise.all([
    docsearch(folder, ["search", "kelp"]),
    docsearch(folder, ["search", "kelp"], { env: { DOCSEARCH_DEBUG: "1" } }),
  ]);
  expect(plain.stderr.split("\n")).toHaveLength(2);
  expect(debugged.stderr).toMatch(/^docsearch: DocsearchError: There is no index[\s\S]*\n {4}at /);
  expect(debugged).toMatchObject({ code: 2, stdout: "" });
});

test("an error that nobody foresaw is one line too, and says how to see more", async () => {
  const folder = newFolder({ "a.md": "kelp" });
  writeFileSync(
    join(folder, "bad.mjs"),
    "export const provider = { specVersion: 1, kind: 'store', name: 'bad', fromEnv() { throw new TypeError('no\\nway') } };",
  );
  const { code, stdout, stderr } = await docsearch(folder, ["search", "kelp", "--store", join(folder, "bad.mjs")]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe("docsearch: no way (DOCSEARCH_DEBUG=1 shows where)\n");
});
