import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { openStore, page, READ, temporaryPaths, term, textIds, vectorIds, WRITE } from "./support.js";

const newPath = temporaryPaths();

function start(...argument: readonly string[]): ChildProcess {
  return fork(join(import.meta.dirname, "fixtures", "process.mjs"), argument);
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  return child.exitCode ?? ((await once(child, "exit"))[0] as number | null);
}

test("a reader sees what a writer has committed, at its next call", async () => {
  const path = newPath();
  const writer = await openStore(path);
  await writer.write([page("a", [{ words: "alpha", vector: [1, 0, 0, 0] }])]);
  const reader = await openStore(path, READ);
  expect(await textIds(reader, term("alpha"))).toEqual(["a#0"]);
  expect(await vectorIds(reader, [1, 0, 0, 0])).toEqual(["a#0"]);
  await writer.write([page("b", [{ words: "alpha", vector: [1, 1, 0, 0] }]), page("a", [{ words: "beta" }])]);
  expect(await textIds(reader, term("alpha"))).toEqual(["b#0"]);
  expect(await vectorIds(reader, [1, 0, 0, 0])).toEqual(["b#0"]);
  expect(await reader.stats()).toEqual({ documents: 2, chunks: 2, vectors: 1 });
  await writer.clear();
  expect(await textIds(reader, term("alpha"))).toEqual([]);
  expect(await vectorIds(reader, [1, 0, 0, 0])).toEqual([]);
  await writer.write([page("c", [{ words: "alpha", vector: [0, 1, 0, 0] }])]);
  expect(await textIds(reader, term("alpha"))).toEqual(["c#0"]);
  expect(await vectorIds(reader, [1, 0, 0, 0])).toEqual(["c#0"]);
  await reader.close();
  await writer.close();
});

test("a reader goes on with the old state while a writer is in the middle of a transaction", async () => {
  const path = newPath();
  const store = await openStore(path);
  await store.write([page("a", [{ words: "alpha" }, { words: "alpha" }])]);
  const reader = await openStore(path, READ);
  const writer = new Database(path);
  writer.exec("BEGIN IMMEDIATE; DELETE FROM chunk; UPDATE chunk_block SET documents = zeroblob(1024), stamp = 99");
  expect(await textIds(reader, term("alpha"))).toEqual(["a#0", "a#1"]);
  expect((await reader.getChunks(["a#0"]))[0]?.text).toBe("alpha");
  writer.exec("ROLLBACK");
  writer.close();
  await reader.close();
  await store.close();
});

test("two stores that write in turns see each other's changes", async () => {
  const path = newPath();
  const [first, second] = [await openStore(path), await openStore(path)];
  for (let n = 0; n < 20; n++) {
    const writer = n % 2 === 0 ? first : second;
    await writer.write([page(`d${n}`, [{ words: "all", vector: [1, n, 0, 0] }]), page("same", [{ words: `v${n}` }])]);
  }
  for (const store of [first, second]) {
    expect(await textIds(store, term("all"))).toHaveLength(20);
    expect(await vectorIds(store, [1, 0, 0, 0], 1)).toEqual(["d0#0"]);
    expect(await textIds(store, term("v19"))).toEqual(["same#0"]);
    expect(await store.check()).toEqual({ faults: [] });
  }
  await first.close();
  await second.close();
});

test("processes that create one index at the same time all succeed", async () => {
  const path = newPath();
  const children = Array.from({ length: 4 }, (_, n) => start("open-and-write", path, `p${n}`));
  expect(await Promise.all(children.map(exitCode))).toEqual([0, 0, 0, 0]);
  const store = await openStore(path, READ);
  expect((await store.listDocuments({ limit: 10 })).map(({ id }) => id)).toEqual(["p0", "p1", "p2", "p3"]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});

test("readers answer and stores open while another process holds the write lock; a second writer waits for it", async () => {
  const path = newPath();
  const first = await openStore(path);
  await first.write([page("a", [{ words: "alpha" }])]);
  await first.close();
  const reader = await openStore(path, READ);
  const child = start("hold", path, "1000");
  await once(child, "message");
  for (let n = 0; n < 50; n++) expect(await textIds(reader, term("alpha"))).toEqual(["a#0"]);
  const second = await openStore(path, WRITE);
  expect(await textIds(second, term("held"))).toEqual([]);
  expect(await second.write([page("b", [{ words: "alpha" }])])).toEqual({ replaced: 1, deleted: 0, chunks: 1 });
  expect(await exitCode(child)).toBe(0);
  expect(await textIds(reader, term("held"))).toEqual(["held@1#0", "held@1#1"]);
  expect(await textIds(reader, term("alpha"))).toEqual(["a#0", "b#0"]);
  await reader.close();
  await second.close();
});

test("a writer that waits for too long names who wrote last, and nothing is written", async () => {
  const path = newPath();
  const child = start("open-and-write", path, "p");
  await exitCode(child);
  const store = await openStore(path, WRITE);
  const other = new Database(path);
  other.exec("BEGIN IMMEDIATE");
  const holder = `process ${child.pid}`;
  const error = await store.write([page("a", [{}])]).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "INDEX_LOCKED", details: { holder } });
  expect(String(error)).toContain(`is being written to by ${holder}, which did not finish within 5 seconds`);
  other.exec("ROLLBACK");
  other.close();
  expect((await store.listDocuments({ limit: 10 })).map(({ id }) => id)).toEqual(["p"]);
  await store.close();
});
