import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { durableStoreConformance, storeConformance, storeModelTest } from "@docsearch/conformance";
import { memoryStore } from "@docsearch/core";
import type { IndexSchema, OpenOptions, VectorStore } from "@docsearch/spec";
import { afterAll, describe, test } from "vitest";
import { type SqliteStoreOptions, sqliteStore } from "../src/index.js";

const WRITE: OpenOptions = { mode: "write", onMismatch: "error" };

const folder = mkdtempSync(join(tmpdir(), "docsearch-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const newPath = (): string => join(folder, `${++count}`, "index.db");

describe.each<SqliteStoreOptions>([
  { lexicalIndex: "postings", vectorIndex: "int8" },
  { lexicalIndex: "fts5", vectorIndex: "int8" },
  { lexicalIndex: "postings", vectorIndex: "signs" },
  { lexicalIndex: "postings", vectorIndex: "vec0" },
])("$lexicalIndex and $vectorIndex", (options) => {
  const paths = new Map<VectorStore, string>();
  const openAt = async (path: string, schema: IndexSchema, open = WRITE): Promise<VectorStore> => {
    const store = await sqliteStore({ ...options, path }).open(schema, open);
    paths.set(store, path);
    return store;
  };

  storeConformance({ test, open: (schema) => openAt(newPath(), schema) });

  durableStoreConformance({ test, open: openAt, location: async () => newPath() });

  storeModelTest({
    test,
    open: (schema) => openAt(newPath(), schema),
    oracle: (schema) => memoryStore().open(schema, WRITE),
    reopen: async (store) => {
      await store.close();
      return openAt(paths.get(store)!, store.schema);
    },
  });
});
