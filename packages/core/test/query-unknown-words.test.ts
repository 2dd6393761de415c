import type { TermCount } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { createAnalyzer } from "../src/analyzer/analyze.js";
import { addTerms, analyzeQuery } from "../src/analyzer/query.js";
import { correctUnknown, type TermLookup } from "../src/analyzer/unknown-words.js";

const analyzer = createAnalyzer();

function lookupIn(counts: Record<string, number>): TermLookup {
  const terms = Object.keys(counts).sort();
  return async (prefix, limit) =>
    terms
      .filter((term) => term.startsWith(prefix))
      .slice(0, limit)
      .map((term): TermCount => ({ term, chunks: counts[term]! }));
}

async function correct(query: string, counts: Record<string, number>) {
  const corrections = await correctUnknown(analyzeQuery(analyzer, query).terms, lookupIn(counts));
  return corrections.map(({ surface, kind, terms }) => [
    surface,
    kind,
    ...terms.map(({ term, weight }) => `${term} ${weight.toFixed(3)}`),
  ]);
}

describe("spelling", () => {
  test("a swap and a replacement share the weight", async () => {
    expect(await correct("recieve", { receiv: 9, reliev: 4 })).toEqual([
      ["recieve", "spelling", "receiv 0.495", "reliev 0.495"],
    ]);
  });

  test.each([
    ["a missing letter", "conection", { connect: 3 }, "connect"],
    ["an additional letter", "bufffer", { buffer: 3 }, "buffer"],
    ["a replaced letter", "bubfer", { buffer: 3 }, "buffer"],
    ["swapped neighbours", "bufefr", { buffer: 3 }, "buffer"],
    ["the first two letters swapped", "ubffer", { buffer: 3 }, "buffer"],
    ["the last letter", "buffet", { buffer: 3 }, "buffer"],
  ])("%s", async (_, query, counts, expected) => {
    expect(await correct(query, counts)).toEqual([[query, "spelling", `${expected} 0.700`]]);
  });

  test("the three most frequent, equal ones in code unit order", async () => {
    expect(await correct("bats", { bat: 1 })).toEqual([]);
    expect(await correct("worx", { word: 5, work: 9, worm: 5, worn: 2 })).toEqual([
      ["worx", "spelling", "work 0.404", "word 0.404", "worm 0.404"],
    ]);
  });

  test.each([
    ["seen once", "buffre", { buffer: 1 }],
    ["another first letter", "duffer", { buffer: 5 }],
    ["two edits away", "bufre", { buffer: 5 }],
    ["shorter than four letters", "cta", { cat: 5 }],
    ["a number, another script", "12345 буффео", { "12346": 5, буффер: 5 }],
    ["a stop word", "what", { wheat: 5, "what's": 5 }],
    ["known, however rare", "bufer", { buffer: 5, bufer: 1 }],
    ["the whole of an identifier", "useEfect", { useeffect: 5, use: 5, efect: 1 }],
  ])("not: %s", async (_, query, counts) => {
    expect(await correct(query, counts)).toEqual([]);
  });

  test("parts of identifiers are corrected", async () => {
    expect(await correct("useEfect", { use: 3, effect: 3 })).toEqual([["Efect", "spelling", "effect 0.700"]]);
  });
});

describe("completion", () => {
  test("the five most frequent that begin with the word, when no spelling is found", async () => {
    const counts = { configur: 9, configfil: 1, configload: 2, configmap: 3, configset: 4, configtool: 5, conf: 7 };
    expect(await correct("config", counts)).toEqual([
      [
        "config",
        "completion",
        "configur 0.400",
        "configtool 0.400",
        "configset 0.400",
        "configmap 0.400",
        "configload 0.400",
      ],
    ]);
  });

  test("a single letter of a script without blanks becomes the pairs that begin with it", async () => {
    expect(await correct("猫", { 猫咪: 2, 猫科: 1, 白猫: 3 })).toEqual([
      ["猫", "completion", "猫咪 0.400", "猫科 0.400"],
    ]);
  });
});

test("the corrections widen the query, and what was typed stays in it", async () => {
  const analyzed = analyzeQuery(analyzer, "the recieve");
  const corrections = await correctUnknown(analyzed.terms, lookupIn({ the: 5, receiv: 9 }));
  const { terms } = addTerms(
    analyzed,
    corrections.flatMap((correction) => correction.terms),
  );
  expect(terms.map(({ term }) => term)).toEqual(["the", "=the", "reciev", "=recieve", "receiv"]);
});

test("at most eight words are corrected, and a failing lookup rejects", async () => {
  const nonsense = Array.from({ length: 20 }, (_, index) => `bufe${"abcdefghijklmnopqrst"[index]}`);
  const counts = Object.fromEntries(nonsense.map((word) => [`${word}z`, 2]));
  expect(await correct(nonsense.join(" "), counts)).toHaveLength(8);
  const { terms } = analyzeQuery(analyzer, "buffer");
  await expect(correctUnknown(terms, () => Promise.reject(new Error("closed")))).rejects.toThrow("closed");
});
