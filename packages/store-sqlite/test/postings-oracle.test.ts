import { memoryStore } from "@docsearch/core";
import {
  type DocumentChange,
  type Filter,
  LEXICAL_FIELDS,
  type LexicalFields,
  type LexicalQuery,
} from "@docsearch/spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openStore, page, RANKING, removal, SCHEMA, temporaryPaths, term, WRITE } from "./support.js";

const newPath = temporaryPaths();

const anyTerm = fc.constantFrom("a", "b", "c", "d", "e", "rare", "\u{1f600}", "\uff21");

const lexicalField = fc
  .tuple(
    fc.uniqueArray(fc.tuple(anyTerm, fc.integer({ min: 1, max: 7 })), { maxLength: 6, selector: ([name]) => name }),
    fc.integer({ min: 1, max: 90 }),
  )
  .map(([terms, length]) => ({
    terms: new Map(terms.map(([name, halves]) => [name, halves / 2])),
    length: length / 2,
  }));

const fields: fc.Arbitrary<LexicalFields> = fc
  .record(Object.fromEntries(LEXICAL_FIELDS.map((name) => [name, lexicalField])), { requiredKeys: [] })
  .map((record) => record as LexicalFields);

const documentId = fc.integer({ min: 0, max: 11 }).map((n) => `d${n}`);

const change: fc.Arbitrary<DocumentChange> = fc.oneof(
  { weight: 1, arbitrary: documentId.map(removal) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(documentId, fc.array(fields, { maxLength: 6 }), fc.constantFrom("docs", "api"))
      .map(([id, chunks, collection]) =>
        page(
          id,
          chunks.map((each) => ({ fields: each })),
          { collection },
        ),
      ),
  },
);

const query: fc.Arbitrary<LexicalQuery> = fc.letrec<{ tree: LexicalQuery }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.record({ op: fc.constant("term" as const), term: anyTerm, weight: fc.constantFrom(0, 0.2, 1, 1.5) }),
    fc.record({ op: fc.constantFrom("or" as const, "and" as const), clauses: fc.array(tie("tree"), { maxLength: 5 }) }),
  ),
})).tree;

const filter: fc.Arbitrary<Filter | undefined> = fc.constantFrom(undefined, {
  op: "in",
  field: "collection",
  values: ["api"],
} as const);

test("scores and orders are those of the memory store to the last bit, over many small writes and merges", async () => {
  const writes = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 40 });
  const searches = fc.array(fc.tuple(query, filter, fc.constantFrom(1, 3, 1000)), { minLength: 5, maxLength: 10 });
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
