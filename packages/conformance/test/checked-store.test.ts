import { isDocsearchError, type VectorStore } from "@docsearch/spec";
import { expect, test } from "vitest";
import { page, RANKING, removal, SCHEMA, term } from "../src/builders.js";
import { checkedStore, storeConformance } from "../src/index.js";
import { redTests } from "./doubles/collect.js";
import { openMemory } from "./saboteurs/saboteur.js";
import { SABOTEURS } from "./saboteurs.js";

test("a right store passes the suite inside the wrapper", async () => {
  const open = async (schema: typeof SCHEMA): Promise<VectorStore> => checkedStore(await openMemory(schema));
  expect(await redTests((collect) => storeConformance({ test: collect, open }))).toEqual([]);
});

test("errors of the store pass through", async () => {
  const store = checkedStore(await openMemory(SCHEMA));
  await expect(store.write([page("d", [{ vector: "keep" }])])).rejects.toMatchObject({ code: "CHUNK_MISSING" });
  await store.close();
  await expect(store.stats()).rejects.toMatchObject({ code: "CLOSED" });
});

/** Calls of every kind, none of which expects anything. */
async function use(store: VectorStore): Promise<void> {
  const outline = [
    { heading: "b", level: 1, anchor: "b", line: 1 },
    { heading: "a", level: 2, anchor: "a", line: 2, parent: 0 },
  ];
  await store.write([
    page(
      "b",
      [
        { words: "red red", vector: [1, 0, 0, 0] },
        { words: "Red no_de", vector: [1, 0, 0, 0] },
      ],
      { outline },
    ),
    page("a", [{ words: "red", vector: [-3, 0, 0, 0] }, { words: "blue" }, { words: "red", vector: [1, 0, 0, 0] }]),
    page("c", [{ words: "red" }, { words: "green" }]),
  ]);
  await store.write([removal("c"), removal("no"), page("e", [{ words: "red" }]), page("f", [{ words: "red" }])]);
  await store.write([page("e", [{ words: "red" }])]);
  for (const limit of [0, 1, 10]) {
    await store.searchText({ query: term("red"), ranking: RANKING, limit });
    await store.searchVector({ vector: Float32Array.of(2, 0, 0, 0), limit });
    await store.listDocuments({ limit, after: "a" });
    await store.listTerms({ prefix: "r", limit });
  }
  await store.getChunks(["b#0", "no", "a#1"]);
  await store.getDocuments(["b", "no", "a"]);
  await store.getChunkIds("a");
  await store.getOutline("b");
  await store.stats();
  await store.close();
  for (const call of [() => store.stats(), () => store.getChunks(["a#0"])]) {
    await call().catch((error: unknown) => {
      if (!isDocsearchError(error, "CLOSED")) throw error;
    });
  }
}

test("the calls below find no fault in a right store", async () => {
  await use(checkedStore(await openMemory(SCHEMA)));
});

test.each([
  "text ties backwards",
  "document ties backwards",
  "vector ties backwards",
  "text hits worst first",
  "the limit on chunks is ignored",
  "a limit of 0 means no limit",
  "a vector limit of 0 gives one hit",
  "the query is not normalised",
  "the cursor is inclusive",
  "the prefix of terms ignores case",
  "getChunks leaves out misses",
  "getChunks answers in the order of the rows",
  "an outline is ordered by heading",
  "the result counts chunks that are new",
  "bm25 stores list documents",
  "the store can be used after close",
  "a closed store answers reads from a cache",
  "a closed store throws the driver's error",
  "capabilities change",
])("caught: %s", async (name) => {
  const { open } = SABOTEURS.find((saboteur) => saboteur.name === name)!;
  await expect(use(checkedStore(await open(SCHEMA)))).rejects.toMatchObject({ name: "AssertionError" });
});
