import assert from "node:assert/strict";
import type { Bm25fParameters, DocumentChange, LexicalFields, LexicalQuery, VectorStore } from "@docsearch/spec";
import { assertScores } from "../assertions.js";
import {
  and,
  lexicalFields,
  or,
  page,
  RANKING,
  removal,
  type SearchSettings,
  searchText,
  term,
  weightedField,
} from "../builders.js";
import { hasBm25f, type StoreCase } from "../store-case.js";

// The expected scores were computed by a second implementation of the formula, not by a store.

/** Scores by id, in the order of the hits. */
type Scores = Readonly<Record<string, number>>;

async function assertHits(
  store: VectorStore,
  query: LexicalQuery,
  expected: { readonly chunks: Scores; readonly documents: Scores },
  settings: SearchSettings = {},
): Promise<void> {
  const { chunks, documents } = await searchText(store, query, settings);
  assertScores(
    chunks.map((hit) => [hit.chunkId, hit.score]),
    expected.chunks,
  );
  assertScores(
    documents.map((hit) => [hit.documentId, hit.score]),
    expected.documents,
  );
}

/** The expectation where each document has one chunk, `ID#0`, and a document scores like its chunk. */
function oneChunkEach(scores: Scores): { readonly chunks: Scores; readonly documents: Scores } {
  const chunks = Object.fromEntries(Object.entries(scores).map(([id, score]) => [`${id}#0`, score]));
  return { chunks, documents: scores };
}

/** Three pages of a manual, analysed: stemmed, with identifiers as a whole and in parts. */
const MANUAL: readonly DocumentChange[] = [
  page("guide/api-hmr", [
    {
      fields: lexicalFields({
        title: "hmr api",
        path: "guide apihmr api hmr",
        body: "hmr api the hot api let a modul accept updat",
      }),
    },
    {
      fields: lexicalFields({
        title: "hmr api",
        path: "guide apihmr api hmr",
        heading: "hot accept",
        body: "hot accept call it to accept hmr updat",
      }),
    },
  ]),
  page("guide/plugins", [
    {
      fields: lexicalFields({
        title: "plugin",
        path: "guide plugin",
        body: "plugin a plugin may handl hot updat with handlehotupdat handl hot updat",
      }),
    },
  ]),
  page("guide/build", [
    { fields: lexicalFields({ title: "build", path: "guide build", body: "build run the build to make a bundl" }) },
  ]),
];

/** Length normalisation in title and path, so that a length counted for each chunk shows. */
const NORMALISED_TITLES: Bm25fParameters = {
  k1: 1.2,
  fields: { ...RANKING.fields, title: { weight: 3, b: 0.5 }, path: { weight: 2, b: 0.5 } },
};

export const BM25F_CASES: readonly StoreCase[] = [
  {
    name: "bm25f: scores of a small manual",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(...MANUAL);
      await assertHits(store, or(term("hmr"), term("api")), {
        chunks: { "guide/api-hmr#0": 2.570221304, "guide/api-hmr#1": 2.503537134 },
        documents: { "guide/api-hmr": 3.656114358 },
      });
      await assertHits(store, or(term("hot"), term("updat")), {
        chunks: { "guide/api-hmr#1": 0.979265518, "guide/plugins#0": 0.934734336, "guide/api-hmr#0": 0.703255314 },
        documents: { "guide/api-hmr": 1.420950613, "guide/plugins": 1.30539214 },
      });
      await assertHits(store, or(term("the", 0.2), term("build")), {
        chunks: { "guide/build#0": 2.413925039, "guide/api-hmr#0": 0.136667699 },
        documents: { "guide/build": 1.963029615, "guide/api-hmr": 0.084318248 },
      });
    },
  },
  {
    name: "bm25f: occurrences and lengths of a half count as a half",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(
        page("a", [{ fields: lexicalFields({ body: weightedField({ alpha: 0.5 }, 1.5) }) }]),
        page("b", [{ fields: lexicalFields({ body: weightedField({ alpha: 1 }, 1.5) }) }]),
        page("c", [{ words: "beta beta" }]),
      );
      await assertHits(store, term("alpha"), oneChunkEach({ b: 0.483181301, a: 0.315246337 }));
    },
  },
  {
    name: "bm25f: large occurrences and lengths are not capped",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      const body = (occurrences: number, length: number): { readonly fields: LexicalFields } => {
        return { fields: lexicalFields({ body: weightedField({ alpha: occurrences }, length) }) };
      };
      await write(
        page("a", [body(1000.5, 70_000.5)]),
        page("b", [body(3, 70_000.5)]),
        page("c", [body(300, 100)]),
        page("d", [{ fields: lexicalFields({ body: weightedField({ beta: 1 }, 4.5) }) }]),
      );
      await assertHits(store, term("alpha"), oneChunkEach({ a: 0.783276384, c: 0.783114177, b: 0.490519513 }));
    },
  },
  {
    name: "bm25f: a field is as long as it says, not as the sum of its occurrences",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(
        page("a", [{ fields: lexicalFields({ body: weightedField({ alpha: 1 }, 1) }) }]),
        page("b", [{ fields: lexicalFields({ body: weightedField({ alpha: 1 }, 4) }) }]),
      );
      await assertHits(store, term("alpha"), oneChunkEach({ a: 0.217993166, b: 0.156682588 }));
    },
  },
  {
    name: "bm25f: average lengths are over all chunks, those included whose field is empty",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(
        page("a", [{ words: "alpha beta" }]),
        page("b", [{ fields: lexicalFields({ title: "gamma" }) }]),
        page("c", [{ words: "beta beta beta beta" }]),
      );
      await assertHits(store, term("alpha"), oneChunkEach({ a: 0.980829253 }));
    },
  },
  {
    name: "bm25f: what was replaced, deleted or cleared counts in no score",
    applies: hasBm25f,
    body: async ({ store, write, settle }) => {
      await write(page("x", [{ words: "alpha alpha alpha" }, { words: "alpha" }]));
      await store.clear();
      await settle();
      await write(
        page("a", [{ words: "alpha beta" }]),
        page("b", [{ words: "alpha alpha alpha gamma" }, { words: "alpha" }]),
        page("c", [{ words: "alpha delta delta delta delta" }]),
      );
      await write(page("b", [{ words: "gamma" }]), removal("c"));
      await assertHits(store, term("alpha"), oneChunkEach({ a: 0.635384916 }));
    },
  },
  {
    name: "bm25f: a filter changes no score",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(...MANUAL);
      const filter = { op: "in", field: "id", values: ["guide/plugins"] } as const;
      await assertHits(
        store,
        or(term("hot"), term("updat")),
        { chunks: { "guide/plugins#0": 0.934734336 }, documents: { "guide/plugins": 1.30539214 } },
        { filter },
      );
    },
  },
  {
    name: "bm25f: a term's weight multiplies its score",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(
        page("a", [{ words: "alpha beta" }]),
        page("b", [{ words: "alpha gamma gamma" }]),
        page("c", [{ words: "beta" }]),
      );
      const single: Scores = { a: 0.470003629, b: 0.413603194 };
      const triple: Scores = { a: 1.410010888, b: 1.240809581 };
      await assertHits(store, term("alpha"), oneChunkEach(single));
      await assertHits(store, term("alpha", 3), oneChunkEach(triple));
      const mixed: Scores = { a: 1.175009073, b: 0.827206387, c: 0.272107364 };
      await assertHits(store, or(term("alpha", 2), term("beta", 0.5)), oneChunkEach(mixed));
    },
  },
  {
    name: "bm25f: a term that a query names several times counts once, with its largest weight",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(
        page("a", [{ words: "alpha beta" }]),
        page("b", [{ words: "alpha gamma gamma" }]),
        page("c", [{ words: "beta" }]),
      );
      const query = or(term("alpha", 0.5), term("alpha", 2), and(term("alpha"), term("beta", 0.25)), term("beta"));
      await assertHits(store, query, oneChunkEach({ a: 1.410010888, b: 0.827206387, c: 0.544214729 }));
    },
  },
  {
    name: "bm25f: the parameters are those of the search",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(
        page("a", [{ fields: lexicalFields({ title: "alpha", body: "beta gamma gamma gamma" }) }]),
        page("b", [{ fields: lexicalFields({ title: "beta delta", body: "alpha" }) }]),
        page("c", [{ fields: lexicalFields({ path: "beta" }) }]),
      );
      const query = or(term("alpha"), term("beta"));
      await assertHits(store, query, oneChunkEach({ a: 0.835211692, b: 0.73739014, c: 0.183605665 }));
      const ranking: Bm25fParameters = {
        k1: 2,
        fields: {
          title: { weight: 0.5, b: 0.75 },
          ancestors: { weight: 1, b: 0 },
          heading: { weight: 1, b: 0 },
          path: { weight: 4, b: 0.5 },
          body: { weight: 2, b: 1 },
          code: { weight: 1, b: 0 },
        },
      };
      await assertHits(store, query, oneChunkEach({ b: 0.931331077, a: 0.399823995, c: 0.200297089 }), { ranking });
    },
  },
  {
    name: "bm25f: each field counts with its own weight",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      const fields = ["title", "ancestors", "heading", "path", "body", "code"] as const;
      await write(
        ...fields.map((name, i) => page("abcdef"[i]!, [{ fields: lexicalFields({ [name]: "alpha" }) }])),
        page("g", [{ fields: lexicalFields({ body: "beta beta", code: "beta" }) }]),
      );
      const ranking: Bm25fParameters = {
        k1: 1.2,
        fields: {
          title: { weight: 1, b: 0 },
          ancestors: { weight: 6, b: 0 },
          heading: { weight: 2, b: 0 },
          path: { weight: 5, b: 0 },
          body: { weight: 3, b: 0 },
          code: { weight: 4, b: 0 },
        },
      };
      const { chunks } = await searchText(store, term("alpha"), { ranking });
      assertScores(
        chunks.map((hit) => [hit.chunkId, hit.score]),
        {
          "b#0": 0.380672169,
          "d#0": 0.368392421,
          "f#0": 0.351389694,
          "e#0": 0.32629043,
          "c#0": 0.285504127,
          "a#0": 0.207639365,
        },
      );
    },
  },
  {
    name: "bm25f: terms count also in clauses that the chunk does not meet",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(
        page("a", [{ words: "alpha gamma" }]),
        page("b", [{ words: "alpha beta" }]),
        page("c", [{ words: "gamma delta" }]),
      );
      await assertHits(
        store,
        or(and(term("alpha"), term("beta")), term("gamma")),
        oneChunkEach({ b: 1.450832882, a: 0.940007258, c: 0.470003629 }),
      );
    },
  },
  {
    name: "bm25f: a term that no chunk holds changes nothing",
    applies: hasBm25f,
    body: async ({ store, write }) => {
      await write(page("a", [{ words: "alpha beta" }]), page("b", [{ words: "gamma" }]));
      await assertHits(store, or(term("alpha"), term("none", 9)), oneChunkEach({ a: 0.635384916 }));
    },
  },
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
