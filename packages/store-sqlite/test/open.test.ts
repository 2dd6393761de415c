import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDocsearchError } from "@docsearch/spec";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { type Driver, loadDriver } from "../src/driver.js";
import { provider, sqliteStore } from "../src/index.js";
import { openStore, page, READ, RECREATE, SCHEMA, temporaryPaths, term, textIds, vectorIds, WRITE } from "./support.js";

const newPath = temporaryPaths();

async function errorOf(promise: Promise<{ close(): Promise<void> }>): Promise<unknown> {
  return promise.then(
    async (store) => {
      await store.close();
      return undefined;
    },
    (error: unknown) => error,
  );
}

async function filled(options = {}): Promise<string> {
  const path = newPath();
  const store = await openStore(path, WRITE, options);
  await store.write([page("a", [{ words: "alpha", vector: [1, 0, 0, 0] }])]);
  await store.close();
  return path;
}

test("creating a store touches nothing", () => {
  const path = newPath();
  const { name, specVersion } = sqliteStore({ path });
  expect([name, specVersion]).toEqual(["sqlite", 1]);
  expect(() => readFileSync(path)).toThrow("ENOENT");
});

test("opening for writing makes the folder", async () => {
  const path = join(newPath(), "a", "b", "index.db");
  await (await openStore(path)).close();
  expect(readFileSync(path).toString("latin1", 0, 15)).toBe("SQLite format 3");
});

test("closing leaves one file behind", async () => {
  const path = await filled();
  for (const suffix of ["-wal", "-shm", "-journal"]) expect(() => readFileSync(path + suffix)).toThrow("ENOENT");
});

test("the provider takes the path from DOCS_STORE_URL", async () => {
  const path = await filled();
  const store = await provider.fromEnv({ DOCS_STORE_URL: path }).open(SCHEMA, READ);
  expect(await textIds(store, term("alpha"))).toEqual(["a#0"]);
  await store.close();
  expect([provider.kind, provider.name, provider.specVersion]).toEqual(["store", "sqlite", 1]);
  expect(provider.fromEnv({ DOCS_STORE_URL: "" }).name).toBe("sqlite");
});

test("an unknown engine is refused by name", () => {
  const options = { vectorIndex: "hnsw" as "int8" };
  expect(() => sqliteStore(options)).toThrow('vectorIndex is "hnsw"; it must be one of int8, signs, vec0.');
});

test("reading where there is no index names the command that makes one", async () => {
  const path = newPath();
  const error = await errorOf(openStore(path, READ));
  expect(error).toMatchObject({ code: "INDEX_MISSING", details: { location: path, command: "docsearch index" } });
  expect(() => readFileSync(path)).toThrow("ENOENT");
});

test("opening for reading writes nothing", async () => {
  const path = await filled();
  const before = readFileSync(path);
  const store = await openStore(path, READ);
  await textIds(store, term("alpha"));
  await store.close();
  expect(readFileSync(path).equals(before)).toBe(true);
});

test("an empty file is no index for readers, and becomes one for writers", async () => {
  const path = newPath();
  writeFileSync(path, "");
  for (const open of [READ, { ...READ, onMismatch: "recreate" } as const]) {
    const error = await errorOf(openStore(path, open));
    expect(error).toMatchObject({
      code: "INDEX_FORMAT",
      details: { stored: "empty file", supported: "format 3", command: "docsearch index --rebuild" },
    });
  }
  await (await openStore(path)).close();
  await (await openStore(path, READ)).close();
});

test.each([
  ["database of another program", (path: string) => new Database(path).exec("CREATE TABLE t (x)").close()],
  ["database of another program", (path: string) => new Database(path).exec("PRAGMA application_id = 7").close()],
  ["file of another kind", (path: string) => writeFileSync(path, "# Notes\n")],
  ["file of another kind", (path: string) => writeFileSync(path, Buffer.alloc(8192))],
  ["folder", (path: string) => void mkdirSync(path)],
])("a %s is refused and left as it is, with recreate too", async (kind, make) => {
  const path = newPath();
  make(path);
  const before = kind === "folder" ? undefined : readFileSync(path);
  for (const open of [READ, WRITE, RECREATE]) {
    const error = await errorOf(openStore(path, open));
    expect(error).toMatchObject({ code: "STORE_FAILED", details: { operation: "open" } });
    expect(String(error)).toContain(`is a ${kind} and was left as it is`);
  }
  if (before !== undefined) expect(readFileSync(path).equals(before)).toBe(true);
});

test("an index that is damaged at its start is refused by name", async () => {
  const path = await filled();
  const bytes = readFileSync(path);
  bytes.fill(0xff, 100, 4000);
  writeFileSync(path, bytes);
  const error = await errorOf(openStore(path, READ));
  expect(error).toMatchObject({ code: "STORE_FAILED" });
  expect(String(error)).toContain("the file is damaged. Make the index anew: docsearch index --rebuild");
});

test("an index of a later format is refused, and made anew with recreate", async () => {
  const path = await filled();
  const database = new Database(path);
  database.exec("PRAGMA user_version = 99; DROP TABLE meta; CREATE TABLE later (x); CREATE VIEW v AS SELECT 1");
  database.close();
  for (const open of [READ, WRITE]) {
    expect(await errorOf(openStore(path, open))).toMatchObject({
      code: "INDEX_FORMAT",
      details: { stored: "format 99", supported: "format 3", command: "docsearch index --rebuild" },
    });
  }
  const store = await openStore(path, RECREATE);
  expect(await store.stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
  await store.write([page("b", [{ words: "beta" }])]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});

test("an index of another layout is refused, and made anew with recreate", async () => {
  const layouts = [
    { lexicalIndex: "postings", vectorIndex: "int8" },
    { lexicalIndex: "fts5", vectorIndex: "int8" },
    { lexicalIndex: "postings", vectorIndex: "vec0" },
    { lexicalIndex: "fts5", vectorIndex: "vec0" },
  ] as const;
  for (const made of layouts) {
    for (const wanted of layouts) {
      if (made === wanted) continue;
      const path = await filled(made);
      const error = await errorOf(openStore(path, WRITE, wanted));
      const vectors = made.vectorIndex === "vec0" ? "vec0" : "blocks";
      expect(error).toMatchObject({
        code: "INDEX_FORMAT",
        details: { stored: `format 3, text as ${made.lexicalIndex}, vectors as ${vectors}` },
      });
      const store = await openStore(path, RECREATE, wanted);
      await store.write([page("b", [{ words: "beta", vector: [1, 0, 0, 0] }])]);
      expect(await textIds(store, term("alpha"))).toEqual([]);
      expect(await textIds(store, term("beta"))).toEqual(["b#0"]);
      expect(await store.check()).toEqual({ faults: [] });
      await store.close();
    }
  }
});

test("int8 and signs read the same index", async () => {
  const path = await filled({ vectorIndex: "int8" });
  const store = await openStore(path, WRITE, { vectorIndex: "signs" });
  await store.write([page("b", [{ vector: [0, 1, 0, 0] }])]);
  await store.close();
  const again = await openStore(path, READ, { vectorIndex: "int8" });
  expect(await vectorIds(again, [0, 1, 0, 0])).toEqual(["b#0", "a#0"]);
  await again.close();
});

test("without an embedder the vector index is of no matter", async () => {
  const path = newPath();
  const schema = { ...SCHEMA, embedding: null };
  await (await openStore(path, WRITE, { vectorIndex: "vec0" }, schema)).close();
  const store = await openStore(path, READ, { vectorIndex: "int8" }, schema);
  expect(store.capabilities).toEqual({
    lexical: "bm25f",
    vector: "exact",
    vectorTolerance: 0,
    atomicity: "document",
    durable: true,
    multiProcess: true,
  });
  await store.close();
});

test("a reader notices that the index was made anew as another one", async () => {
  const path = await filled();
  const reader = await openStore(path, READ);
  expect(await textIds(reader, term("alpha"))).toEqual(["a#0"]);
  await (await openStore(path, RECREATE)).close();
  expect(await textIds(reader, term("alpha"))).toEqual(["a#0"]);
  const other = { ...SCHEMA, embedding: { id: "other@1", dimensions: 8 } };
  await (await openStore(path, RECREATE, {}, other)).close();
  await expect(textIds(reader, term("alpha"))).rejects.toMatchObject({
    code: "INDEX_MISMATCH",
    details: { stored: other, requested: SCHEMA },
  });
  await reader.close();
});

test("a mismatch names both embedders and their sizes", async () => {
  const path = await filled();
  const error = await errorOf(openStore(path, READ, {}, { ...SCHEMA, embedding: { id: "unit-b", dimensions: 5 } }));
  expect(String(error)).toContain("made with embedder test@1 of 4 dimensions");
  expect(String(error)).toContain("asked for with embedder unit-b of 5 dimensions");
});

test("a driver that does not load gives way to the one in Node", async () => {
  const builtIn: Driver = { name: "built in", open: () => expect.fail() };
  const failing = () => Promise.reject(new Error("no"));
  expect((await loadDriver(failing, () => builtIn)).name).toBe("built in");
});

test.each([
  [
    Object.assign(new Error("x"), { code: "ERR_MODULE_NOT_FOUND" }),
    "it is not installed. Run: npm install better-sqlite3",
  ],
  [
    new Error("was compiled against a different Node.js version using NODE_MODULE_VERSION 127."),
    "it was built for another version of Node. Run: npm rebuild better-sqlite3",
  ],
  [
    new Error("Could not locate the bindings file. Tried: ..."),
    "it was installed without its native part, because install scripts were off. Run: npm rebuild better-sqlite3",
  ],
  [new Error("invalid ELF header"), "invalid ELF header"],
])("without any driver the error says what to do: %s", async (cause, hint) => {
  const error = await loadDriver(
    () => Promise.reject(cause),
    () => undefined,
  ).catch((reason: unknown) => reason);
  expect(isDocsearchError(error, "BACKEND_LOAD_FAILED")).toBe(true);
  expect(error).toMatchObject({ details: { package: "better-sqlite3" }, cause });
  expect(String(error)).toContain(hint);
});

test("a removed file is made again by the next writer", async () => {
  const path = await filled();
  rmSync(path);
  const store = await openStore(path);
  expect(await store.stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
  await store.close();
});

test("recreate sets a damaged index aside and makes a new one; without it the damage is an error", async () => {
  const path = await filled();
  const bytes = readFileSync(path);
  // The header stays, so the file is still one of ours; the pages behind it are not.
  bytes.fill(0xa5, 8192 * 2);
  writeFileSync(path, bytes);
  const store = await openStore(path, RECREATE);
  expect(await store.stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
  await store.write([page("b", [{ words: "beta", vector: [1, 0, 0, 0] }])]);
  expect((await store.check()).faults).toEqual([]);
  await store.close();
  expect(readFileSync(`${path}.damaged`).equals(bytes)).toBe(true);
});

test("the environment chooses the indexes, and a value that is none is refused with its variable", async () => {
  const path = newPath();
  const store = await provider
    .fromEnv({ DOCS_STORE_URL: path, DOCS_SQLITE_LEXICAL_INDEX: "fts5", DOCS_SQLITE_VECTOR_INDEX: "vec0" })
    .open(SCHEMA, WRITE);
  expect(store.capabilities.lexical).toBe("bm25");
  await store.close();
  expect(() => provider.fromEnv({ DOCS_SQLITE_VECTOR_INDEX: "hnsw" })).toThrow(
    'DOCS_SQLITE_VECTOR_INDEX is "hnsw"; it must be one of int8, signs, vec0.',
  );
});

test("the address of a server is refused before a folder is made of it, and its password is not told", () => {
  const open = (): unknown => sqliteStore({ path: "postgres://user:secret@host/db" });
  expect(open).toThrow(
    /^The store sqlite got an address that begins with postgres:\/\/; it takes the path of a file\./,
  );
  expect(open).not.toThrow(/secret/);
});
