import type { IndexSchema, VectorStore } from "@docsearch/spec";
import { expect, test } from "vitest";
import { type StoreModelTestOptions, storeModelTest } from "../src/index.js";
import { UNTOUCHED_FILTERS } from "./saboteurs/filtering.js";
import { UNTOUCHED } from "./saboteurs/ranking.js";
import { openMemory } from "./saboteurs/saboteur.js";
import { SABOTEURS } from "./saboteurs.js";

type Open = (schema: IndexSchema) => Promise<VectorStore>;

/** Message of the first sequence that fails, if one does. */
async function firstFailure(open: Open, options: Partial<StoreModelTestOptions> = {}): Promise<string | undefined> {
  const tests: (() => Promise<void>)[] = [];
  storeModelTest({ test: (_, body) => tests.push(body), open, oracle: openMemory, ...options });
  for (const body of tests) {
    try {
      await body();
    } catch (error) {
      return (error as Error).message;
    }
  }
  return undefined;
}

test.each([
  ["the memory store", openMemory],
  ["the search that saboteurs of ranking change", UNTOUCHED.open],
  ["the filters that saboteurs of filtering change", UNTOUCHED_FILTERS.open],
])("random sequences find no difference in %s", async (_, open) => {
  expect(await firstFailure(open)).toBeUndefined();
});

test.each([
  "n counts dead chunks",
  "average lengths over dead chunks",
  "documents without chunks do not count",
  "ancestors count in documents",
  "documents match over all their chunks together",
  "documents of score 0 are dropped",
  "a repeated term's weights are summed",
  "halves are rounded",
  "a range leaves out its lower bound",
  "booleans match 0 and 1",
  "prefix by LIKE",
  "`not` wants the field",
  "text search filters chunks after the limit",
  "vector search filters after the limit",
  "listing filters after the limit",
  "text ties by insertion order",
  "documents are listed by UTF-8 bytes",
  "keep takes the vector at the same place",
  "keep leaves the old terms",
  "replace leaves chunks that are gone",
  "a failing batch is rolled back as a whole",
  "delete leaves the outline",
  "clear leaves the terms",
  "ids are normalised",
  "an outline has no parents",
])("random sequences catch, in at most five steps: %s", async (name) => {
  const { open } = SABOTEURS.find((saboteur) => saboteur.name === name)!;
  const message = await firstFailure(open);
  expect(message).toMatch(/^The store differs from the oracle \(seed 1, sequence \d+\) at step \d of:\n1\. \{"call":"/);
  expect(message!.match(/^\d+\. /gm)!.length).toBeLessThanOrEqual(5);
});

test("the same seed makes the same sequence, another seed another", async () => {
  const { open } = SABOTEURS.find(({ name }) => name === "text scores are negative")!;
  const messages = [];
  for (const seed of [7, 7, 8]) messages.push(await firstFailure(open, { seed, sequences: 1 }));
  expect(messages[0]).toContain("(seed 7, sequence 1)");
  expect(messages[1]).toBe(messages[0]);
  expect(messages[2]).not.toBe(messages[0]);
});

test("a store that loses a document when it is opened again is caught", async () => {
  const reopen = async (store: VectorStore): Promise<VectorStore> => {
    const [first] = await store.listDocuments({ limit: 1 });
    if (first !== undefined) await store.write([{ type: "delete", documentId: first.id }]);
    return store;
  };
  expect(await firstFailure(openMemory, { reopen })).toContain('. {"call":"reopen"}\n');
  expect(await firstFailure(openMemory, { reopen: async (store) => store })).toBeUndefined();
});
