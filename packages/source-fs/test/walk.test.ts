import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { walk } from "@docsearch/source-fs";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { collect, NO_SETTINGS, temporaryFolder, tree, walkAll, walkFiles, walkSkips, writeTree } from "./tree.js";

test("a file comes up with its path, size and time", async () => {
  const root = tree({ "docs/a.md": "four" });
  utimesSync(join(root, "docs/a.md"), 1000, 1_700_000_000.5);
  const { ctimeMs, ino } = statSync(join(root, "docs/a.md"));
  expect(await walkAll({ root })).toEqual([
    {
      type: "file",
      path: "docs/a.md",
      absolutePath: join(root, "docs/a.md"),
      size: 4,
      mtimeMs: 1_700_000_000_500,
      ctimeMs,
      inode: ino,
      contentRules: ["generated", "minified"],
    },
  ]);
});

test("an empty root gives nothing", async () => {
  expect(await walkAll({ root: temporaryFolder() })).toEqual([]);
});

test("a root that is a file gives that file, whatever the rules say", async () => {
  const root = join(tree({ "node_modules/yarn.lock": "a", ".gitignore": "*\n" }), "node_modules/yarn.lock");
  expect(await walkAll({ root, include: ["*.md"] })).toMatchObject([
    { type: "file", path: "yarn.lock", absolutePath: root, contentRules: [] },
  ]);
  expect(await walkAll({ root, maxFileBytes: 1 })).toHaveLength(1);
  writeFileSync(root, "ab");
  expect(await walkAll({ root, maxFileBytes: 1 })).toEqual([{ type: "skip", path: "yarn.lock", reason: "too-large" }]);
});

describe("a root that cannot be read is an error", () => {
  const failing = async (root: string): Promise<unknown> => walkAll({ root }).catch((error: unknown) => error);

  test("when it is not there", async () => {
    const root = join(temporaryFolder(), "gone");
    expect(await failing(root)).toMatchObject({
      code: "CONFIG_INVALID",
      message: `root is "${root}"; expected a folder or a file that exists and can be read (ENOENT: no such file or directory)`,
      details: { setting: "root", value: root },
    });
  });

  test("when it is neither folder nor file", async () => {
    expect(await failing("/dev/null")).toMatchObject({ code: "CONFIG_INVALID", details: { value: "/dev/null" } });
  });

  test("when it is empty text or has a NUL", async () => {
    expect(() => walk({ root: "" })).toThrow('root is ""; expected the path of a folder or a file');
    expect(await failing("a\0b")).toMatchObject({ code: "CONFIG_INVALID" });
  });

  test("when it goes away during the walk", async () => {
    const root = tree({ "a/1.md": "", "b/2.md": "" });
    const items = walk({ env: NO_SETTINGS, root })[Symbol.asyncIterator]();
    expect((await items.next()).value).toMatchObject({ path: "a/1.md" });
    renameSync(root, `${root}-moved`);
    onTestFinished(() => rmSync(`${root}-moved`, { recursive: true }));
    expect((await items.next()).value).toMatchObject({ type: "failure", path: "b/" });
    await expect(items.next()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      details: { setting: "root", value: root },
    });
  });

  test("when another folder takes its place during the walk", async () => {
    const root = tree({ "a/1.md": "", "b/2.md": "" });
    const items = walk({ env: NO_SETTINGS, root })[Symbol.asyncIterator]();
    await items.next();
    renameSync(root, `${root}-moved`);
    onTestFinished(() => rmSync(`${root}-moved`, { recursive: true }));
    mkdirSync(root);
    await items.next();
    await expect(items.next()).rejects.toThrow("expected a folder that stays in its place while it is read");
  });
});

describe("what cannot be looked at is a failure, and the walk goes on", () => {
  test("a folder that goes away", async () => {
    const root = tree({ "a.md": "", "b/c.md": "", "d.md": "" });
    const items = walk({ env: NO_SETTINGS, root })[Symbol.asyncIterator]();
    await items.next();
    rmSync(join(root, "b"), { recursive: true });
    const { value } = await items.next();
    expect(value).toMatchObject({ type: "failure", path: "b/" });
    expect(value.error.message).toBe("b/ cannot be read: ENOENT: no such file or directory");
    expect((await items.next()).value).toMatchObject({ path: "d.md" });
    expect((await items.next()).done).toBe(true);
  });

  test("a folder whose ignore file is too large to be one", async () => {
    const root = tree({ "a/.gitignore": "x\n".repeat(500_001), "a/b.md": "", "c.md": "" });
    expect(await walkAll({ root })).toMatchObject([
      { type: "failure", path: "a/", error: { message: "a/ cannot be read: .gitignore is over 1000000 bytes long" } },
      { type: "file", path: "c.md" },
    ]);
  });

  test("names that are not UTF-8, unless a rule leaves them out", async () => {
    const root = tree({ ".gitignore": "*.tmp\n?.gone\n", "caf\ufffd.md": "" });
    const name = (text: string): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(text, "latin1")]);
    writeFileSync(name("caf\xe9.md"), "");
    writeFileSync(name("caf\xe9.tmp"), "");
    writeFileSync(name("\xe9.gone"), "");
    mkdirSync(name("dir\xff"));
    writeFileSync(name("dir\xff/a.md"), "");
    expect(await walkAll({ root })).toMatchObject([
      { type: "file", path: ".gitignore" },
      { type: "skip", path: "\\xe9.gone", reason: "gitignore" },
      {
        type: "failure",
        path: "caf\\xe9.md",
        error: { message: "caf\\xe9.md cannot be read: its name is not valid UTF-8" },
      },
      { type: "skip", path: "caf\\xe9.tmp", reason: "gitignore" },
      { type: "file", path: "caf\ufffd.md" },
      { type: "failure", path: "dir\\xff/" },
    ]);
  });

  test("a path that is longer than the system takes", async () => {
    const half = Array.from({ length: 9 }, () => "d".repeat(250)).join("/");
    const root = tree({ [`a/${half}/1.md`]: "", [`b/${half}/2.md`]: "", "z.md": "" });
    // No single path may be so long: one half is put below the other.
    renameSync(join(root, "b"), join(root, "a", half, "b"));
    try {
      const items = await walkAll({ root });
      expect(items.map(({ type }) => type)).toEqual(["file", "failure", "file"]);
      expect(String((items[1] as { error: unknown }).error)).toMatch(/b\/(?:d+\/)+ cannot be read: ENAMETOOLONG/);
    } finally {
      renameSync(join(root, "a", half, "b"), join(root, "b"));
    }
  });
});

test("sockets and pipes are left out", async () => {
  const root = tree({ "a.md": "" });
  execFileSync("mkfifo", [join(root, "pipe.md")]);
  const server = createServer().listen(join(root, "socket.md"));
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  expect(await walkSkips({ root })).toEqual(["pipe.md: special-file", "socket.md: special-file"]);
});

test("files over the limit are left out", async () => {
  const root = tree({ "a.md": "12345", "b.md": "123456", "c.md": "" });
  truncateSync(join(root, "c.md"), 10_000_001);
  expect(await walkFiles({ root })).toEqual(["a.md", "b.md"]);
  expect(await walkSkips({ root, maxFileBytes: 5 })).toEqual(["b.md: too-large", "c.md: too-large"]);
  expect(() => walk({ root, maxFileBytes: 0 })).toThrow(
    'maxFileBytes is "0"; expected a whole number of bytes of at least 1',
  );
});

test("odd names are taken as they are", async () => {
  const names = [
    " a",
    "!a",
    "#a",
    "*",
    "-a",
    "[a]",
    "\\",
    "a ",
    "a\nb",
    "a\tb",
    "a\\b",
    "e\u0301.md",
    "{a}",
    "\u00e9.md",
    "😀.md",
    `${"n".repeat(252)}.md`,
  ];
  const root = tree(Object.fromEntries(names.map((name) => [name, ""])));
  expect(await walkFiles({ root })).toEqual([...names].sort());
  expect(await walkFiles({ root, include: ["\\*", "😀*", "[[]a]", "e\u0301.md"] })).toEqual([
    "*",
    "[a]",
    "e\u0301.md",
    "😀.md",
  ]);
});

test("items come in code unit order of their paths, whatever the order on disk", async () => {
  const name = fc.string({
    unit: fc.constantFrom("a", "b", "-", ".", "0", "A", "é", "\uffee", "😀"),
    minLength: 1,
    maxLength: 3,
  });
  const path = fc
    .array(name, { minLength: 1, maxLength: 3 })
    .filter((parts) => !parts.some((part) => /^\.\.?$/.test(part)));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(
        path.map((parts) => parts.join("/")),
        { maxLength: 12 },
      ),
      async (paths) => {
        const root = temporaryFolder();
        const written = paths.filter((one) => !paths.some((other) => other.startsWith(`${one}/`)));
        for (const one of written) writeTree(root, { [one]: "" });
        expect(await walkFiles({ root })).toEqual([...written].sort());
      },
    ),
    { numRuns: 50 },
  );
});

test("more files in a folder than are looked at together", async () => {
  const names = Array.from({ length: 200 }, (_, index) => `${String(index).padStart(3, "0")}.md`);
  const root = tree({ ...Object.fromEntries(names.map((name) => [name, ""])), "100/a.md": "" });
  expect(await walkFiles({ root })).toEqual([...names, "100/a.md"].sort());
});

test("an aborted walk rejects with the reason of the signal", async () => {
  const root = tree({ "a/1.md": "", "b/2.md": "" });
  await expect(collect(walk({ env: NO_SETTINGS, root }, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
    name: "AbortError",
  });
  const controller = new AbortController();
  const items = walk({ env: NO_SETTINGS, root }, controller)[Symbol.asyncIterator]();
  await items.next();
  controller.abort();
  await expect(items.next()).rejects.toMatchObject({ name: "AbortError" });
});

test("a walk can be iterated twice, and sees what has changed", async () => {
  const root = tree({ "a.md": "" });
  const items = walk({ env: NO_SETTINGS, root });
  expect(await collect(items)).toHaveLength(1);
  writeTree(root, { "b.md": "" });
  expect(await collect(items)).toHaveLength(2);
});

test.skipIf(process.getuid?.() === 0)(
  "folders and files without permission are failures (skipped for root)",
  async () => {
    const root = tree({ "a/b.md": "", "c.md": "" });
    chmodSync(join(root, "a"), 0);
    onTestFinished(() => chmodSync(join(root, "a"), 0o700));
    expect(statSync(join(root, "a")).mode & 0o777).toBe(0);
    expect(await walkAll({ root })).toMatchObject([
      { type: "failure", path: "a/" },
      { type: "file", path: "c.md" },
    ]);
  },
);

test("the files of our own index are left out, wherever it lies and whatever it is called", async () => {
  const files = [
    "my.db",
    "my.db-wal",
    "my.db-shm",
    "my.db.run",
    "my.db.run-77",
    "my.db.stat",
    "my.db.times",
    "my.db.watch.run",
    "my.db.next-wal",
    "my.db.previous",
  ];
  const others = ["my.db.md", "my.dbs", "my.database.txt"];
  const root = tree(Object.fromEntries([...files, ...others].map((path) => [path, "text\n"])));
  expect(await walkFiles({ root, indexPath: join(root, "my.db") })).toEqual([...others].sort());
  const skips = await walkSkips({ root, indexPath: join(root, "my.db") });
  expect(new Set(skips)).toEqual(new Set(files.map((path) => `${path}: index`)));
  expect(await walkSkips({ root, indexPath: join(root, "gone", "..", "my.db") })).toHaveLength(files.length);
});

test("what stands beside another index is no document, whatever index is at hand", async () => {
  const left = ["a.db.stat", "a.db.times", "a.db.run", "sub/b.sqlite-wal", "sub/b.sqlite3.next-shm"];
  const kept = ["a.stat", "my.times", "notes.db.md"];
  const root = tree(Object.fromEntries([...left, ...kept].map((name) => [name, "text\n"])));
  for (const indexPath of [undefined, join(root, "other.db")]) {
    const options = { root, ...(indexPath !== undefined && { indexPath }) };
    expect(await walkFiles(options)).toEqual(kept);
    expect(new Set(await walkSkips(options))).toEqual(new Set(left.map((path) => `${path}: index`)));
  }
});
