import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type FileSourceOptions, fileSource, StatCache } from "@docsearch/source-fs";
import type { SourceItem } from "@docsearch/spec";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collect, NO_SETTINGS, temporaryFolder, tree } from "./tree.js";

/** Files of a test are a moment old, which is too young to be trusted: the readings are an hour later. */
const realNow = Date.now;
beforeEach(() => void vi.spyOn(Date, "now").mockImplementation(() => realNow() + 3_600_000));
afterEach(() => vi.restoreAllMocks());

const read = (root: string, statCache: StatCache, options: Partial<FileSourceOptions> = {}): Promise<SourceItem[]> =>
  collect(fileSource({ root, env: NO_SETTINGS, statCache, ...options }).read());

/** What came of each path. */
const outcomes = (items: readonly SourceItem[]): string[] =>
  items.map((item) => {
    if (item.type === "skip") return `${item.path}: ${item.reason}`;
    return item.type === "failure" ? `${item.path}: failed` : `${item.document.id}: ${item.type}`;
  });

/** A cache that has read a folder. */
async function warm(root: string, options: Partial<FileSourceOptions> = {}): Promise<StatCache> {
  const cache = StatCache.load(join(temporaryFolder(), "cache"));
  await read(root, cache, options);
  return cache;
}

test("a file that is what it was comes up with its record, and is read when asked", async () => {
  const root = tree({ "docs/a.md": "# Kelp\n", "b.ts": "export const b = 1;\n" });
  const first = await collect(fileSource({ root, env: NO_SETTINGS }).read());
  const second = await read(root, await warm(root));
  expect(outcomes(second)).toEqual(["b.ts: unread", "docs/a.md: unread"]);
  for (const [index, item] of second.entries()) {
    const known = first[index];
    if (item.type !== "unread" || known?.type !== "document") return expect.fail(item.type);
    const { text: _, ...record } = known.document;
    expect(item.document).toEqual(record);
    expect(await item.read()).toEqual(known);
  }
});

test("what was left out by its content is not read again either", async () => {
  const root = tree({
    "a.png": Buffer.from("\x89PNG\r\n\x1a\n\0", "latin1"),
    "b.go": "// Code generated. DO NOT EDIT.\n",
  });
  const cache = await warm(root);
  expect(outcomes(await read(root, cache))).toEqual(["a.png: binary", "b.go: generated"]);
  // With another set of rules what is known does not hold.
  expect(outcomes(await read(root, cache, { allow: ["generated"] }))).toEqual(["a.png: binary", "b.go: document"]);
});

const CHANGES: Readonly<Record<string, (path: string) => void>> = {
  "another size": (path) => writeFileSync(path, "longer text\n"),
  "the same size": (path) => writeFileSync(path, "abcdefg\n"),
  "the same size, with the time put back": (path) => {
    const { atime, mtime } = statSync(path);
    writeFileSync(path, "abcdefg\n");
    utimesSync(path, atime, mtime);
  },
  "another file of that size and time in its place": (path) => {
    const { atime, mtime } = statSync(path);
    writeFileSync(`${path}.new`, "abcdefg\n");
    utimesSync(`${path}.new`, atime, mtime);
    renameSync(`${path}.new`, path);
  },
  "other permissions": (path) => chmodSync(path, 0o600),
};

test.each(Object.entries(CHANGES))("a file is read again after a change: %s", async (_name, change) => {
  const root = tree({ "a.md": "1234567\n", "b.md": "stays\n" });
  const cache = await warm(root);
  change(join(root, "a.md"));
  expect(outcomes(await read(root, cache))).toEqual(["a.md: document", "b.md: unread"]);
  expect(outcomes(await read(root, cache))).toEqual(["a.md: unread", "b.md: unread"]);
});

test("a file that was changed within two seconds of the reading is not trusted", async () => {
  const root = tree({ "a.md": "young\n" });
  vi.mocked(Date.now).mockImplementation(() => realNow() + 1000);
  const cache = await warm(root);
  expect(outcomes(await read(root, cache))).toEqual(["a.md: document"]);
  vi.mocked(Date.now).mockImplementation(() => realNow() + 5000);
  expect(outcomes(await read(root, cache))).toEqual(["a.md: document"]);
  expect(outcomes(await read(root, cache))).toEqual(["a.md: unread"]);
});

test("a file that is said to be unread and is gone by then, or is no text any more, says so", async () => {
  const root = tree({ "a.md": "1\n", "b.md": "2\n" });
  const items = await read(root, await warm(root));
  rmSync(join(root, "a.md"));
  writeFileSync(join(root, "b.md"), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]));
  const reads = await Promise.all(items.map((item) => (item.type === "unread" ? item.read() : expect.fail())));
  expect(outcomes(reads)).toEqual(["a.md: failed", "b.md: binary"]);
});

test("what is learned is saved and found again; files that went are forgotten, other trees are kept", async () => {
  const path = join(temporaryFolder(), "cache");
  const [one, two] = [tree({ "a.md": "1\n", "b.md": "2\n" }), tree({ "c.md": "3\n" })];
  const cache = StatCache.load(path);
  await read(one, cache);
  await read(two, cache);
  cache.save();
  rmSync(join(one, "b.md"));
  const second = StatCache.load(path);
  expect(outcomes(await read(one, second))).toEqual(["a.md: unread"]);
  second.save();
  const saved = readFileSync(path, "utf8");
  expect(saved).not.toContain("b.md");
  expect(outcomes(await read(two, StatCache.load(path)))).toEqual(["c.md: unread"]);
});

test("a reading that is left early forgets nothing", async () => {
  const root = tree({ "a.md": "1\n", "b.md": "2\n" });
  const cache = await warm(root);
  for await (const _ of fileSource({ root, env: NO_SETTINGS, statCache: cache }).read()) break;
  expect(outcomes(await read(root, cache))).toEqual(["a.md: unread", "b.md: unread"]);
});

test("with rehash every file is read, and what is learned takes the place of what was saved", async () => {
  const path = join(temporaryFolder(), "cache");
  const root = tree({ "a.md": "1\n" });
  const cache = StatCache.load(path);
  await read(root, cache);
  cache.save();
  const rehash = StatCache.load(path, { rehash: true });
  expect(outcomes(await read(root, rehash))).toEqual(["a.md: document"]);
  rehash.save();
  expect(outcomes(await read(root, StatCache.load(path)))).toEqual(["a.md: unread"]);
});

const replaceByFolder = (path: string): void => {
  rmSync(path);
  mkdirSync(path);
};

test.each([
  ["is cut off", (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -5))],
  [
    "is of another version",
    (path: string) => writeFileSync(path, readFileSync(path, "utf8").replace("cache 2", "cache 1")),
  ],
  ["holds something else", (path: string) => writeFileSync(path, 'docsearch stat cache 2\n[[1, 2], "x"]')],
  ["is no file", replaceByFolder],
])("a cache that %s counts as empty, and saving is no error", async (_name, spoil) => {
  const path = join(temporaryFolder(), "cache");
  const root = tree({ "a.md": "1\n" });
  const cache = StatCache.load(path);
  await read(root, cache);
  cache.save();
  spoil(path);
  const spoilt = StatCache.load(path);
  expect(outcomes(await read(root, spoilt))).toEqual(["a.md: document"]);
  spoilt.save();
});

test("two collections of one folder do not make each other forget", async () => {
  const root = tree({ "a.md": "1\n", "b.ts": "2\n" });
  const docs = { collection: "docs", include: ["*.md"] };
  const code = { collection: "code", include: ["*.ts"] };
  const cache = await warm(root, docs);
  await read(root, cache, code);
  expect(outcomes(await read(root, cache, docs))).toEqual(["a.md: unread", "b.ts: not-included"]);
  expect(outcomes(await read(root, cache, code))).toEqual(["a.md: not-included", "b.ts: unread"]);
});

test("another fallback encoding does not get what the first one read", async () => {
  const root = tree({ "a.txt": Buffer.from("caf\xe9\n", "latin1") });
  const cache = await warm(root);
  expect(outcomes(await read(root, cache, { fallbackEncoding: "shift_jis" }))).toEqual(["a.txt: document"]);
});

test("after any changes a reading with the cache gives what one without it gives", async () => {
  const names = fc.constantFrom("a.md", "b.md", "c.txt", "d/a.md");
  const step = fc.oneof(
    fc.record({
      type: fc.constant("write" as const),
      name: names,
      text: fc.constantFrom("one\n", "two\n", "\0\x01\x02\x03"),
    }),
    fc.record({ type: fc.constant("back" as const), name: names, text: fc.constantFrom("six\n", "ten\n") }),
    fc.record({ type: fc.constant("move" as const), name: names, to: names }),
    fc.record({ type: fc.constant("remove" as const), name: names }),
    fc.record({ type: fc.constant("read" as const) }),
  );
  const resolved = async (items: readonly SourceItem[]): Promise<SourceItem[]> =>
    Promise.all(items.map((item) => (item.type === "unread" ? item.read() : item)));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const root = tree({ "z.md": "stays\n", "d/": "" });
      const cache = StatCache.load(join(root, ".docsearch"));
      for (const one of [...steps, { type: "read" as const }]) {
        if (one.type === "read") {
          expect(await resolved(await read(root, cache))).toEqual(
            await collect(fileSource({ root, env: NO_SETTINGS }).read()),
          );
          continue;
        }
        const path = join(root, one.name);
        mkdirSync(dirname(path), { recursive: true });
        try {
          if (one.type === "write") writeFileSync(path, one.text);
          if (one.type === "move") renameSync(path, join(root, one.to));
          if (one.type === "remove") rmSync(path);
          if (one.type === "back") {
            const { atime, mtime } = statSync(path);
            writeFileSync(path, one.text);
            utimesSync(path, atime, mtime);
          }
        } catch {
          // There is no such file now.
        }
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

/** Puts another file system at a folder; false where this process may not. */
function mount(folder: string): boolean {
  mkdirSync(folder, { recursive: true });
  return spawnSync("mount", ["-t", "tmpfs", "tmpfs", folder]).status === 0;
}
function unmount(folder: string): void {
  execFileSync("umount", [folder]);
}
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "source-fs-mount-"));
  const isMounted = mount(folder);
  if (isMounted) unmount(folder);
  rmSync(folder, { recursive: true });
  return isMounted;
}

test.skipIf(!canMount())(
  "a drive that is away is one failure, whether its folder is left or not (skipped where nothing can be mounted)",
  async () => {
    const root = tree({ "a.md": "1\n", "sub/b.md": "2\n", "sub/gone.md": "3\n" });
    const drive = join(root, "sub/drive");
    mount(drive);
    mkdirSync(join(drive, "deep"));
    for (const name of ["deep/c.md", "d.md", "e.md"]) writeFileSync(join(drive, name), "on a drive\n");
    const cache = await warm(root);
    rmSync(join(drive, "e.md"));
    rmSync(join(root, "sub/gone.md"));
    const there = ["a.md: unread", "sub/b.md: unread"];
    expect(outcomes(await read(root, cache))).toEqual([
      ...there,
      "sub/drive/d.md: unread",
      "sub/drive/deep/c.md: unread",
    ]);
    unmount(drive);
    const away = await read(root, cache);
    expect(outcomes(away)).toEqual([...there, "sub/drive/: failed"]);
    expect(away.at(-1)).toMatchObject({ documentId: "sub/drive/", error: { message: expect.stringMatching(/away/) } });
    rmdirSync(drive);
    expect(outcomes(await read(root, cache))).toEqual([...there, "sub/drive/: failed"]);
    expect(outcomes(await read(root, cache, { ignoreMissingMounts: true }))).toEqual(there);
    expect(outcomes(await read(root, cache))).toEqual(there);
    // A file in its place says that the drive will not come back.
    mount(drive);
    writeFileSync(join(drive, "d.md"), "on a drive\n");
    await read(root, cache);
    unmount(drive);
    rmdirSync(drive);
    writeFileSync(drive, "a file in its place\n");
    expect(outcomes(await read(root, cache))).toEqual([...there, "sub/drive: document"]);
  },
);
