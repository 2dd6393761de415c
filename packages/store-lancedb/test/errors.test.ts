import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { IndexSchema } from "@docsearch/spec";
import { expect, test } from "vitest";
import { importError, isConflict, storeError } from "../src/errors.js";
import { type LancedbStoreOptions, lancedbStore, provider } from "../src/index.js";
import { retryConflicts } from "../src/retry.js";
import { inside } from "./inside.js";
import { page, READ, REBUILD, RECREATE, SCHEMA, temporaryFolders, term, textIds, WRITE } from "./support.js";

const newFolder = temporaryFolders();
const PLACES = "a folder, s3://bucket/prefix, gs://bucket/prefix or az://container/prefix";

test.each<[LancedbStoreOptions, string]>([
  [{ url: "postgres://me:secret@host/db" }, `url is "postgres://..."; it must be ${PLACES}.`],
  [{ url: "db://cloud" }, `url is "db://..."; it must be ${PLACES}.`],
  [{ url: "s3://" }, `url is "s3://..."; it must be ${PLACES}.`],
  [{ url: "s3://key:secret@bucket/x" }, `url is "s3://..."; it must be ${PLACES}.`],
  [{ url: "" }, `url is ""; it must be ${PLACES}.`],
  [{ exactLimit: 0 }, 'exactLimit is "0"; it must be a whole number from 1 on.'],
  [{ vectorIndex: "hnsw" as "exact" }, 'vectorIndex is "hnsw"; it must be one of ivf_rq, exact.'],
])("%j is refused", (options, message) => {
  expect(() => lancedbStore(options)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID", message }));
});

test.each([
  [{ DOCS_STORE_URL: "memory://" }, `DOCS_STORE_URL is "memory://..."; it must be ${PLACES}.`],
  [{ DOCS_LANCEDB_VECTOR_INDEX: "pq" }, 'DOCS_LANCEDB_VECTOR_INDEX is "pq"; it must be one of ivf_rq, exact.'],
  [
    { DOCS_LANCEDB_STORAGE_OPTIONS: '{"secret": 1}' },
    'DOCS_LANCEDB_STORAGE_OPTIONS must be a JSON object of texts such as {"endpoint": "http://127.0.0.1:9000"}.',
  ],
  [
    { DOCS_LANCEDB_STORAGE_OPTIONS: "secret" },
    'DOCS_LANCEDB_STORAGE_OPTIONS must be a JSON object of texts such as {"endpoint": "http://127.0.0.1:9000"}.',
  ],
])("the environment names its variables: %j", (env, message) => {
  expect(() => provider.fromEnv(env)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID", message }));
});

test("an empty variable counts as unset", () => {
  const empty = {
    DOCS_STORE_URL: " ",
    DOCS_LANCEDB_VECTOR_INDEX: "",
    DOCS_LANCEDB_STORAGE_OPTIONS: "",
    AWS_REGION: "",
  };
  expect(provider.fromEnv(empty).name).toBe("lancedb");
});

test("a package that is missing, and one that does not load, are told apart", () => {
  const missing = Object.assign(new Error("Cannot find module"), { code: "MODULE_NOT_FOUND" });
  const install = "npm install @lancedb/lancedb@0.31.0 apache-arrow@18.1.0";
  expect(importError(missing)).toMatchObject({
    code: "BACKEND_NOT_INSTALLED",
    message: `An index in LanceDB needs @lancedb/lancedb, which is not installed as a whole. Run: ${install}`,
    details: { package: "@lancedb/lancedb", install },
  });
  expect(importError(new Error("invalid ELF header"))).toMatchObject({
    code: "BACKEND_LOAD_FAILED",
    message: "@lancedb/lancedb is there but did not load: invalid ELF header",
  });
});

test.each([
  ["lance error: LanceError(IO): No space left on device (os error 28), /src/x.rs:1", "the disk is full. Free space"],
  ["Permission denied (os error 13)", "the folder may not be written or read. Change its rights"],
  ["Generic S3 error: NoSuchBucket", "there is no such bucket. Make it, or correct DOCS_STORE_URL"],
  ["Generic S3 error: error sending request for url", "the object store cannot be reached. Check the network"],
  ["Not found: x/chunk.lance/data/1.lance", "is missing or damaged. Make it anew: docsearch index --rebuild"],
])("what LanceDB reports says what mends it: %s", (message, expected) => {
  const error = storeError("write", "/place", new Error(message)) as Error;
  expect(error).toMatchObject({ code: "STORE_FAILED", details: { operation: "write" } });
  expect(error.message).toContain(`write failed on /place: `);
  expect(error.message).toContain(expected);
  expect(error.message).not.toContain("/src/");
});

test("a commit that another one overtook is a conflict", () => {
  expect(
    isConflict(new Error("lance error: Retryable commit conflict for version 7: preempted by concurrent transaction")),
  ).toBe(true);
  expect(isConflict(new Error("lance error: Too many concurrent writers"))).toBe(true);
  expect(isConflict(new Error("lance error: No space left on device"))).toBe(false);
});

test("a commit that others overtake at every try is given up", async () => {
  let tries = 0;
  const commit = async (): Promise<never> => {
    tries++;
    throw new Error("lance error: Retryable commit conflict for version 7");
  };
  await expect(retryConflicts("/place", commit)).rejects.toMatchObject({
    code: "INDEX_LOCKED",
    message:
      "The index in /place was changed by other processes at every one of 6 tries, and this change was not made. Let one process write at a time, then try again.",
  });
  expect(tries).toBe(6);
  await expect(retryConflicts("/place", async () => Promise.reject(new Error("disk full")))).rejects.toThrow(
    "disk full",
  );
}, 30_000);

test("there is nothing to read where nothing was written, and nothing is made", async () => {
  const url = newFolder();
  for (const place of [url, join(url, "deeper")]) {
    await expect(lancedbStore({ url: place }).open(SCHEMA, READ)).rejects.toMatchObject({
      code: "INDEX_MISSING",
      details: { location: place, command: "docsearch index" },
    });
    mkdirSync(place, { recursive: true });
    await expect(lancedbStore({ url: place }).open(SCHEMA, READ)).rejects.toMatchObject({ code: "INDEX_MISSING" });
  }
});

test("a file, and a folder with other files, are left alone", async () => {
  const folder = newFolder();
  mkdirSync(folder);
  writeFileSync(join(folder, "cat.jpg"), "");
  for (const [url, what] of [
    [folder, "a folder of something else"],
    [join(folder, "cat.jpg"), "a file"],
  ] as const) {
    for (const options of [READ, WRITE, RECREATE]) {
      await expect(lancedbStore({ url }).open(SCHEMA, options)).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: `${url} is ${what} and was left as it is; an index in LanceDB was expected there. Set DOCS_STORE_URL to another folder.`,
      });
    }
  }
});

test.each([
  [1, "Make the index anew"],
  [9, "Use the version of docsearch that wrote it, or make it anew"],
])("an index of format %i is refused, and made anew beside it or with recreate", async (format, mend) => {
  for (const options of [RECREATE, REBUILD]) {
    const url = newFolder();
    const writer = await lancedbStore({ url }).open(SCHEMA, WRITE);
    await writer.write([page("a", [{ words: "alpha" }])]);
    await writer.close();
    const { connection, generation } = await inside(url);
    const catalog = await connection.openTable("catalog");
    // As version 1 had it, without the models.
    const entry = JSON.stringify({ format, current: { name: generation, schema: SCHEMA } });
    await catalog.update({ where: "TRUE", values: { entry } });
    for (const mode of [READ, WRITE]) {
      await expect(lancedbStore({ url }).open(SCHEMA, mode)).rejects.toMatchObject({
        code: "INDEX_FORMAT",
        message: `The index in ${url} has format ${format}; format 2 is asked for. ${mend}: docsearch index --rebuild`,
        details: { stored: `format ${format}`, supported: "format 2", command: "docsearch index --rebuild" },
      });
    }
    const anew = await lancedbStore({ url }).open(SCHEMA, options);
    await anew.write([page("b", [{ words: "beta" }])]);
    await (options === REBUILD ? anew.publish!() : anew.close());
    const store = await lancedbStore({ url }).open(SCHEMA, READ);
    expect(await textIds(store, term("beta"))).toEqual(["b#0"]);
    await store.close();
  }
});

test("vectors whose dimensions no index packs are compared exactly", async () => {
  const schema: IndexSchema = { ...SCHEMA, embedding: { id: "odd@1", dimensions: 5 } };
  const store = await lancedbStore({ url: newFolder(), exactLimit: 1 }).open(schema, WRITE);
  expect(store.capabilities.vector).toBe("exact");
  await store.write(Array.from({ length: 20 }, (_, i) => page(`d${i}`, [{ words: "x", vector: [1, i, 0, 0, 1] }])));
  await expect(store.searchVector({ vector: Float32Array.of(1, 0, 0), limit: 1 })).rejects.toMatchObject({
    code: "VECTOR_INVALID",
    details: { reason: "dimensions", expected: 5, actual: 3 },
  });
  await store.close();
});

test.each([
  ["document", "chunks = chunks + 1", "Document a should have 3 chunks, and names 2."],
  ["chunk", "terms = 9", "Chunk 0 of document a has 9 terms, and 1 postings."],
  ["chunk", "id = 'x'", "Chunk x is not one that its document a names."],
  ["chunk", "revision = 'x'", "Chunk 0 of document a is there 0 times."],
  ["posting", "chunks = 9", 'The postings of "alpha" in segment'],
  ["vector", "has_vector = 0", "Whether chunk a#0 has a vector of test@1 is noted wrongly."],
  ["vector", "id = 'x'", "There is a vector of test@1 for chunk x, which document a does not name."],
  ["vector", "id = 'a#1'", "Chunk a#1 has more than one vector of test@1."],
] as const)("check finds what does not agree: %s %s", async (table, change, fault) => {
  const url = newFolder();
  const store = await lancedbStore({ url }).open(SCHEMA, WRITE);
  await store.write([page("a", [{ words: "alpha", vector: [1, 0, 0, 0] }, { words: "alpha" }])]);
  const { target } = await inside(url);
  const [column, expression] = change.split(" = ");
  const changed = table === "vector" ? target.vectors[0]!.table : target.tables[table];
  await changed.update({ where: "TRUE", valuesSql: { [column!]: expression! } });
  // A commit to `document` is what readers look for.
  await store.write([page("b", [])]);
  const { faults } = await store.check();
  expect(faults.some((each) => each.includes(fault))).toBe(true);
  expect(await textIds(store, term("nothing"))).toEqual([]);
  await store.close();
});
