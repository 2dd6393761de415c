import { storeConformance, storeModelTest } from "@docsearch/conformance";
import type { IndexSchema, VectorStore } from "@docsearch/spec";
import { expect, test } from "vitest";
import { memoryStore } from "../src/memory-store/memory-store.js";

function open(schema: IndexSchema): Promise<VectorStore> {
  return memoryStore().open(schema, { mode: "write", onMismatch: "error" });
}

storeConformance({ test, open });

test("as an oracle, the memory store convicts a store that forgets to apply one filter", async () => {
  const openBroken = async (schema: IndexSchema): Promise<VectorStore> => {
    const store = await open(schema);
    const searchVector = store.searchVector.bind(store);
    store.searchVector = ({ vector, limit }) => searchVector({ vector, limit });
    return store;
  };
  const messages: string[] = [];
  const bodies: (() => Promise<void>)[] = [];
  storeModelTest({ test: (_, body) => bodies.push(body), open: openBroken, oracle: open, sequences: 10 });
  for (const body of bodies) await body().catch((error: Error) => messages.push(error.message));
  expect(messages.length).toBeGreaterThan(0);
  // Shrunk to one write and the search.
  expect(messages[0]).toMatch(
    /^The store differs .*\n1\. \{"call":"write".*\n2\. \{"call":"searchVector".*"filter".*\n/,
  );
});
