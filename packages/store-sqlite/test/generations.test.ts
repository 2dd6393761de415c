import { fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenOptions, VectorStore } from "@docsearch/spec";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { sqliteStore } from "../src/index.js";
import { openStore, page, READ, SCHEMA, temporaryPaths, term, textIds, vectorIds, WRITE } from "./support.js";

const newPath = temporaryPaths();
const REBUILD: OpenOptions = { mode: "rebuild", onMismatch: "recreate" };
const OTHER_SCHEMA = { ...SCHEMA, embedding: { id: "other@1", dimensions: 2 } };
const OTHER_PATHS = [".next", ".next-wal", ".next-shm", ".swap"];

async function makeIndex(word: string): Promise<string> {
  const path = newPath();
  const store = await openStore(path);
  await store.write([page("old", [{ words: word, vector: [1, 0, 0, 0] }])]);
  await store.close();
  return path;
}

function leftovers(path: string): string[] {
  return OTHER_PATHS.filter((suffix) => existsSync(path + suffix));
}

describe("an index that is made anew", () => {
  test("is not seen until it is published, and then by readers that were open all the time", async () => {
    const path = await makeIndex("alpha");
    const reader = await openStore(path, READ);
    expect(await textIds(reader, term("alpha"))).toEqual(["old#0"]);
    const next = await openStore(path, REBUILD);
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
    expect(leftovers(path)).toEqual([]);
  });

  test("is thrown away when it is closed without being published", async () => {
    const path = await makeIndex("alpha");
    const next = await openStore(path, REBUILD);
    await next.write([page("new", [{ words: "beta" }])]);
    await next.close();
    const store = await openStore(path, READ);
    expect(await textIds(store, term("alpha"))).toEqual(["old#0"]);
    await store.close();
    expect(leftovers(path)).toEqual([]);
    expect(existsSync(`${path}.previous`)).toBe(false);
  });

  test("may be the first one", async () => {
    const path = newPath();
    const next = await openStore(path, REBUILD);
    await next.write([page("new", [{ words: "beta" }])]);
    expect(existsSync(path)).toBe(false);
    await next.publish!();
    const store = await openStore(path);
    expect(await textIds(store, term("beta"))).toEqual(["new#0"]);
    await store.write([page("more", [{ words: "beta" }])]);
    expect(await textIds(store, term("beta"))).toEqual(["more#0", "new#0"]);
    await store.close();
  });

  test("may have another schema: readers of the old one then say so, and readers of the new one find it", async () => {
    const path = await makeIndex("alpha");
    const reader = await openStore(path, READ);
    const next = await openStore(path, REBUILD, {}, OTHER_SCHEMA);
    await next.write([page("new", [{ words: "beta", vector: [1, 0] }])]);
    expect(await textIds(reader, term("alpha"))).toEqual(["old#0"]);
    await next.publish!();
    await expect(textIds(reader, term("alpha"))).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    await reader.close();
    const store = await openStore(path, READ, {}, OTHER_SCHEMA);
    expect(await textIds(store, term("beta"))).toEqual(["new#0"]);
    await store.close();
  });

  test.each([
    ["fts5", "int8"],
    ["postings", "vec0"],
  ] as const)("may be kept as %s and %s", async (lexicalIndex, vectorIndex) => {
    const path = await makeIndex("alpha");
    const next = await openStore(path, REBUILD, { lexicalIndex, vectorIndex });
    await next.write([page("new", [{ words: "beta", vector: [0, 1, 0, 0] }])]);
    await next.publish!();
    const store = await openStore(path, WRITE, { lexicalIndex, vectorIndex });
    expect(await textIds(store, term("beta"))).toEqual(["new#0"]);
    expect(await vectorIds(store, [0, 1, 0, 0])).toEqual(["new#0"]);
    expect((await store.check()).faults).toEqual([]);
    await store.close();
  });

  test("is made by one process at a time", async () => {
    const path = await makeIndex("alpha");
    const next = await openStore(path, REBUILD);
    const child = fork(join(import.meta.dirname, "fixtures", "rebuild.mjs"), [path, "publish"]);
    expect((await once(child, "exit"))[0]).toBe(3);
    await next.write([page("new", [{ words: "beta" }])]);
    await next.publish!();
    const store = await openStore(path, READ);
    expect(await textIds(store, term("beta"))).toEqual(["new#0"]);
    await store.close();
  });

  test("waits for a writer, and is not lost", async () => {
    const path = await makeIndex("alpha");
    const next = await openStore(path, REBUILD);
    await next.write([page("new", [{ words: "beta" }])]);
    const writer = new Database(path);
    writer.exec("BEGIN IMMEDIATE");
    setTimeout(() => writer.exec("ROLLBACK"), 300);
    await next.publish!();
    writer.close();
    const store = await openStore(path, READ);
    expect(await textIds(store, term("beta"))).toEqual(["new#0"]);
    await store.close();
  });

  test("is not begun where a file of another kind is", async () => {
    const path = newPath();
    writeFileSync(path, "These are notes.");
    await expect(openStore(path, REBUILD)).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect(leftovers(path)).toEqual([]);
  });

  test("a killed one leaves the old index, and the next one begins afresh", async () => {
    const path = await makeIndex("alpha");
    const child = fork(join(import.meta.dirname, "fixtures", "rebuild.mjs"), [path, "hang"]);
    await once(child, "message");
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(leftovers(path)).toContain(".next");
    const reader = await openStore(path, READ);
    expect(await textIds(reader, term("alpha"))).toEqual(["old#0"]);
    const next = await openStore(path, REBUILD);
    expect(await next.stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
    await next.close();
    expect(leftovers(path)).toEqual([]);
    await reader.close();
  });

  test("at 30 moments of publishing, a killed process leaves the one index or the other, whole", async () => {
    const path = await makeIndex("alpha");
    for (let delay = 0; delay < 30; delay++) {
      const child = fork(join(import.meta.dirname, "fixtures", "rebuild.mjs"), [path, "publish-slowly"]);
      await once(child, "message");
      await new Promise((resolve) => setTimeout(resolve, delay * 2));
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      const store = await openStore(path, READ);
      expect((await store.check()).faults).toEqual([]);
      const { documents } = await store.stats();
      expect([1, 500]).toContain(documents);
      expect(await textIds(store, term("alpha"))).toEqual(documents === 1 ? ["old#0"] : []);
      await store.close();
    }
  }, 120_000);
});

describe("the previous index", () => {
  const restore = (path: string) => sqliteStore({ path }).restorePrevious!();
  const words = async (path: string, ...all: readonly string[]): Promise<string[]> => {
    const store: VectorStore = await openStore(path, READ);
    const found = await Promise.all(all.map((word) => textIds(store, term(word))));
    await store.close();
    return found.flat();
  };

  test("comes back, and the one it replaced can come back too", async () => {
    const path = await makeIndex("alpha");
    const next = await openStore(path, REBUILD);
    await next.write([page("new", [{ words: "beta" }])]);
    await next.publish!();
    const reader = await openStore(path, READ);
    expect(await textIds(reader, term("beta"))).toEqual(["new#0"]);
    await restore(path);
    expect(await textIds(reader, term("alpha"))).toEqual(["old#0"]);
    await reader.close();
    await restore(path);
    expect(await words(path, "alpha", "beta")).toEqual(["new#0"]);
    await restore(path);
    expect(await words(path, "alpha", "beta")).toEqual(["old#0"]);
    expect(leftovers(path)).toEqual([]);
  });

  test("comes back where the index was deleted", async () => {
    const path = await makeIndex("alpha");
    const next = await openStore(path, REBUILD);
    await next.publish!();
    for (const suffix of ["", "-wal", "-shm"]) if (existsSync(path + suffix)) writeFileSync(path + suffix, "");
    await restore(path);
    expect(await words(path, "alpha")).toEqual(["old#0"]);
  });

  test("comes back whole after a kill at each step, and the other one is not lost", async () => {
    // What the files are called between the steps: nothing done, copied aside, the previous one in place.
    const steps: readonly ((path: string) => void)[] = [
      () => {},
      (path) => copyFileSync(path, `${path}.swap`),
      (path) => writeFileSync(`${path}.swap`, "the beginning of a copy"),
      (path) => {
        copyFileSync(path, `${path}.swap`);
        copyFileSync(`${path}.previous`, path);
      },
    ];
    for (const step of steps) {
      const path = await makeIndex("alpha");
      const next = await openStore(path, REBUILD);
      await next.write([page("new", [{ words: "beta" }])]);
      await next.publish!();
      step(path);
      await restore(path);
      expect(await words(path, "alpha", "beta")).toEqual(["old#0"]);
      expect(leftovers(path)).toEqual([]);
      await restore(path);
      expect(await words(path, "alpha", "beta")).toEqual(["new#0"]);
      expect(await words(`${path}.previous`, "alpha", "beta")).toEqual(["old#0"]);
    }
  });

  test("is missed with what makes one", async () => {
    const path = await makeIndex("alpha");
    await expect(restore(path)).rejects.toMatchObject({
      code: "INDEX_MISSING",
      details: { location: `${path}.previous`, command: "docsearch index --rebuild" },
    });
    expect(await words(path, "alpha")).toEqual(["old#0"]);
  });
});

test("an index that was opened to be written is not published", async () => {
  const store = await openStore(newPath());
  await expect(store.publish!()).rejects.toMatchObject({ code: "UNSUPPORTED" });
  await store.close();
});
