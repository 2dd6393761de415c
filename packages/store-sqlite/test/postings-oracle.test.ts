import { memoryStore } from "@docsearch/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyChange, anyCollection, anyQuery } from "../../../tools/store-tests/arbitraries.js";
import { openStore, page, RANKING, removal, SCHEMA, temporaryPaths, term, WRITE } from "./support.js";

const newPath = temporaryPaths();

const change = anyChange({ occurrences: 7, length: 90 });

test("scores and orders are those of the memory store to the last bit, over many small writes and merges", async () => {
  const writes = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 40 });
  const searches = fc.array(fc.tuple(anyQuery, anyCollection, fc.constantFrom(1, 3, 1000)), {
    minLength: 5,
    maxLength: 10,
  });
  await fc.assert(
    fc.asyncProperty(writes, searches, async (batches, list) => {
      const store = await openStore(newPath());
      const oracle = await memoryStore().open(SCHEMA, WRITE);
      try {
        for (const batch of batches) expect(await store.write(batch)).toEqual(await oracle.write(batch));
        for (const [tree, condition, limit] of list) {
          const search = { query: tree, ranking: RANKING, limit, ...(condition && { filter: condition }) };
          expect(await store.searchText(search)).toEqual(await oracle.searchText(search));
        }
        const terms = { prefix: "", limit: 100 };
        expect(await store.listTerms(terms)).toEqual(await oracle.listTerms(terms));
        expect(await store.check()).toEqual({ faults: [] });
      } finally {
        await store.close();
        await oracle.close();
      }
    }),
    { numRuns: 40 },
  );
});

test("frequent terms, which are remembered between searches, score alike each time and anew after a write", async () => {
  const store = await openStore(newPath());
  const oracle = await memoryStore().open(SCHEMA, WRITE);
  const pages = Array.from({ length: 300 }, (_, d) =>
    page(
      `d${d}`,
      Array.from({ length: 5 }, (_, i) => ({
        words: `the ${d % 3 === 0 ? "of " : ""}${i % 2 === 0 ? "the " : ""}w${d}`,
      })),
    ),
  );
  const query = { op: "or", clauses: [term("the", 0.2), term("w7", 1), term("of", 0.2)] } as const;
  for (const batch of [pages, [page("d7", [{ words: "the w7" }]), removal("d9")], [page("new", [{ words: "of" }])]]) {
    await store.write(batch);
    await oracle.write(batch);
    for (const k1 of [1.2, 0.9, 0.9, 1.2]) {
      const search = { query, ranking: { ...RANKING, k1 }, limit: 50 };
      expect(await store.searchText(search)).toEqual(await oracle.searchText(search));
    }
  }
  await store.close();
  await oracle.close();
});
