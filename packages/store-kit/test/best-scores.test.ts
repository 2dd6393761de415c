import fc from "fast-check";
import { expect, test } from "vitest";
import { bestScores } from "../src/best-scores.js";

test("the best are those with the highest scores and all that tie with the last", () => {
  const scores = Float64Array.of(1, 3, 2, 2, 0, 9);
  const included = Uint8Array.of(1, 1, 1, 1, 1, 0);
  expect(bestScores(scores, included, 6, 2)).toEqual([
    { index: 1, score: 3 },
    { index: 2, score: 2 },
    { index: 3, score: 2 },
  ]);
});

test("indexes at and beyond the size are not looked at", () => {
  expect(bestScores(Float64Array.of(1, 5), Uint8Array.of(1, 1), 1, 3)).toEqual([{ index: 0, score: 1 }]);
});

test("a limit below 1 gives nothing, an unlimited one gives all", () => {
  const scores = Float64Array.of(1, 2);
  const included = Uint8Array.of(1, 1);
  for (const limit of [0, -1, 0.5, Number.NaN]) expect(bestScores(scores, included, 2, limit)).toEqual([]);
  expect(bestScores(scores, included, 2, Number.POSITIVE_INFINITY)).toHaveLength(2);
});

test("the best agree with sorting", () => {
  const entry = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 1 }));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (entries, limit) => {
      const scores = Float64Array.from(entries.map(([score]) => score));
      const included = Uint8Array.from(entries.map(([, flag]) => flag));
      const sorted = entries.filter(([, flag]) => flag === 1).map(([score]) => score);
      sorted.sort((a, b) => b - a);
      const last = sorted[limit - 1] ?? Number.NEGATIVE_INFINITY;
      const found = bestScores(scores, included, entries.length, limit).map(({ score }) => score);
      expect(found.sort((a, b) => b - a)).toEqual(sorted.filter((score) => score >= last));
    }),
  );
});
