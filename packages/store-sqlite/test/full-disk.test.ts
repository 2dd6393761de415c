import { expect, test } from "vitest";
import { type Connection, loadDriver } from "../src/driver.js";
import { SqliteStore } from "../src/store.js";
import { openStore, page, SCHEMA, temporaryPaths, term, textIds } from "./support.js";

const newPath = temporaryPaths();

const LAYOUT = { lexical: "postings", vector: "blocks" } as const;

const reopen = (): Promise<never> => Promise.reject(new Error("nobody opens it again here"));

/** A store whose file may not grow by more than `pages`, as on a disk that is nearly full. */
async function cramped(path: string, pages: number): Promise<{ store: SqliteStore; connection: Connection }> {
  const connection = (await loadDriver()).open(path, { access: "write" });
  const { page_count: now } = connection.prepare<{ page_count: number }>("PRAGMA page_count").get()!;
  connection.prepare<unknown>(`PRAGMA max_page_count = ${now + pages}`).get();
  const identity = { schema: SCHEMA, layout: LAYOUT };
  return { store: new SqliteStore({ connection, path, identity, scan: "int8", isWritable: true, reopen }), connection };
}

function large(id: string): ReturnType<typeof page> {
  return page(id, [{ words: `large ${"x".repeat(100_000)}`, vector: [1, 2, 3, 4] }]);
}

test("a disk that is full fails the write with a message that says so, and the old data stay", async () => {
  const path = newPath();
  const filled = await openStore(path);
  await filled.write([page("a", [{ words: "alpha", vector: [1, 0, 0, 0] }])]);
  await filled.close();
  const { store, connection } = await cramped(path, 8);
  const error = await store.write([large("b")]).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "STORE_FAILED", details: { operation: "write" } });
  expect(String(error)).toContain(`write failed on ${path}: the disk is full. Free space and try again`);
  expect(await textIds(store, term("alpha"))).toEqual(["a#0"]);
  expect(await textIds(store, term("large"))).toEqual([]);
  expect(await store.stats()).toEqual({ documents: 1, chunks: 1, vectors: 1 });
  expect(await store.check()).toEqual({ faults: [] });
  // With space the store goes on.
  connection.prepare<unknown>("PRAGMA max_page_count = 100000").get();
  await store.write([large("b")]);
  expect(await textIds(store, term("large"))).toEqual(["b#0"]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});

test.each([2, 12, 20])("changes before the one that the disk has no room for stay (%i pages)", async (pages) => {
  const path = newPath();
  await (await openStore(path)).close();
  const { store } = await cramped(path, pages);
  const small = ["s1", "s2", "s3"].map((id) => page(id, [{ words: "small" }]));
  await expect(store.write([...small, large("b"), page("after", [{}])])).rejects.toMatchObject({
    code: "STORE_FAILED",
  });
  expect((await store.listDocuments({ limit: 10 })).map(({ id }) => id)).toEqual(["s1", "s2", "s3"]);
  expect(await textIds(store, term("small"))).toEqual(["s1#0", "s2#0", "s3#0"]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});

test("a file that cannot be written to says so", async () => {
  const path = newPath();
  await (await openStore(path)).close();
  const connection = (await loadDriver()).open(path, { access: "read" });
  const identity = { schema: SCHEMA, layout: LAYOUT };
  const store = new SqliteStore({ connection, path, identity, scan: "int8", isWritable: true, reopen });
  const error = await store.write([page("a", [{}])]).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "STORE_FAILED" });
  expect(String(error)).toContain("the file cannot be written to. Check its permissions and those of its folder");
  await store.close();
});
