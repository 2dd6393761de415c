import { storeConformance, storeModelTest } from "@docsearch/conformance";
import { memoryStore } from "@docsearch/core";
import type { IndexSchema, VectorStore } from "@docsearch/spec";
import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, test } from "vitest";
import { pgvectorStore } from "../src/index.js";
import { newSchema, startPglite, WRITE } from "./support.js";

let pglite: PGlite;
beforeAll(async () => {
  pglite = await startPglite();
}, 60_000);
afterAll(() => pglite.close());

describe("in process, vectors as vector and compared exactly", () => {
  const schemas = new Map<VectorStore, string>();
  const openIn = async (schema: string, index: IndexSchema): Promise<VectorStore> => {
    const store = await pgvectorStore({ pglite, schema, vectorType: "vector", vectorIndex: "exact" }).open(
      index,
      WRITE,
    );
    schemas.set(store, schema);
    return store;
  };

  storeConformance({ test, open: (index) => openIn(newSchema(), index) });

  storeModelTest({
    test,
    sequences: 25,
    open: (index) => openIn(newSchema(), index),
    oracle: (index) => memoryStore().open(index, WRITE),
    reopen: async (store) => {
      await store.close();
      return openIn(schemas.get(store)!, store.schema);
    },
  });
});
