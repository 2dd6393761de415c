import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { VectorStore } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { lancedbStore } from "../src/index.js";
import { inside } from "./inside.js";
import { page, READ, REBUILD, RECREATE, SCHEMA, temporaryFolders, term, textIds, vectorIds, WRITE } from "./support.js";

const newFolder = temporaryFolders();
const OTHER_SCHEMA = { ...SCHEMA, embedding: { id: "other@1", dimensions: 2 } };

async function makeIndex(word: string): Promise<string> {
  const url = newFolder();
  const store = await lancedbStore({ url }).open(SCHEMA, WRITE);
  await store.write([page("old", [{ words: word, vector: [1, 0, 0, 0] }])]);
  await store.close();
  return url;
}

function open(url: string, options = READ, schema: typeof SCHEMA = SCHEMA): Promise<VectorStore> {
  return lancedbStore({ url }).open(schema, options);
}

/** Number of indexes whose tables are in a folder. */
function generations(url: string): number {
  return readdirSync(url).filter((name) => name.startsWith("document_")).length;
}

async function rebuild(url: string, word: string): Promise<void> {
  const next = await open(url, REBUILD);
  await next.write([page(word, [{ words: word, vector: [0, 1, 0, 0] }])]);
  await next.publish!();
}

describe("an index that is made anew", () => {
  test("is not seen until it is published, and then by readers that were open all the time", async () => {
    const url = await makeIndex("alpha");
    const reader = await open(url);
    expect(await textIds(reader, term("alpha"))).toEqual(["old#0"]);
    const next = await open(url, REBUILD);
    expect(await next.stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
    await next.write([page("new", [{ words: "beta", vector: [0, 1, 0, 0] }])]);
    expect(await textIds(next, term("beta"))).toEqual(["new#0"]);
    expect(await textIds(reader, term("beta"))).toEqual([]);

    await next.publish!();
    expect(await textIds(reader, term("beta"))).toEqual(["new#0"]);
    expect(await textIds(reader, term("alpha"))).toEqual([]);
    expect(await vectorIds(reader, [1, 0, 0, 0])).toEqual(["new#0"]);
    expect((await reader.check()).faults).toEqual([]);
    await reader.close();
    await next.close();
    await expect(next.stats()).rejects.toMatchObject({ code: "CLOSED" });
    expect(generations(url)).toBe(2);
  });

  test("is thrown away when it is closed without being published", async () => {
    const url = await makeIndex("alpha");
    const next = await open(url, REBUILD);
    await next.write([page("new", [{ words: "beta" }])]);
    await next.close();
    const store = await open(url);
    expect(await textIds(store, term("alpha"))).toEqual(["old#0"]);
    await store.close();
    expect(generations(url)).toBe(1);
  });

  test("can be the first one at a place", async () => {
    const url = newFolder();
    await rebuild(url, "first");
    const store = await open(url);
    expect(await textIds(store, term("first"))).toEqual(["first#0"]);
    await store.close();
    await expect(lancedbStore({ url }).restorePrevious!()).rejects.toMatchObject({ code: "INDEX_MISSING" });
  });

  test("keeps the one before, which can be put back and forth; older ones go", async () => {
    const url = await makeIndex("one");
    await rebuild(url, "two");
    await rebuild(url, "three");
    expect(generations(url)).toBe(2);
    const reader = await open(url);
    for (const [n, word] of ["two", "three", "two"].entries()) {
      await lancedbStore({ url }).restorePrevious!();
      expect([n, await textIds(reader, term(word))]).toEqual([n, [`${word}#0`]]);
    }
    await reader.close();
  });

  test("of another schema is refused to those who had the one before open, and its rollback is whole", async () => {
    const url = await makeIndex("alpha");
    const [reader, writer] = [await open(url), await open(url, WRITE)];
    const next = await open(url, REBUILD, OTHER_SCHEMA);
    await next.write([page("new", [{ words: "beta", vector: [0, 1] }])]);
    await next.publish!();
    await expect(textIds(reader, term("beta"))).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    await expect(writer.write([page("x", [{ words: "x" }])])).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    await lancedbStore({ url }).restorePrevious!();
    await writer.write([page("x", [{ words: "alpha" }])]);
    expect(await textIds(reader, term("alpha"))).toEqual(["old#0", "x#0"]);
    await reader.close();
    await writer.close();
  });

  test("leaves tables that go a day later when its process is killed", async () => {
    const url = await makeIndex("alpha");
    const child = fork(join(import.meta.dirname, "fixtures", "process.mjs"), ["rebuild-and-die", url]);
    await once(child, "exit");
    expect(generations(url)).toBe(2);
    await rebuild(url, "beta");
    expect(generations(url)).toBe(3);
    // As if its name had been given long ago.
    const { entry } = await inside(url);
    const kept = [entry.current.name, entry.previous?.name];
    const abandoned = readdirSync(url).find(
      (name) => name.startsWith("document_") && !kept.includes(name.slice(9, -6)),
    );
    mkdirSync(join(url, "document_g000000001aaaaaaaaaaaa.lance"));
    rmSync(join(url, abandoned!), { recursive: true });
    await (await open(url, REBUILD)).close();
    expect(existsSync(join(url, "document_g000000001aaaaaaaaaaaa.lance"))).toBe(false);
  });
});

test("an index that was opened to be written is not published", async () => {
  const store = await open(await makeIndex("alpha"), WRITE);
  await expect(store.publish!()).rejects.toMatchObject({ code: "UNSUPPORTED", details: { operation: "publish" } });
  await store.close();
});

/** All files of an index whose path fits, with their paths. */
function filesOf(url: string, pattern: RegExp): string[] {
  return readdirSync(url, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => pattern.test(path.slice(url.length)));
}

const DAMAGES: readonly (readonly [string, RegExp, (path: string) => void])[] = [
  ["rows of documents are gone", /document_.*\.lance\/data\//, (path) => rmSync(path)],
  ["rows of documents are cut", /document_.*\.lance\/data\//, (path) => truncateSync(path, 40)],
  ["rows of chunks are gone", /chunk_.*\.lance\/data\//, (path) => rmSync(path)],
  [
    "rows of postings are overwritten",
    /posting_.*\.lance\/data\//,
    (path) => writeFileSync(path, "GIF89a".repeat(200)),
  ],
  ["versions of documents are overwritten", /document_.*\.lance\/_versions\//, (path) => writeFileSync(path, "no")],
  ["the catalog is gone", /catalog\.lance\/_versions\//, (path) => rmSync(path)],
  ["the row of the catalog is cut", /catalog\.lance\/data\//, (path) => truncateSync(path, 10)],
];

test.each(DAMAGES)("%s: the error says what mends it, and that mends it", async (_, pattern, damage) => {
  const url = await makeIndex("alpha");
  const files = filesOf(url, pattern);
  expect(files.length).toBeGreaterThan(0);
  for (const path of files) damage(path);
  const reason = await (async (): Promise<unknown> => {
    const store = await open(url);
    try {
      await textIds(store, term("alpha"));
      await store.getChunks(["old#0"]);
      return await store.check();
    } finally {
      await store.close();
    }
  })().catch((error: unknown) => error);
  expect(String(reason)).toMatch(/Make (it|one|it anew|the index anew).*: docsearch index( --rebuild)?/);
  // What `docsearch index --rebuild` does.
  await rebuild(url, "beta");
  const store = await open(url);
  expect(await textIds(store, term("beta"))).toEqual(["beta#0"]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});

test.each(DAMAGES.filter(([name]) => !/chunks|postings/.test(name)))(
  "%s: recreate begins a new index",
  async (_, pattern, damage) => {
    const url = await makeIndex("alpha");
    for (const path of filesOf(url, pattern)) damage(path);
    await expect(open(url, WRITE)).rejects.toMatchObject({ code: "STORE_FAILED" });
    const store = await open(url, RECREATE);
    expect(await store.stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
    await store.write([page("c", [{ words: "gamma", vector: [0, 1, 0, 0] }])]);
    expect(await textIds(store, term("gamma"))).toEqual(["c#0"]);
    expect(await store.check()).toEqual({ faults: [] });
    await store.close();
  },
);
