import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { openStore, page, READ, RECREATE, temporaryPaths, term, textIds, WRITE } from "./support.js";

const newPath = temporaryPaths();

async function filled(path = newPath()): Promise<string> {
  const store = await openStore(path);
  await store.write([page("a", [{ words: "alpha", vector: [1, 0, 0, 0] }]), page("b", [{ words: "beta" }])]);
  await store.close();
  return path;
}

/** What a rebuild does: opens to make anew, empties, writes. */
async function expectRebuilt(path: string): Promise<void> {
  const store = await openStore(path, RECREATE);
  await store.clear();
  await store.write([page("c", [{ words: "gamma", vector: [0, 1, 0, 0] }])]);
  expect(await textIds(store, term("gamma"))).toEqual(["c#0"]);
  expect(await textIds(store, term("alpha"))).toEqual([]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
}

test.each([
  "UPDATE chunk SET document = 99",
  "DELETE FROM document",
  "DELETE FROM segment",
  "INSERT INTO posting VALUES (77, x'61', 1, x'00')",
  "DROP TABLE segment",
  "DROP TABLE meta",
  "DELETE FROM meta",
  "UPDATE meta SET value = '{' WHERE key IN ('schema', 'layout')",
  "UPDATE meta SET value = 'x' WHERE key IN ('generation', 'chunks')",
  "UPDATE chunk SET heading_path = '['",
  "UPDATE chunk_block SET lengths = zeroblob(99999)",
  "DROP INDEX chunk_document",
  "CREATE TABLE later (x REFERENCES chunk (slot)); INSERT INTO later VALUES (1)",
])("recreate and clear get over what is in the tables: %s", async (sql) => {
  const path = await filled();
  const database = new Database(path);
  database.pragma("foreign_keys = OFF");
  database.unsafeMode(true).exec(sql);
  database.close();
  await expectRebuilt(path);
  expect(existsSync(`${path}.damaged`)).toBe(false);
});

test("clear alone gets over rows that refer to what is gone", async () => {
  const path = await filled();
  const database = new Database(path);
  database.pragma("foreign_keys = OFF");
  database.exec("INSERT INTO posting VALUES (77, x'61', 1, x'00'); UPDATE chunk SET document = 99");
  database.close();
  const store = await openStore(path, WRITE);
  await store.clear();
  expect(await store.check()).toEqual({ faults: [] });
  expect(await store.stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
  await store.close();
});

test("foreign keys are heeded again after clear", async () => {
  const path = await filled();
  const store = await openStore(path, WRITE);
  await store.clear();
  await store.write([page("a", [{ words: "alpha" }])]);
  await store.write([page("a", [])]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});

test.each([8192, 8192 * 3, 12_345])("a file that was cut to %i bytes is damage, and is set aside", async (size) => {
  const path = await filled();
  truncateSync(path, size);
  const cut = readFileSync(path);
  const reader = await openStore(path, READ).catch((error: unknown) => error);
  if (reader instanceof Error) expect(String(reader)).toContain("the file is damaged. Make the index anew");
  else {
    const error = await textIds(reader as never, term("alpha")).catch((reason: unknown) => reason);
    expect(String(error)).toContain("the file is damaged. Make the index anew: docsearch index --rebuild");
    await (reader as { close(): Promise<void> }).close();
  }
  await expectRebuilt(path);
  expect(readFileSync(`${path}.damaged`).equals(cut)).toBe(true);
});

test("a column that is no JSON is damage, and the error says what mends it", async () => {
  const path = await filled();
  const database = new Database(path);
  database.exec("UPDATE chunk SET heading_path = '['");
  database.close();
  const store = await openStore(path, READ);
  const error = await store.getChunks(["a#0"]).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "STORE_FAILED" });
  expect(String(error)).toContain("the file is damaged. Make the index anew: docsearch index --rebuild");
  await store.close();
});

test.each([
  ["zeroes", Buffer.alloc(20_000)],
  ["another format", Buffer.from("GIF89a and more that is no database")],
])("in the folder of docsearch a file whose header is lost is set aside by recreate alone: %s", async (_, bytes) => {
  const path = join(dirname(newPath()), ".docsearch", "index.db");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  for (const options of [READ, WRITE]) {
    const error = await openStore(path, options).catch((reason: unknown) => reason);
    expect(String(error)).toContain(
      `${path} is a file of another kind and was left as it is; an index of docsearch was expected there. If it is one that was damaged, make it anew, which sets this file aside: docsearch index --rebuild`,
    );
  }
  await expectRebuilt(path);
  expect(readFileSync(`${path}.damaged`).equals(bytes)).toBe(true);
});

test("elsewhere a file that is no index is never moved", async () => {
  const path = newPath();
  writeFileSync(path, "my notes");
  const error = await openStore(path, RECREATE).catch((reason: unknown) => reason);
  expect(String(error)).toContain(
    "is a file of another kind and was left as it is; an index of docsearch was expected there. Set DOCS_STORE_URL to another path.",
  );
  expect(readFileSync(path, "utf8")).toBe("my notes");
});
