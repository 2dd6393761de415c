import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { durableStoreConformance } from "@docsearch/conformance";
import type { IndexSchema, OpenOptions, VectorStore } from "@docsearch/spec";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pgvectorStore } from "../src/index.js";
import { newSchema, page, READ, SCHEMA, term, textIds, vectorIds, WRITE } from "./support.js";

const folder = mkdtempSync(join(tmpdir(), "docsearch-pglite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Starting Postgres takes seconds, so the suite has one for all, over a folder, and a schema for each location. That an
// index is whole when the folder is opened again is tested below.
let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create({ dataDir: join(folder, "suite"), extensions: { vector } });
}, 60_000);
afterAll(() => pglite.close());

describe("in one folder", () => {
  durableStoreConformance({
    test,
    open: (location, schema, options) => pgvectorStore({ pglite, schema: location }).open(schema, options),
    location: async () => newSchema(),
  });
});

function openAt(url: string, schema: IndexSchema = SCHEMA, options: OpenOptions = WRITE): Promise<VectorStore> {
  return pgvectorStore({ url }).open(schema, options);
}

test("a folder is made by a writer and not by a reader, is of one process at a time, and is whole when it is opened again", async () => {
  const path = join(folder, "deep", "er");
  await expect(openAt(path, SCHEMA, READ)).rejects.toMatchObject({
    code: "INDEX_MISSING",
    details: { location: path, command: "docsearch index" },
  });
  expect(existsSync(path)).toBe(false);
  const store = await openAt(path);
  expect(store.capabilities).toEqual({
    lexical: "bm25f",
    vector: "approximate",
    vectorTolerance: 1e-5,
    atomicity: "document",
    durable: true,
    multiProcess: false,
  });
  await store.write([page("a", [{ words: "alpha", vector: [0, 1, 0, 0] }])]);
  const failing = [page("b", [{ words: "alpha" }]), page("a", [{ words: "alpha", vector: [0, 0, 0, 0] }])];
  await expect(store.write(failing)).rejects.toMatchObject({ code: "VECTOR_INVALID" });
  // This process opens it as often as it likes, another one not at all.
  const beside = await openAt(path, SCHEMA, READ);
  expect(await textIds(beside, term("alpha"))).toEqual(["a#0", "b#0"]);
  expect(await openElsewhere(path)).toBe(`INDEX_LOCKED process ${process.pid}`);
  await store.close();
  expect(await textIds(beside, term("alpha"))).toEqual(["a#0", "b#0"]);
  expect(await openElsewhere(path)).toBe(`INDEX_LOCKED process ${process.pid}`);
  const [, again] = await Promise.all([beside.close(), openAt(path)]);
  await again.close();
  // The lock of a process that is gone counts for nothing.
  expect(existsSync(`${path}.lock`)).toBe(false);
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(`${path}.lock`, String(pid));

  await expect(openAt(path, { ...SCHEMA, chunking: "other" })).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
  const reader = await openAt(path, SCHEMA, READ);
  expect(await textIds(reader, term("alpha"))).toEqual(["a#0", "b#0"]);
  expect(await vectorIds(reader, [0, 1, 0, 0])).toEqual(["a#0"]);
  expect(await reader.check()).toEqual({ faults: [] });
  await reader.close();
}, 240_000);

/** What becomes of opening a folder in a process of its own. */
async function openElsewhere(path: string): Promise<string> {
  const child = fork(join(import.meta.dirname, "fixtures", "process.mjs"), ["open", path]);
  const [answer] = (await once(child, "message")) as [string];
  await once(child, "exit");
  return answer;
}

test("a folder with other files is left alone", async () => {
  const path = join(folder, "photos");
  mkdirSync(path);
  writeFileSync(join(path, "cat.jpg"), "");
  await expect(openAt(path)).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: `${path} holds something else than a PGlite database and was left as it is. Set DOCS_STORE_URL to another folder.`,
  });
});

test("memory:// keeps nothing, and has nothing to read", async () => {
  await expect(openAt("memory://", SCHEMA, READ)).rejects.toMatchObject({
    code: "INDEX_MISSING",
    details: { location: "memory://" },
  });
  const store = await openAt("memory://");
  expect(store.capabilities.durable).toBe(false);
  await store.write([page("a", [{ words: "alpha", vector: [1, 0, 0, 0] }])]);
  expect(await vectorIds(store, [1, 0, 0, 0])).toEqual(["a#0"]);
  await store.close();
}, 60_000);
