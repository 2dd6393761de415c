import type { Bm25fParameters, LexicalFields } from "@docsearch/spec";
import { assertScores } from "../assertions.js";
import { and, lexicalFields, or, page, removal, searchText, term, weightedField } from "../builders.js";
import { hasBm25f, type StoreCase } from "../store-case.js";
import { assertHits, MANUAL, oneChunkEach, type Scores } from "./bm25f-expectations.js";

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
];
