import { describe, expect, test } from "vitest";
import { convexFusion, type FusedHit, type RankedList, reciprocalRankFusion } from "../src/ranking/fusion.js";
import { applyRules } from "../src/ranking/rules.js";
import { ruleContext } from "./rule-support.js";

const list = (retriever: string, ids: string, over: Partial<RankedList> = {}): RankedList => ({
  retriever,
  hits: [...ids].map((id, index) => ({ chunkId: id, documentId: `doc-${id}`, score: 10 - index })),
  weight: 1,
  unit: 1,
  absentScore: 0,
  ...over,
});
const order = (hits: readonly { readonly chunkId: string }[]): string => hits.map(({ chunkId }) => chunkId).join("");

describe("reciprocal rank fusion", () => {
  test("scores are the sum of 1 / (60 + rank), ranks from 1", () => {
    const fused = reciprocalRankFusion([list("lexical", "ab"), list("vector", "bc")]);
    expect(fused.map(({ chunkId, score }) => [chunkId, score])).toEqual([
      ["b", 1 / 62 + 1 / 61],
      ["a", 1 / 61],
      ["c", 1 / 62],
    ]);
  });

  test("a chunk high in both lists comes before one that is first in one list", () => {
    expect(order(reciprocalRankFusion([list("lexical", "axbc"), list("vector", "dxef")]))[0]).toBe("x");
  });

  test("ties are broken by chunk id, whatever the order of the lists", () => {
    expect(order(reciprocalRankFusion([list("lexical", "ba"), list("vector", "ab")]))).toBe("ab");
    expect(order(reciprocalRankFusion([list("lexical", "ab"), list("vector", "ba")]))).toBe("ab");
    expect(order(reciprocalRankFusion([list("lexical", "z"), list("vector", "a")]))).toBe("az");
  });

  test("a duplicate inside a list counts once, with its best rank, and takes no rank from the others", () => {
    const fused = reciprocalRankFusion([list("lexical", "aab")]);
    expect(fused.map(({ chunkId, score }) => [chunkId, score])).toEqual([
      ["a", 1 / 61],
      ["b", 1 / 62],
    ]);
  });

  test("weights scale a list; zero takes it out of the score and leaves it in the breakdown", () => {
    const fused = reciprocalRankFusion([list("lexical", "ab", { weight: 0 }), list("vector", "b", { weight: 2 })], 10);
    expect(fused[0]).toEqual({
      chunkId: "b",
      documentId: "doc-b",
      score: 2 / 11,
      contributions: [
        { retriever: "lexical", rank: 2, score: 9, weight: 0, contribution: 0 },
        { retriever: "vector", rank: 1, score: 10, weight: 2, contribution: 2 / 11 },
      ],
    });
    expect(fused[1]?.score).toBe(0);
  });

  test("a hit whose score is no number counts as not found, and the order of the others stays", () => {
    const hits = [
      ["a", 3],
      ["b", Number.NaN],
      ["c", 2],
      ["d", Number.POSITIVE_INFINITY],
    ].map(([id, score]) => ({ chunkId: id as string, documentId: `doc-${id}`, score: score as number }));
    const spoilt = list("lexical", "", { hits });
    const scores = (fused: readonly FusedHit[]): unknown => fused.map(({ chunkId, score }) => [chunkId, score]);
    expect(scores(convexFusion([spoilt, list("vector", "b", { unit: 10 })]))).toEqual([
      ["a", 3],
      ["c", 2],
      ["b", 1],
      ["d", 0],
    ]);
    expect(scores(reciprocalRankFusion([spoilt]))).toEqual([
      ["a", 1 / 61],
      ["c", 1 / 62],
      ["b", 0],
      ["d", 0],
    ]);
  });

  test("no lists and empty lists give nothing", () => {
    expect(reciprocalRankFusion([])).toEqual([]);
    expect(reciprocalRankFusion([list("lexical", ""), list("vector", "")])).toEqual([]);
  });
});

describe("convex fusion", () => {
  const scored = (retriever: string, scores: Record<string, number>, over: Partial<RankedList> = {}): RankedList => ({
    retriever,
    hits: Object.entries(scores).map(([chunkId, score]) => ({ chunkId, documentId: `doc-${chunkId}`, score })),
    weight: 1,
    unit: 1,
    absentScore: 0,
    ...over,
  });

  test("each score is divided by its list's unit and weighed", () => {
    const fused = convexFusion([
      scored("lexical", { a: 8, b: 4 }, { weight: 0.7, unit: 16 }),
      scored("vector", { b: 0.9, a: 0.2 }, { weight: 0.3 }),
    ]);
    expect(fused.map(({ chunkId, score }) => [chunkId, Number(score.toFixed(6))])).toEqual([
      ["b", 0.445],
      ["a", 0.41],
    ]);
  });

  test("a chunk that a list does not hold counts with the list's absent score", () => {
    const lists = [scored("lexical", { x: 2 }), scored("vector", { a: 0.8, b: 0.5 }, { weight: 2, absentScore: 0.5 })];
    expect(convexFusion(lists).find(({ chunkId }) => chunkId === "x")).toEqual({
      chunkId: "x",
      documentId: "doc-x",
      score: 3,
      contributions: [
        { retriever: "lexical", rank: 1, score: 2, weight: 1, contribution: 2 },
        { retriever: "vector", score: 0.5, weight: 2, contribution: 1 },
      ],
    });
  });

  test("one list alone keeps its order", () => {
    expect(order(convexFusion([scored("vector", { c: 0.1, a: -0.2 })]))).toBe("ca");
    expect(order(convexFusion([scored("lexical", { c: 3, a: 2 })]))).toBe("ca");
  });
});

describe("rules", () => {
  const hit = (chunkId: string, documentId: string, score: number): FusedHit => ({
    chunkId,
    documentId,
    score,
    contributions: [],
  });

  test("further chunks of a document are damped, once more for each", () => {
    const hits = [hit("a1", "a", 1), hit("a2", "a", 0.9), hit("b1", "b", 0.8), hit("a3", "a", 0.7)];
    const ranked = applyRules(hits, ruleContext("anything"));
    expect(ranked.map(({ chunkId, score, fusionRank, rules }) => [chunkId, score, fusionRank, rules])).toEqual([
      ["a1", 1, 1, []],
      ["b1", 0.8, 3, []],
      ["a2", 0.9 * 0.85, 2, [{ rule: "saturation", factor: 0.85 }]],
      ["a3", 0.7 * 0.85 ** 2, 4, [{ rule: "saturation", factor: 0.85 ** 2 }]],
    ]);
  });
});
