import type { LexicalQuery } from "@docsearch/spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAnalyzer } from "../src/analyzer/analyze.js";
import { addTerms, analyzeQuery, highlightTerms, MAX_QUERY_LENGTH } from "../src/analyzer/query.js";
import { STOP_WORDS } from "../src/analyzer/stop-words.js";

const analyzer = createAnalyzer();
const analyze = (text: string) => analyzeQuery(analyzer, text);

/** Terms with their weights when these are not 1; exact forms left out. */
function weights(text: string): string {
  return analyze(text)
    .terms.filter((term) => term.class !== "exact")
    .map(({ term, weight }) => (weight === 1 ? term : `${term}(${weight})`))
    .join(" ");
}

function leaves(query: LexicalQuery): { term: string; weight: number }[] {
  return query.op === "term" ? [query] : query.clauses.flatMap(leaves);
}

describe("weights", () => {
  test.each([
    ["How do I use useEffect?", "how(0.2) do(0.2) i(0.2) use useeffect effect"],
    ["Don't repeat users' naïve Cafés", "dont repeat user naiv cafe"],
    ["C++ and C# code", "c++ and(0.2) c# code"],
    ["state-of-the-art pre-processing", "stateoftheart(0.5) state of(0.2) the(0.2) art preprocess(0.5) pre process"],
    ["Node.js 3.11.2", "node.js(0.5) node js 3.11.2(0.5) 3 11 2"],
    ["getHTTPResponseCode_v2", "gethttpresponsecodev2 get http respons code v 2"],
    ["to be or not to be", "to be or not"],
    ["THE", "the"],
    ["Can it be?", "can it be"],
    ["error: not found", "error not found"],
    ["TypeError: x is not a function", "typeerror type error x is not a function"],
    ["TS2304: Cannot find name", "ts2304 ts 2304 cannot find name"],
    ["error[E0308]: mismatched types", "error e0308 e 0308 mismatch type"],
    ["what is an error in a test", "what(0.2) is(0.2) an(0.2) error in(0.2) a(0.2) test"],
  ])("%s", (text, expected) => {
    expect(weights(text)).toBe(expected);
  });

  test("exact forms weigh .15, of stop words a fifth of that", () => {
    const exact = analyze("the Routing").terms.filter((term) => term.class === "exact");
    expect(exact.map(({ term, weight }) => [term, weight])).toEqual([
      ["=the", 0.15 * 0.2],
      ["=routing", 0.15],
    ]);
    expect(analyze("the").terms.find((term) => term.class === "exact")?.weight).toBe(0.15);
  });

  test("a term that comes several times counts once, with its largest weight", () => {
    expect(weights("node.js node-js nodejs")).toBe("node.js(0.5) node js nodej");
    const terms = analyze("useState use state STATE").terms.map(({ term }) => term);
    expect(new Set(terms).size).toBe(terms.length);
  });

  test("terms know what they stand for", () => {
    expect(analyze("the useEffect").terms.map(({ term, surface, isStopWord }) => [term, surface, isStopWord])).toEqual([
      ["the", "the", true],
      ["=the", "the", true],
      ["useeffect", "useEffect", false],
      ["use", "use", false],
      ["effect", "Effect", false],
    ]);
  });

  test("the stop list has 130 words", () => {
    expect(STOP_WORDS.size).toBe(130);
  });
});

describe("the tree", () => {
  test("any of the terms", () => {
    expect(analyze("use C#").query).toEqual({
      op: "or",
      clauses: [
        { op: "term", term: "use", weight: 1 },
        { op: "term", term: "=use", weight: 0.15 },
        { op: "term", term: "c#", weight: 1 },
      ],
    });
  });

  test("the words of a quoted phrase are required, and count once", () => {
    const { query, requiredTerms, phrases } = analyze('x "hot hot useEffect"');
    expect(phrases).toEqual(["hot hot useEffect"]);
    expect(requiredTerms).toEqual(["hot", "useeffect"]);
    expect(query).toEqual({
      op: "and",
      clauses: [
        { op: "term", term: "hot", weight: 0 },
        { op: "term", term: "useeffect", weight: 0 },
        {
          op: "or",
          clauses: [
            { op: "term", term: "x", weight: 1 },
            { op: "term", term: "hot", weight: 1 },
            { op: "term", term: "=hot", weight: 0.15 },
            { op: "term", term: "useeffect", weight: 1 },
            { op: "term", term: "use", weight: 1 },
            { op: "term", term: "effect", weight: 1 },
          ],
        },
      ],
    });
  });

  test.each([
    ["“round quotes”", ["round", "quot"]],
    ['"one" two "three four"', ["one", "three", "four"]],
    ['"node.js"', ["node", "js"]],
    ['"清理缓存"', ["清理", "理缓", "缓存"]],
    ['"猫"', []],
    ['"not closed', []],
    ['"" "--"', []],
  ])("%s requires %j", (text, expected) => {
    expect(analyze(text).requiredTerms).toEqual(expected);
  });

  test("addTerms keeps what is required and the larger weight", () => {
    const analyzed = analyze('"hot" reload');
    const added = { class: "word", surface: "x", isStopWord: false } as const;
    const { query, terms } = addTerms(analyzed, [
      { term: "module", weight: 0.7, ...added },
      { term: "reload", weight: 0.4, ...added },
    ]);
    expect(terms.map(({ term, weight }) => [term, weight])).toEqual([
      ["hot", 1],
      ["=hot", 0.15],
      ["reload", 1],
      ["=reload", 0.15],
      ["module", 0.7],
    ]);
    expect(query?.op).toBe("and");
    expect(leaves(query!).map(({ term }) => term)).toEqual(["hot", "hot", "=hot", "reload", "=reload", "module"]);
    expect(addTerms(analyze(""), [{ term: "module", weight: 1, ...added }]).query).toBeNull();
  });
});

describe("nothing to search for", () => {
  test.each([
    ["", "empty"],
    ["  \n\t", "empty"],
    ["*", "no-words"],
    ["\\", "no-words"],
    ["'", "no-words"],
    ['"', "no-words"],
    ["-- ( ) : ^ + ~", "no-words"],
    ["\u{1F6A2}", "no-words"],
    ["\uD83D", "no-words"],
  ])("%j: %s", (text, reason) => {
    expect(analyze(text)).toEqual({
      query: null,
      reason,
      terms: [],
      requiredTerms: [],
      phrases: [],
      onlyStopWords: false,
      isTruncated: false,
      isIssue: false,
    });
  });

  test("stop words alone are searched for, and the analysis says so", () => {
    expect(analyze("how do I the of").onlyStopWords).toBe(true);
    expect(analyze("how do I use it").onlyStopWords).toBe(false);
  });
});

test("highlightTerms leaves stop words out, unless there is nothing else", () => {
  expect([...highlightTerms(analyze("the build"))]).toEqual(["build", "=build"]);
  expect([...highlightTerms(analyze("the of"))]).toEqual(["the", "=the", "of"]);
});

test("what is too long is cut, and the analysis says so", () => {
  const analyzed = analyze(`${"a ".repeat(MAX_QUERY_LENGTH / 2)}zebra`);
  expect(analyzed.isTruncated).toBe(true);
  expect(analyzed.terms.map(({ term }) => term)).toEqual(["a"]);
  expect(analyze("a ".repeat(MAX_QUERY_LENGTH / 2)).isTruncated).toBe(false);
});

test("whatever is typed: no exception, distinct terms, positive weights, a tree of these terms alone", () => {
  const piece = fc.oneof(
    fc.constantFrom('"', "“", "”", "AND", "NEAR(", "*", "the ", "useEffect", "中文", "-", ":", "^", "'", "#", "\uD800"),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const { query, terms, requiredTerms } = analyze(pieces.join(""));
      expect(new Set(terms.map(({ term }) => term)).size).toBe(terms.length);
      for (const { weight } of terms) expect(weight > 0 && weight <= 1).toBe(true);
      expect(query === null).toBe(terms.length === 0);
      const known = new Set(terms.map(({ term }) => term));
      for (const term of requiredTerms) expect(known.has(term)).toBe(true);
      if (query !== null) for (const { term } of leaves(query)) expect(known.has(term)).toBe(true);
    }),
  );
});
