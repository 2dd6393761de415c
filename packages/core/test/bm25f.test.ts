import type { Bm25fParameters, LexicalField, LexicalFields } from "@docsearch/spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bm25f,
  bm25fCeiling,
  documentFields,
  holdsTerm,
  inverseDocumentFrequency,
  lexicalStatistics,
  saturate,
  termWeights,
} from "../src/memory-store/bm25f.js";
import { withDocumentScore } from "../src/search/document-share.js";

const RANKING: Bm25fParameters = {
  k1: 1.2,
  fields: {
    title: { weight: 3, b: 0 },
    ancestors: { weight: 3, b: 0 },
    heading: { weight: 3, b: 0 },
    path: { weight: 2, b: 0 },
    body: { weight: 1, b: 0.5 },
    code: { weight: 1, b: 0.5 },
  },
};

function words(text: string): LexicalField {
  const terms = new Map<string, number>();
  const list = text.split(" ");
  for (const word of list) terms.set(word, (terms.get(word) ?? 0) + 1);
  return { terms, length: list.length };
}

// Three pages in four chunks.
const TITLE = { title: words("hmr api"), path: words("guide apihmr api hmr") };
const HMR: LexicalFields = { ...TITLE, body: words("hmr api the hot api let a modul accept updat") };
const ACCEPT: LexicalFields = {
  ...TITLE,
  heading: words("hot accept"),
  body: words("hot accept call it to accept hmr updat"),
};
const PLUGINS: LexicalFields = {
  title: words("plugin"),
  path: words("guide plugin"),
  body: words("plugin a plugin may handl hot updat with handlehotupdat handl hot updat"),
};
const BUILD: LexicalFields = {
  title: words("build"),
  path: words("guide build"),
  body: words("build run the build to make a bundl"),
};
const CHUNKS = [HMR, ACCEPT, PLUGINS, BUILD];
const PAGES = [documentFields([HMR, ACCEPT]), documentFields([PLUGINS]), documentFields([BUILD])];

function values(units: readonly LexicalFields[], weights: Readonly<Record<string, number>>): number[] {
  const query = new Map(Object.entries(weights));
  const statistics = lexicalStatistics(units, query.keys());
  return units.map((fields) => bm25f(fields, query, statistics, RANKING));
}

function scores(units: readonly LexicalFields[], weights: Readonly<Record<string, number>>): string[] {
  return values(units, weights).map((value) => value.toFixed(4));
}

test("chunks of a small manual", () => {
  expect(scores(CHUNKS, { hmr: 1, api: 1 })).toEqual(["2.5702", "2.5035", "0.0000", "0.0000"]);
  expect(scores(CHUNKS, { hot: 1, updat: 1 })).toEqual(["0.7033", "0.9793", "0.9347", "0.0000"]);
  expect(scores(CHUNKS, { the: 0.2, build: 1 })).toEqual(["0.1367", "0.0000", "0.0000", "2.4139"]);
});

test("pages of a small manual", () => {
  expect(scores(PAGES, { hmr: 1, api: 1 })).toEqual(["3.6561", "0.0000", "0.0000"]);
  expect(scores(PAGES, { hot: 1, updat: 1 })).toEqual(["1.4210", "1.3054", "0.0000"]);
  expect(scores(PAGES, { the: 0.2, build: 1 })).toEqual(["0.0843", "0.0000", "1.9630"]);
});

test("the parts of a score: occurrences by their fields, and lengths against the average", () => {
  // 1 / (.5 + .5 * 10 / 9.5) = .9744; hmr 3 + 2 + .9744 = 5.9744; api 3 + 2 + 2 * .9744 = 6.9487.
  const bodyNorm = 1 / (0.5 + (0.5 * 10) / 9.5);
  expect(bodyNorm).toBeCloseTo(0.9744, 4);
  expect(Math.LN2 * saturate(5.9744, 1.2)).toBeCloseTo(1.2699, 4);
  expect(Math.LN2 * saturate(6.9487, 1.2)).toBeCloseTo(1.3004, 4);
  expect(scores(CHUNKS, { hmr: 1 })[0]).toBe("1.2699");
  expect(scores(CHUNKS, { api: 1 })[0]).toBe("1.3004");
});

test("a page of the list: its own score and that of its best chunk", () => {
  const pageOf = ["hmr", "hmr", "plugins", "build"];
  const pages = (weights: Readonly<Record<string, number>>): Record<string, number> => {
    const chunks = values(CHUNKS, weights).map((score, index) => ({
      chunkId: String(index),
      documentId: pageOf[index] as string,
      score,
    }));
    const documents = values(PAGES, weights).map((score, index) => ({
      documentId: ["hmr", "plugins", "build"][index] as string,
      score,
    }));
    // Best first, so the first of each page is its best chunk.
    const best = new Map<string, number>();
    for (const { documentId, score } of withDocumentScore({ chunks, documents })) {
      if (!best.has(documentId)) best.set(documentId, Number(score.toFixed(4)));
    }
    return Object.fromEntries(best);
  };
  expect(pages({ hmr: 1, api: 1 })).toEqual({ hmr: 6.2263, plugins: 0, build: 0 });
  expect(pages({ hot: 1, updat: 1 })).toEqual({ hmr: 2.4002, plugins: 2.2401, build: 0 });
  expect(pages({ the: 0.2, build: 1 })).toEqual({ hmr: 0.221, plugins: 0, build: 4.377 });
});

test("statistics count units, units with each term, and lengths of empty fields", () => {
  const statistics = lexicalStatistics([...CHUNKS, {}], ["hmr", "hot", "absent"]);
  expect(statistics.units).toBe(5);
  expect([...statistics.unitsWith]).toEqual([
    ["hmr", 2],
    ["hot", 3],
    ["absent", 0],
  ]);
  expect(statistics.averageLengths).toEqual({ title: 1.2, ancestors: 0, heading: 0.4, path: 2.4, body: 7.6, code: 0 });
  expect(lexicalStatistics([], ["hmr"])).toEqual({
    units: 0,
    unitsWith: new Map([["hmr", 0]]),
    averageLengths: { title: 0, ancestors: 0, heading: 0, path: 0, body: 0, code: 0 },
  });
});

test("idf is ln(1 + (N - n + .5) / (n + .5))", () => {
  expect(inverseDocumentFrequency(4, 2)).toBeCloseTo(Math.LN2, 12);
  expect(inverseDocumentFrequency(3, 1)).toBeCloseTo(0.980829253, 9);
  expect(inverseDocumentFrequency(1, 1)).toBeCloseTo(0.287682072, 9);
});

test("idf is positive and falls with n", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), fc.nat(), (units, n) => {
      const with_ = n % units;
      const [more, less] = [inverseDocumentFrequency(units, with_), inverseDocumentFrequency(units, with_ + 1)];
      expect(less).toBeGreaterThan(0);
      expect(more).toBeGreaterThan(less);
    }),
  );
});

test("saturation rises from 0 to k1 + 1", () => {
  expect(saturate(0, 1.2)).toBe(0);
  expect(saturate(1.2, 1.2)).toBeCloseTo(1.1, 12);
  expect(saturate(1e12, 1.2)).toBeCloseTo(2.2, 9);
});

test("a field that is empty everywhere is no division by zero", () => {
  const unit: LexicalFields = { body: { terms: new Map([["a", 1]]), length: 0 } };
  const statistics = lexicalStatistics([unit], ["a"]);
  // Every length is the average: tf 1, idf ln(4 / 3).
  expect(bm25f(unit, new Map([["a", 1]]), statistics, RANKING)).toBeCloseTo(0.287682072, 9);
});

test("the ceiling counts every term of the query, absent ones included", () => {
  const ceiling = (units: readonly LexicalFields[], weights: Readonly<Record<string, number>>): number => {
    const query = new Map(Object.entries(weights));
    return bm25fCeiling(query, lexicalStatistics(units, query.keys()), RANKING);
  };
  expect(ceiling(CHUNKS, { hmr: 1, api: 1 })).toBeCloseTo(3.049847594, 8);
  expect(ceiling(PAGES, { hmr: 1, api: 1 })).toBeCloseTo(4.315648713, 8);
  expect(ceiling(CHUNKS, { the: 0.2, build: 1, absent: 0.5 })).toBeCloseTo(5.486568531, 8);
  expect(ceiling([], { hmr: 1 })).toBeCloseTo(2.2 * Math.LN2, 8);
  expect(ceiling(CHUNKS, {})).toBe(0);
});

test("the distinct terms of a query, each with its largest weight", () => {
  const term = (name: string, weight: number) => ({ op: "term", term: name, weight }) as const;
  const query = {
    op: "and",
    clauses: [term("a", 0.5), { op: "or", clauses: [term("b", 1), term("a", 2)] }, term("b", 0.2), term("a", 1)],
  } as const;
  expect([...termWeights(query)]).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
  expect([...termWeights({ op: "or", clauses: [] })]).toEqual([]);
});

test("a term is held by any field", () => {
  expect(holdsTerm(ACCEPT, "accept")).toBe(true);
  expect(holdsTerm({ ancestors: words("above") }, "above")).toBe(true);
  expect(holdsTerm(ACCEPT, "Accept")).toBe(false);
  expect(holdsTerm({}, "")).toBe(false);
});

test("document fields add up headings, body and code, and count title and path once", () => {
  const fields = documentFields([
    { title: words("a b"), path: words("p"), ancestors: words("above"), heading: words("h"), body: words("x y") },
    { title: words("a b"), path: words("p"), heading: words("h i"), body: words("x"), code: words("x") },
    {},
  ]);
  expect(fields).toEqual({
    title: words("a b"),
    path: words("p"),
    heading: words("h h i"),
    body: words("x y x"),
    code: words("x"),
  });
});

const field = fc
  .tuple(fc.dictionary(fc.constantFrom("a", "b", "c"), fc.integer({ min: 1, max: 9 })), fc.integer({ min: 1, max: 20 }))
  .map(
    ([terms, length]): LexicalField => ({
      terms: new Map(Object.entries(terms).map(([term, halves]) => [term, halves / 2])),
      length: length / 2,
    }),
  );
const unit = fc.record(
  { title: field, heading: field, path: field, body: field, code: field },
  { requiredKeys: [] },
) as fc.Arbitrary<LexicalFields>;

test("a score is the sum of its terms' scores, and proportional to their weights", () => {
  fc.assert(
    fc.property(
      fc.array(unit, { minLength: 1, maxLength: 8 }),
      fc.double({ min: 0.1, max: 9, noNaN: true }),
      (units, weight) => {
        const statistics = lexicalStatistics(units, ["a", "b"]);
        const score = (weights: [string, number][]): number => bm25f(units[0]!, new Map(weights), statistics, RANKING);
        const [a, b] = [score([["a", 1]]), score([["b", 1]])];
        expect(
          score([
            ["a", weight],
            ["b", 1],
          ]),
        ).toBeCloseTo(weight * a + b, 9);
      },
    ),
  );
});

test("one more occurrence never lowers a score", () => {
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 8 }), (units) => {
      const [first, ...others] = units as [LexicalFields, ...LexicalFields[]];
      const body = first.body ?? { terms: new Map<string, number>(), length: 1 };
      const before: LexicalFields = { ...first, body: { ...body, terms: new Map([...body.terms, ["a", 1]]) } };
      const after: LexicalFields = { ...first, body: { ...body, terms: new Map([...body.terms, ["a", 1.5]]) } };
      const score = (fields: LexicalFields): number =>
        bm25f(fields, new Map([["a", 1]]), lexicalStatistics([fields, ...others], ["a"]), RANKING);
      expect(score(after)).toBeGreaterThan(score(before));
    }),
  );
});

test("a document of one chunk scores like its chunk when it has no ancestors", () => {
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 8 }), (units) => {
      const weights = new Map([
        ["a", 1],
        ["b", 0.5],
      ]);
      const documents = units.map((fields) => documentFields([fields]));
      const ofChunks = lexicalStatistics(units, weights.keys());
      const ofDocuments = lexicalStatistics(documents, weights.keys());
      units.forEach((fields, i) => {
        expect(bm25f(documents[i]!, weights, ofDocuments, RANKING)).toBeCloseTo(
          bm25f(fields, weights, ofChunks, RANKING),
          12,
        );
      });
    }),
  );
});

test("no unit scores above the ceiling", () => {
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 8 }), (units) => {
      const weights = new Map([
        ["a", 1],
        ["b", 0.5],
        ["absent", 2],
      ]);
      const statistics = lexicalStatistics(units, weights.keys());
      const ceiling = bm25fCeiling(weights, statistics, RANKING);
      for (const fields of units) expect(bm25f(fields, weights, statistics, RANKING)).toBeLessThan(ceiling);
    }),
  );
});
