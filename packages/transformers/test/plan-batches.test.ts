import fc from "fast-check";
import { expect, it } from "vitest";
import { planBatches } from "../src/plan-batches.js";

const LIMITS = { texts: 3, paddedTokens: 100 };

it.each([
  [[], []],
  [[5], [[0]]],
  [[500], [[0]]],
  [[9, 5, 7], [[1, 2, 0]]],
  [
    [10, 10, 10, 10],
    [[0, 1, 2], [3]],
  ],
  [
    [40, 40, 40],
    [[0, 1], [2]],
  ],
  [
    [80, 4, 4],
    [[1, 2], [0]],
  ],
])("lengths %j make the batches %j", (lengths, batches) => {
  expect(planBatches(lengths, LIMITS)).toEqual(batches);
});

it("every text is in one batch, no batch is larger than it may be, and no more than a third is padding", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 60 });
  fc.assert(
    fc.property(lengths, (all) => {
      const batches = planBatches(all, LIMITS);
      expect(batches.flat().sort((a, b) => a - b)).toEqual(all.map((_, index) => index));
      for (const batch of batches) {
        const widths = batch.map((index) => all[index]!);
        const padded = batch.length * Math.max(...widths);
        if (batch.length === 1) continue;
        expect(batch.length).toBeLessThanOrEqual(3);
        expect(padded).toBeLessThanOrEqual(100);
        expect(padded).toBeLessThanOrEqual(1.5 * widths.reduce((sum, width) => sum + width, 0));
      }
    }),
  );
});
