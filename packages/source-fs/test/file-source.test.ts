import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileSource, type ReadDocumentOptions, readDocument, type WalkedFile, walk } from "@docsearch/source-fs";
import type { SourceItem } from "@docsearch/spec";
import { afterEach, describe, expect, test, vi } from "vitest";
import { FileAccess } from "../src/file-access.js";
import { directDocumentReader } from "../src/read/read-document.js";
import { collect, NO_SETTINGS, temporaryFolder, tree } from "./tree.js";

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** File systems that answer fast are called directly, slow ones through the thread pool. Both must do the same. */
const SPEEDS = ["fast", "slow"] as const;
function makeSlow(speed: (typeof SPEEDS)[number]): void {
  if (speed === "slow") vi.spyOn(FileAccess.prototype, "isSlow", "get").mockReturnValue(true);
}
afterEach(() => vi.restoreAllMocks());

const shown = (item: SourceItem): string =>
  item.type === "skip"
    ? `${item.path}: ${item.reason}`
    : item.type === "failure"
      ? `${item.path}: failed`
      : item.document.id;

describe.each(SPEEDS)("on a %s file system", (speed) => {
  test("documents have what the contract asks for", async () => {
    makeSlow(speed);
    const text = "# Café\r\n\r\n😀\n";
    const root = tree({ "docs/e\u0301.md": `\ufeff${text}` });
    expect(await collect(fileSource({ env: NO_SETTINGS, root, collection: "handbook" }).read())).toEqual([
      {
        type: "document",
        document: {
          id: "docs/e\u0301.md",
          collection: "handbook",
          text,
          contentHash: sha256(`\ufeff${text}`),
          mediaType: "text/markdown",
          path: "docs/e\u0301.md",
          metadata: {},
        },
      },
    ]);
  });

  test("items keep the order of their paths", async () => {
    makeSlow(speed);
    const names = Array.from({ length: 150 }, (_, index) => `${String(index).padStart(3, "0")}.md`);
    const root = tree({
      ...Object.fromEntries(names.map((name, index) => [name, "word ".repeat((index * 7919) % 5000)])),
      "010.png": Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
      "020/yarn.lock": "",
      "030/node_modules/a.md": "",
    });
    const expected = [
      ...names,
      "010.png: binary",
      "020/yarn.lock: lock-file",
      "030/node_modules/: dependencies",
    ].sort();
    expect((await collect(fileSource({ env: NO_SETTINGS, root }).read())).map(shown)).toEqual(expected);
  });

  test("large files are read whole, unless their start is binary or they are over the limit", async () => {
    makeSlow(speed);
    const large = "line of text é\n".repeat(20_000);
    const root = tree({
      "binary.bin": Buffer.concat([Buffer.alloc(100_000), Buffer.from("text")]),
      "large.md": large,
      "over.md": "a".repeat(400_000),
      "scratch-1.md": "b".repeat(65_535),
      "scratch-2.md": "b".repeat(65_536),
      "scratch-3.md": "b".repeat(65_537),
      "scratch-4.md": "b".repeat(65_538),
    });
    const items = await collect(fileSource({ env: NO_SETTINGS, root, maxFileBytes: 350_000 }).read());
    expect(items.map(shown)).toEqual([
      "binary.bin: binary",
      "large.md",
      "over.md: too-large",
      "scratch-1.md",
      "scratch-2.md",
      "scratch-3.md",
      "scratch-4.md",
    ]);
    const lengths = items.flatMap((item) => (item.type === "document" ? [item.document.text.length] : []));
    expect(lengths).toEqual([large.length, 65_535, 65_536, 65_537, 65_538]);
    expect(items[1]).toMatchObject({ document: { text: large, contentHash: sha256(large) } });
  });

  test("the consumer may stop early", async () => {
    makeSlow(speed);
    const root = tree(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${index}.md`, "text"])));
    let seen = 0;
    for await (const _ of fileSource({ env: NO_SETTINGS, root }).read()) if (++seen === 3) break;
    expect(seen).toBe(3);
  });

  test("an aborted reading rejects with the reason of the signal", async () => {
    makeSlow(speed);
    const root = tree(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${index}.md`, "text"])));
    const controller = new AbortController();
    const items = fileSource({ env: NO_SETTINGS, root }).read(controller)[Symbol.asyncIterator]();
    await items.next();
    controller.abort();
    await expect(items.next()).rejects.toMatchObject({ name: "AbortError" });
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });
});

test("a file that goes away between walk and reading is a failure, and the rest is read", async () => {
  const root = tree({ "a.md": "a", "b.md": "b", "c.md": "c" });
  const items: SourceItem[] = [];
  for await (const item of fileSource({ env: NO_SETTINGS, root }).read()) {
    if (items.length === 0) rmSync(join(root, "b.md"));
    items.push(item);
  }
  expect(items.map(shown)).toEqual(["a.md", "b.md: failed", "c.md"]);
  expect(items[1]).toMatchObject({
    documentId: "b.md",
    error: { message: "b.md cannot be read: ENOENT: no such file or directory", cause: { code: "ENOENT" } },
  });
});

describe.each([
  ["through the thread pool", readDocument],
  ["directly", async (file: WalkedFile, options: ReadDocumentOptions) => directDocumentReader(options)(file)],
])("a file that has changed since it was walked, read %s,", (_, read) => {
  const options = { collection: "c", maxFileBytes: 1_000_000 };
  const walked = async (root: string): Promise<WalkedFile> => {
    const [file] = await collect(walk({ env: NO_SETTINGS, root }));
    return file as WalkedFile;
  };

  test("is read as it is now", async () => {
    const root = tree({ "a.md": "short" });
    const file = await walked(root);
    for (const text of ["longer than before", "x", "", "word ".repeat(50_000)]) {
      writeFileSync(join(root, "a.md"), text);
      expect(await read(file, options)).toMatchObject({ document: { text, contentHash: sha256(text) } });
    }
  });

  test("is left out when it has grown over the limit", async () => {
    const root = tree({ "a.md": "short" });
    const file = await walked(root);
    writeFileSync(join(root, "a.md"), "longer");
    expect(await read(file, { ...options, maxFileBytes: 5 })).toEqual({
      type: "skip",
      path: "a.md",
      reason: "too-large",
    });
  });

  test.each([
    ["nothing", () => undefined],
    ["a folder", (path: string) => mkdirSync(path)],
    ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
    ["a link", (path: string) => symlinkSync("b.md", path)],
  ])("is a failure when it has become %s", async (_, make) => {
    const root = tree({ "a.md": "short", "b.md": "other" });
    const file = await walked(root);
    rmSync(join(root, "a.md"));
    make(join(root, "a.md"));
    expect(await read(file, options)).toMatchObject({ type: "failure", documentId: "a.md", path: "a.md" });
  });
});

test("a failed folder has an id that ends with a slash", async () => {
  const root = tree({ "a/.gitignore": "x\n".repeat(500_001), "a/b.md": "" });
  expect(await collect(fileSource({ env: NO_SETTINGS, root }).read())).toMatchObject([
    { type: "failure", documentId: "a/", path: "a/" },
  ]);
});

test("an empty file is a document without text", async () => {
  const [item] = await collect(fileSource({ env: NO_SETTINGS, root: tree({ "a.md": "" }) }).read());
  expect(item).toMatchObject({ type: "document", document: { text: "", contentHash: sha256("") } });
});

test("a root that is a file gives one document", async () => {
  const root = join(tree({ "docs/a.md": "text" }), "docs/a.md");
  const source = fileSource({ env: NO_SETTINGS, root });
  expect(source.collection).toBe("a.md");
  expect(await collect(source.read())).toMatchObject([{ document: { id: "a.md", path: "a.md", collection: "a.md" } }]);
});

test("the collection is the last part of the root unless it is given", () => {
  const root = temporaryFolder();
  expect(fileSource({ env: NO_SETTINGS, root: `${root}/` }).collection).toBe(basename(root));
  expect(fileSource({ root: "/" }).collection).toBe("/");
  expect(fileSource({ env: NO_SETTINGS, root, collection: "docs" }).collection).toBe("docs");
});

test("making a source touches nothing; reading a root that is not there rejects", async () => {
  const root = join(temporaryFolder(), "later");
  const source = fileSource({ env: NO_SETTINGS, root });
  await expect(collect(source.read())).rejects.toMatchObject({ code: "CONFIG_INVALID", details: { value: root } });
});

test("the fallback encoding holds for files that are no Unicode", async () => {
  const root = tree({ "a.txt": Uint8Array.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]) });
  const [item] = await collect(fileSource({ env: NO_SETTINGS, root, fallbackEncoding: "windows-1251" }).read());
  expect(item).toMatchObject({ document: { text: "Привет" } });
  expect(() => fileSource({ env: NO_SETTINGS, root, fallbackEncoding: "klingon" })).toThrow(
    'fallbackEncoding is "klingon"; expected an encoding that TextDecoder knows, such as shift_jis',
  );
});
