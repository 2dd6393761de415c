import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { durableStoreConformance, storeConformance, storeModelTest } from "@docsearch/conformance";
import { createRegistry, memoryStore } from "@docsearch/core";
import type { IndexSchema, OpenOptions, VectorStore } from "@docsearch/spec";
import { afterAll, expect, test } from "vitest";
import { jsonStore } from "./json-store.mjs";

const WRITE: OpenOptions = { mode: "write", onMismatch: "error" };

const folder = mkdtempSync(join(tmpdir(), "docsearch-custom-store-"));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
const newPath = (): string => join(folder, `${++count}.json`);
const open = (schema: IndexSchema): Promise<VectorStore> => jsonStore({ path: newPath() }).open(schema, WRITE);

storeConformance({ test, open });

durableStoreConformance({
  test,
  location: async () => newPath(),
  open: (path, schema, options) => jsonStore({ path }).open(schema, options),
});

storeModelTest({ test, open, sequences: 20, oracle: (schema) => memoryStore().open(schema, WRITE) });

test("the environment selects it by its path", async () => {
  const { fromEnv } = await createRegistry({ root: import.meta.dirname }).load("store", "./json-store.mjs");
  const path = newPath();
  const schema = { embedding: null, chunking: "none", analyzer: "none" };
  const store = await fromEnv({ DOCS_STORE_URL: path }).open(schema, WRITE);
  expect(store.name).toBe("json");
  await store.close();
  await (await jsonStore({ path }).open(schema, { mode: "read", onMismatch: "error" })).close();
});
