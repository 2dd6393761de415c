import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hit, ndcg, precision, recall, reciprocalRank } from "../src/index.js";

const grades = new Map([
  ["a", 2],
  ["b", 1],
  ["c", 1],
  ["no", 0],
]);

describe("metrics", () => {
  test("a list with three relevant keys at places 2, 3 and 5", () => {
    const ranked = ["x", "b", "a", "no", "c"];
    expect(reciprocalRank(ranked, grades, 10)).toBe(0.5);
    expect(recall(ranked, grades, 3)).toBeCloseTo(2 / 3, 12);
    expect(precision(ranked, grades, 3)).toBeCloseTo(2 / 3, 12);
    expect(hit(ranked, grades, 1)).toBe(0);
    expect(hit(ranked, grades, 2)).toBe(1);
    // (1 / log2 3 + 3 / log2 4 + 1 / log2 6) / (3 + 1 / log2 3 + 1 / log2 4)
    expect(ndcg(ranked, grades, 10)).toBeCloseTo(0.6095, 4);
  });

  test("the best order scores 1, also where two grades are equal", () => {
    expect(ndcg(["a", "b", "c"], grades, 10)).toBe(1);
    expect(ndcg(["a", "c", "b"], grades, 10)).toBe(1);
  });

  test("the cut-off holds for the ideal list too", () => {
    expect(ndcg(["a"], grades, 1)).toBe(1);
    expect(ndcg(["b"], grades, 1)).toBeCloseTo(1 / 3, 12);
  });

  test("a key that comes again counts once, and its second place holds nothing", () => {
    expect(recall(["b", "b", "b"], grades, 10)).toBeCloseTo(1 / 3, 12);
    expect(precision(["b", "b"], grades, 2)).toBe(0.5);
    expect(ndcg(["a", "a"], grades, 2)).toBeCloseTo(3 / (3 + 1 / Math.log2(3)), 12);
    expect(reciprocalRank(["x", "x", "b"], grades, 10)).toBeCloseTo(1 / 3, 12);
  });

  test("a list shorter than the cut-off is divided by the cut-off in precision", () => {
    expect(precision(["a"], grades, 5)).toBe(0.2);
  });

  test("an empty list, and a query without a relevant key, score 0", () => {
    for (const measure of [reciprocalRank, ndcg, recall, precision, hit]) {
      expect(measure([], grades, 10)).toBe(0);
      expect(measure(["a"], new Map(), 10)).toBe(0);
      expect(measure(["no"], new Map([["no", 0]]), 10)).toBe(0);
    }
  });

  test("values lie between 0 and 1, and a relevant key further up never lowers one", () => {
    const keys = ["a", "b", "c", "no", "x", "y", "z"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...keys)), fc.nat(6), fc.integer({ min: 1, max: 8 }), (list, at, k) => {
        for (const measure of [reciprocalRank, ndcg, recall, precision, hit]) {
          const value = measure(list, grades, k);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
        const others = list.filter((key) => key !== "a");
        const lower = [...others.slice(0, at + 1), "a", ...others.slice(at + 1)];
        const higher = [...others.slice(0, at), "a", ...others.slice(at)];
        expect(ndcg(higher, grades, k)).toBeGreaterThanOrEqual(ndcg(lower, grades, k) - 1e-12);
      }),
    );
  });
});
