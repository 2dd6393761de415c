import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { docsearch, found, json, temporaryFolders, writeFiles } from "./support.js";

const newFolder = temporaryFolders();

const REPORT = {
  formatVersion: 1,
  scanned: 0,
  unchanged: 0,
  empty: 0,
  replaced: 0,
  deleted: 0,
  chunks: 0,
  embedded: 0,
  kept: 0,
  skipped: {},
  failed: 0,
  failures: [],
  seconds: expect.any(Number),
};

describe("the report", () => {
  test("first run, second run, --rebuild", async () => {
    const folder = newFolder({ "docs/kelp.md": "# Kelp\n\nGrows.\n", "docs/boat.md": "# Boat\n\nFloats.\n" });
    const first = await docsearch(folder, ["index", "docs"]);
    expect(first.stdout.replace(/\d+\.\d+ s/, "TIME")).toBe(
      "2 documents: 2 new or changed, 0 unchanged, 0 deleted; 2 chunks (2 embedded, 0 kept) in TIME\n",
    );
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const second = await docsearch(folder, ["index", "docs"]);
    expect(second.stdout.replace(/\d+\.\d+ s/, "TIME")).toBe(
      "2 documents: 0 new or changed, 2 unchanged, 0 deleted in TIME\n",
    );
    const again = await json(folder, ["index", "docs", "--rebuild"]);
    expect(again).toEqual({ ...REPORT, scanned: 2, replaced: 2, chunks: 2, embedded: 2 });
  });

  test("what rules leave out is counted by reason, in JSON and on stderr", async () => {
    const folder = newFolder({ "a.md": "kelp", "package-lock.json": "{}", "b.png": "\u0000\u0001", "c.txt": "" });
    const { stdout, stderr } = await docsearch(folder, ["index", "--json"]);
    const skipped = { index: 1, binary: 1, "lock-file": 1 };
    expect(JSON.parse(stdout)).toEqual({
      ...REPORT,
      scanned: 2,
      replaced: 1,
      empty: 1,
      chunks: 1,
      embedded: 1,
      skipped,
    });
    expect(stderr).toBe("docsearch: left out by rules: binary 1, lock-file 1\n");
  });

  test("an empty folder is no error, and is said to be one", async () => {
    const folder = newFolder();
    const { code, stdout, stderr } = await docsearch(folder, ["index", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ ...REPORT, skipped: { index: 1 } });
    expect(stderr).toBe(`docsearch: there is no text file to index in ${folder}\n`);
  });
});

describe("what became of the files", () => {
  test("changed, renamed and deleted ones: the index is that of a first run", async () => {
    const folder = newFolder({
      "docs/same.md": "# Same\n\nkelp stays\n",
      "docs/change.md": "# Change\n\nkelp was here\n",
      "docs/old-name.md": "# Name\n\nkelp moves\n",
      "docs/gone.md": "# Gone\n\nkelp leaves\n",
    });
    await docsearch(folder, ["index", "docs"]);
    writeFiles(folder, { "docs/change.md": "# Change\n\nlichen is here\n" });
    renameSync(join(folder, "docs/old-name.md"), join(folder, "docs/new-name.md"));
    rmSync(join(folder, "docs/gone.md"));
    expect(await json(folder, ["index", "docs"])).toMatchObject({ scanned: 3, unchanged: 1, replaced: 2, deleted: 2 });
    expect((await found(folder, "kelp")).sort()).toEqual(["docs/new-name.md", "docs/same.md"]);
    expect(await found(folder, "lichen")).toEqual(["docs/change.md"]);
    expect((await json(folder, ["status"])).stats).toEqual({ documents: 3, chunks: 3, vectors: 3 });
    expect((await json(folder, ["doctor"])).sound).toBe(true);
  });

  test("an edit of one section embeds that section alone", async () => {
    const section = (name: string, words: string): string => `## ${name}\n\n${words.repeat(60)}\n\n`;
    const [first, second] = [section("First", "Kelp grows here. "), section("Second", "Boats float there. ")];
    const folder = newFolder({ "page.md": `# Page\n\n${first}${second}` });
    await docsearch(folder, ["index"]);
    writeFiles(folder, { "page.md": `# Page\n\n${first}${second}A line more.\n` });
    expect(await json(folder, ["index"])).toMatchObject({ replaced: 1, chunks: 2, embedded: 1, kept: 1 });
  });

  test("indexing one place leaves the others alone", async () => {
    const folder = newFolder({ "a/one.md": "kelp one", "b/two.md": "kelp two" });
    await docsearch(folder, ["index", "a", "b"]);
    rmSync(join(folder, "b"), { recursive: true });
    expect(await json(folder, ["index", "a"])).toMatchObject({ scanned: 1, deleted: 0 });
    expect((await found(folder, "kelp")).sort()).toEqual(["a/one.md", "b/two.md"]);
  });
});

describe("a place of which nothing is left", () => {
  const kept = (place: string, count: string): string =>
    `nothing that is indexed is left in ${place}, of which the index has ${count}; kept, for a drive may be away or a pattern wrong. If it is meant: --prune\n`;

  test("an emptied folder, and a pattern that takes nothing: kept and said, exit code 1; --prune deletes", async () => {
    const folder = newFolder({ "docs/a.md": "kelp", "docs/b.md": "kelp", "api/c.md": "kelp" });
    await docsearch(folder, ["index", "docs", "api"]);
    const pattern = await docsearch(folder, ["index", "docs", "api", "--include", "*.rst", "--json"]);
    expect(pattern.code).toBe(1);
    expect(JSON.parse(pattern.stdout)).toMatchObject({
      deleted: 0,
      spared: [
        { collection: "api", documents: 1 },
        { collection: "docs", documents: 2 },
      ],
    });
    for (const file of ["a.md", "b.md"]) rmSync(join(folder, "docs", file));
    const emptied = await docsearch(folder, ["index", "docs", "api"]);
    expect(emptied).toMatchObject({ code: 1, stderr: `docsearch: ${kept("docs", "2 documents")}` });
    expect((await found(folder, "kelp")).sort()).toEqual(["api/c.md", "docs/a.md", "docs/b.md"]);
    expect(await json(folder, ["index", "docs", "api", "--prune"])).toMatchObject({ deleted: 2 });
    expect(await found(folder, "kelp")).toEqual(["api/c.md"]);
  });

  test("an empty folder that was a place, below the place that is indexed", async () => {
    const folder = newFolder({ "docs/a.md": "kelp", "b.md": "kelp" });
    await docsearch(folder, ["index", "docs", "."]);
    rmSync(join(folder, "docs", "a.md"));
    const { code, stderr } = await docsearch(folder, ["index", "."]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `docsearch: ${kept("docs", "1 document")}` });
    rmSync(join(folder, "docs"), { recursive: true });
    expect(await json(folder, ["index", "."])).toMatchObject({ deleted: 1 });
  });
});

describe("what is left out", () => {
  test("--list-skipped and --max-file-size", async () => {
    const files = {
      "docs/a.md": "kelp",
      "docs/long.md": "x".repeat(2000),
      "docs/yarn.lock": "",
      "docs/.gitignore": "c.md\n",
      "docs/c.md": "c",
    };
    const folder = newFolder(files);
    const skippedPaths = [
      { path: "docs/.gitignore", reason: "ignore-file" },
      { path: "docs/c.md", reason: "gitignore" },
      { path: "docs/long.md", reason: "too-large" },
      { path: "docs/yarn.lock", reason: "lock-file" },
    ];
    const args = ["index", "docs", "--list-skipped", "--max-file-size", "1.5kB"];
    expect(await json(folder, args)).toMatchObject({ scanned: 1, skippedPaths });
    const { stdout } = await docsearch(folder, args);
    expect(stdout.split("\n").slice(1)).toEqual([
      "ignore-file      docs/.gitignore",
      "gitignore        docs/c.md",
      "too-large        docs/long.md",
      "lock-file        docs/yarn.lock",
      "",
    ]);
    const { code, stderr } = await docsearch(folder, ["index", "--max-file-size", "big"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Expected a size such as 500kB or 20MB");
  });

  test("a file of secrets that is named is left out and said; --include-secrets takes it", async () => {
    const folder = newFolder({ "a.md": "kelp", "prod.env": "TOKEN=kelp", "keys/.ssh/notes.md": "kelp" });
    const { code, stderr } = await docsearch(folder, ["index", "a.md", "prod.env", "keys/.ssh"]);
    expect(code).toBe(0);
    const hint = "was named and left out: it looks like keys or passwords. If it is to be found: --include-secrets";
    expect(stderr).toContain(`docsearch: prod.env ${hint}\n`);
    expect(stderr).toContain(`docsearch: keys/.ssh/ ${hint}\n`);
    expect(await found(folder, "kelp")).toEqual(["a.md"]);
    await docsearch(folder, ["index", "prod.env", "--include-secrets"]);
    expect((await found(folder, "kelp")).sort()).toEqual(["a.md", "prod.env"]);
  });

  test("a pipe is no document, and no index", async () => {
    const folder = newFolder({ "a.md": "kelp" });
    execFileSync("mkfifo", [join(folder, "pipe")]);
    for (const [args, message] of [
      [
        ["index", "pipe"],
        `${join(folder, "pipe")} cannot be indexed: it is a pipe, a socket or a device; expected a folder or file that exists and can be read`,
      ],
      [["chunk", "pipe"], "pipe cannot be chunked: it is a pipe, a socket or a device; expected a text file"],
      [
        ["status", "--store-url", "pipe"],
        `${join(folder, "pipe")} is a pipe, socket or device and was left as it is; an index of docsearch was expected there. Set DOCS_STORE_URL to another path.`,
      ],
    ] as const) {
      expect(await docsearch(folder, args)).toMatchObject({ code: 2, stdout: "", stderr: `docsearch: ${message}\n` });
    }
  });
});

describe("places", () => {
  test("folders and files are collections by their names", async () => {
    const folder = newFolder({ "docs/a.md": "kelp", "api/b.md": "kelp", "README.md": "kelp", LICENSE: "kelp" });
    await docsearch(folder, ["index", "docs/", "./api", "README.md", "docs"]);
    expect((await json(folder, ["status"])).collections).toEqual([
      { name: "README.md", documents: 1 },
      { name: "api", documents: 1 },
      { name: "docs", documents: 1 },
    ]);
    expect((await found(folder, "kelp")).sort()).toEqual(["README.md", "api/b.md", "docs/a.md"]);
  });

  test("a place inside another keeps its files, in whatever order they are named, and a second run changes nothing", async () => {
    const folder = newFolder({ "docs/a.md": "kelp", "b.md": "kelp" });
    await docsearch(folder, ["index", ".", "docs"]);
    expect(await found(folder, "kelp", ["--collection", "docs"])).toEqual(["docs/a.md"]);
    expect(await json(folder, ["index", "docs", "."])).toMatchObject({ scanned: 2, unchanged: 2, deleted: 0 });
  });

  test("a file that is gone leaves the index with the place around its own", async () => {
    const folder = newFolder({ "docs/a.md": "kelp a", "docs/b.md": "kelp b", "node_modules/x/c.md": "kelp c" });
    await docsearch(folder, ["index", "docs", "node_modules/x"]);
    rmSync(join(folder, "docs/b.md"));
    expect(await json(folder, ["index", "."])).toMatchObject({ scanned: 1, replaced: 1, deleted: 1 });
    // What `.` leaves out was named by itself, and is there: it stays.
    expect((await found(folder, "kelp")).sort()).toEqual(["docs/a.md", "node_modules/x/c.md"]);
  });

  test("outside the project documents have their full paths, so that equal names stay apart", async () => {
    const [folder, one, two] = [
      newFolder({ "a.md": "kelp" }),
      newFolder({ "a.md": "kelp" }),
      newFolder({ "a.md": "kelp" }),
    ];
    await docsearch(folder, ["index", ".", one, join(two, "a.md")]);
    expect((await found(folder, "kelp")).sort()).toEqual(["a.md", join(one, "a.md"), join(two, "a.md")].sort());
    expect(await found(folder, "kelp", ["--path", one])).toEqual([join(one, "a.md")]);
    expect(await found(folder, "kelp", ["--path", "."])).toEqual(["a.md"]);
    expect(await json(folder, ["index", one])).toMatchObject({ scanned: 1, unchanged: 1 });
    rmSync(join(one, "a.md"));
    expect(await json(folder, ["index", one, "--prune"])).toMatchObject({ deleted: 1 });
  });

  test("paths that are not ASCII, have blanks, or begin like a parent", async () => {
    const files = { "d ö c s/日本 語.md": "kelp one", "..notes/ф.md": "kelp two", "e\u0301.md": "kelp three" };
    const folder = newFolder(files);
    await docsearch(folder, ["index", "d ö c s", "..notes", "e\u0301.md"]);
    expect((await found(folder, "kelp")).sort()).toEqual(Object.keys(files).sort());
    expect(await found(folder, "語")).toEqual(["d ö c s/日本 語.md"]);
    expect(await json(folder, ["index", "d ö c s", "..notes", "e\u0301.md"])).toMatchObject({
      unchanged: 3,
      deleted: 0,
    });
  });

  test("--include and --exclude take a pattern each, before the path too", async () => {
    const folder = newFolder({ "a.md": "kelp", "b.mdx": "kelp", "c.txt": "kelp", "drafts/d.md": "kelp" });
    await docsearch(folder, ["index", "--include", "*.md", "--include", "*.mdx", "--exclude", "drafts/", "."]);
    expect((await found(folder, "kelp")).sort()).toEqual(["a.md", "b.mdx"]);
  });

  test("run below the project's folder, names are still those of the project", async () => {
    const folder = newFolder({ "docs/a.md": "kelp" });
    await docsearch(folder, ["index", "docs"]);
    expect(await json(join(folder, "docs"), ["index", "."])).toMatchObject({ scanned: 1, unchanged: 1, deleted: 0 });
    expect(existsSync(join(folder, "docs", ".docsearch"))).toBe(false);
  });
});

describe("the index", () => {
  test("stands in a folder that git does not see", async () => {
    const folder = newFolder({ "a.md": "kelp" });
    await docsearch(folder, ["index"]);
    expect(readFileSync(join(folder, ".docsearch/.gitignore"), "utf8")).toMatch(/^\*$/m);
  });

  test("a path that is not there costs nothing: no index is made, none is emptied", async () => {
    const folder = newFolder({ "docs/a.md": "kelp" });
    const missing = await docsearch(folder, ["index", "dosc"]);
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    expect(missing.stderr).toBe(
      `docsearch: ${join(folder, "dosc")} cannot be indexed: ENOENT: no such file or directory; expected a folder or file that exists and can be read\n`,
    );
    expect(existsSync(join(folder, ".docsearch"))).toBe(false);
    await docsearch(folder, ["index", "docs"]);
    expect(await docsearch(folder, ["index", "--rebuild", "dosc"])).toMatchObject({ code: 2 });
    expect(await docsearch(folder, ["index", "--rebuild", "docs", "--chunk-size", "10"])).toMatchObject({ code: 2 });
    expect(await found(folder, "kelp")).toEqual(["docs/a.md"]);
  });

  test("--rebuild drops what other places brought, and takes new settings", async () => {
    const folder = newFolder({ "docs/a.md": "kelp one", "old/b.md": "kelp two" });
    await docsearch(folder, ["index", "docs", "old"]);
    await docsearch(folder, ["index", "docs", "--rebuild", "--embedder", "none", "--chunk-size", "500"]);
    const env = { DOCS_EMBEDDER_BACKEND: "none", DOCS_CHUNK_SIZE: "500" };
    const { stats, schema } = await json(folder, ["status"], { env });
    expect(stats).toEqual({ documents: 1, chunks: 1, vectors: 0 });
    expect(schema.embedding).toBeNull();
    expect(schema.chunking).toContain(";size=500;");
  });

  test("--store-url puts it elsewhere", async () => {
    const folder = newFolder({ "a.md": "kelp" });
    await docsearch(folder, ["index", "--store-url", "elsewhere/my.db"]);
    expect(existsSync(join(folder, ".docsearch"))).toBe(false);
    expect(await found(folder, "kelp", ["--store-url", "elsewhere/my.db"])).toEqual(["a.md"]);
  });

  test("a store that keeps nothing is said to", async () => {
    const { code, stderr } = await docsearch(newFolder({ "a.md": "kelp" }), ["index", "--store", "memory"]);
    expect(code).toBe(0);
    expect(stderr).toBe('docsearch: the store "memory" keeps nothing: this index ends with the command\n');
  });
});

test("index rollback --json says where the index is", async () => {
  const folder = newFolder({ "docs/a.md": "# Kelp\n" });
  await docsearch(folder, ["index", "docs", "--embedder", "none"]);
  await docsearch(folder, ["index", "docs", "--embedder", "none", "--rebuild"]);
  const { restored } = await json(folder, ["index", "rollback"]);
  expect(restored).toMatch(/[.]docsearch.index[.]db$/);
});
