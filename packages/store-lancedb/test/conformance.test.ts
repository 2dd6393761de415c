import { durableStoreConformance, storeConformance, storeModelTest } from "@docsearch/conformance";
import { memoryStore } from "@docsearch/core";
import type { IndexSchema, VectorStore } from "@docsearch/spec";
import { describe, test } from "vitest";
import { lancedbStore } from "../src/index.js";
import { temporaryFolders, WRITE } from "./support.js";

const newFolder = temporaryFolders();

describe("in a folder", () => {
  const folders = new Map<VectorStore, string>();
  const openAt = async (url: string, schema: IndexSchema): Promise<VectorStore> => {
    const store = await lancedbStore({ url }).open(schema, WRITE);
    folders.set(store, url);
    return store;
  };

  storeConformance({ test, open: (schema) => openAt(newFolder(), schema) });

  durableStoreConformance({
    test,
    location: async () => newFolder(),
    open: (url, schema, options) => lancedbStore({ url }).open(schema, options),
  });

  storeModelTest({
    test,
    sequences: 15,
    open: (schema) => openAt(newFolder(), schema),
    oracle: (schema) => memoryStore().open(schema, WRITE),
    reopen: async (store) => {
      const url = folders.get(store)!;
      await store.close();
      return openAt(url, store.schema);
    },
  });
});
