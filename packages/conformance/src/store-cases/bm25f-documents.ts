import assert from "node:assert/strict";
import type { Bm25fParameters, LexicalQuery, TextHits, VectorStore } from "@docsearch/spec";
import { assertNear } from "../assertions.js";
import { and, lexicalFields, or, page, RANKING, type SearchSettings, searchText, term } from "../builders.js";
import { hasBm25f, type StoreCase } from "../store-case.js";
import { assertHits, MANUAL } from "./bm25f-expectations.js";

async function assertCeiling(
  store: VectorStore,
  query: LexicalQuery,
  expected: NonNullable<TextHits["ceiling"]>,
  settings: SearchSettings = {},
): Promise<void> {
  const { ceiling } = await searchText(store, query, settings);
  assert.ok(ceiling !== undefined, "a bm25f store says the ceiling");
  assertNear(ceiling.chunks, expected.chunks, 1e-6, "ceiling of chunks");
  assertNear(ceiling.documents, expected.documents, 1e-6, "ceiling of documents");
}

/** Length normalisation in title and path, so that a length counted for each chunk shows. */
const NORMALISED_TITLES: Bm25fParameters = {
  k1: 1.2,
  fields: { ...RANKING.fields, title: { weight: 3, b: 0.5 }, path: { weight: 2, b: 0.5 } },
};

/** Documents as a whole, and the ceiling that both lists are measured by. */
export const BM25F_DOCUMENT_CASES: readonly StoreCase[] = [
  {
    name: "bm25f: documents add up heading, body and code; title and path count once, ancestors not",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      const repeated = { title: "alpha beta", path: "src alpha" };
      await write(
        page("d", [
          { fields: lexicalFields({ ...repeated, body: "beta gamma" }) },
          { fields: lexicalFields({ ...repeated, ancestors: "alpha", heading: "delta", body: "gamma gamma gamma" }) },
          {
            fields: lexicalFields({
              ...repeated,
              ancestors: "alpha delta",
              heading: "alpha",
              body: "alpha",
              code: "alpha beta",
            }),
          },
        ]),
        page("e", [{ fields: lexicalFields({ title: "alpha", path: "lib", body: "alpha beta" }) }]),
        page("f", [{ words: "gamma" }]),
      );
      await assertHits(store, term("alpha"), {
        chunks: { "d#2": 0.577941586, "d#1": 0.550348313, "d#0": 0.510403677, "e#0": 0.48535319 },
        documents: { d: 0.914315742, e: 0.804228432 },
      });
      await assertHits(
        store,
        term("alpha"),
        {
          chunks: { "d#2": 0.574193085, "d#1": 0.541591002, "e#0": 0.498416564, "d#0": 0.490077867 },
          documents: { d: 0.891386193, e: 0.804228432 },
        },
        { ranking: NORMALISED_TITLES },
      );
    },
  },
  {
    name: "bm25f: a document without chunks counts among the documents",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(page("a", [{ words: "alpha beta" }]), page("b", []));
      await assertHits(store, term("alpha"), { chunks: { "a#0": 0.287682072 }, documents: { a: 0.544615642 } });
    },
  },
  {
    name: "bm25f: a document matches when one of its chunks does, and is scored over all of them",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(
        page("a", [{ words: "alpha beta" }, { words: "gamma" }]),
        page("b", [{ words: "alpha" }, { words: "beta" }]),
      );
      await assertHits(store, and(term("alpha"), term("beta")), {
        chunks: { "a#0": 1.191346717 },
        documents: { a: 0.345782263 },
      });
    },
  },
  {
    name: "bm25f: a document that matches by ancestors alone is listed with score 0",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(
        page("a", [{ fields: lexicalFields({ ancestors: "alpha", body: "beta" }) }]),
        page("b", [{ words: "alpha beta" }]),
      );
      await assertHits(store, term("alpha"), {
        chunks: { "a#0": 0.286505304, "b#0": 0.167128094 },
        documents: { b: 0.635384916, a: 0 },
      });
    },
  },
  {
    name: "bm25f: the ceiling is the score of every term without end, absent terms included",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await assertCeiling(store, term("hmr"), { chunks: 1.524923797, documents: 1.524923797 });
      await write(...MANUAL);
      const hmr = or(term("hmr"), term("api"));
      await assertCeiling(store, hmr, { chunks: 3.049847594, documents: 4.315648713 });
      await assertCeiling(store, and(term("hmr", 0.5), hmr, hmr), { chunks: 3.049847594, documents: 4.315648713 });
      const build = or(term("the", 0.2), term("build"), term("absent", 0.5));
      await assertCeiling(store, build, { chunks: 5.486568531, documents: 4.652011649 });
      await assertCeiling(store, or(), { chunks: 0, documents: 0 });
    },
  },
  {
    name: "bm25f: the ceiling depends on neither filter nor limit, but on k1",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(...MANUAL);
      const expected = { chunks: 0.784684877, documents: 1.034007984 };
      const filter = { op: "in", field: "id", values: ["guide/plugins"] } as const;
      await assertCeiling(store, term("hot"), expected, { filter });
      await assertCeiling(store, term("hot"), expected, { limit: 0 });
      const ranking = { ...RANKING, k1: 2 };
      await assertCeiling(store, term("hot"), { chunks: 1.070024832, documents: 1.410010888 }, { ranking });
    },
  },
  {
    name: "bm25f: the ceiling of documents leaves ancestors out",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(
        page("a", [{ fields: lexicalFields({ ancestors: "alpha", body: "beta" }) }]),
        page("b", [{ words: "alpha beta" }]),
      );
      await assertCeiling(store, term("alpha"), { chunks: 0.401107425, documents: 1.524923797 });
    },
  },
  {
    name: "bm25f: documents keep limit, filter and the order of equal scores",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      for (const id of ["c", "\uff21", "a", "\u{1f600}", "b"]) {
        await write(page(id, [{ words: "same" }, { words: "same" }], { collection: id === "a" ? "other" : "docs" }));
      }
      const ids = async (settings: SearchSettings): Promise<string[]> =>
        (await searchText(store, term("same"), settings)).documents.map((hit) => hit.documentId);
      assert.deepEqual(await ids({}), ["a", "b", "c", "\u{1f600}", "\uff21"]);
      assert.deepEqual(await ids({ limit: 2 }), ["a", "b"]);
      const filter = { op: "in", field: "collection", values: ["docs"] } as const;
      assert.deepEqual(await ids({ limit: 2, filter }), ["b", "c"]);
    },
  },
];
