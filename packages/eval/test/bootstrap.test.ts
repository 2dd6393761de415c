import { expect, test } from "vitest";
import { pairedBootstrap } from "../src/index.js";
import { seededRandom, shuffled } from "../src/random.js";

const before = [0, 0.5, 1, 0.2, 0.4, 0.9, 0.1, 0, 0.3, 1];

test("the same seed gives the same interval, another seed another", () => {
  const random = seededRandom(1);
  const after = before.map((value) => value + random() - 0.3);
  const first = pairedBootstrap(before, after, { seed: 7 });
  expect(pairedBootstrap(before, after, { seed: 7 })).toEqual(first);
  expect(pairedBootstrap(before, after, { seed: 8 })).not.toEqual(first);
  expect(first.low).toBeLessThan(first.difference);
  expect(first.high).toBeGreaterThan(first.difference);
});

test("a gain of every query by the same amount has no spread", () => {
  const { difference, low, high } = pairedBootstrap([0.1, 0.6, 0.2], [0.3, 0.8, 0.4]);
  expect([difference, low, high].map((value) => value.toFixed(9))).toEqual([
    "0.200000000",
    "0.200000000",
    "0.200000000",
  ]);
});

test("one gain and one loss of the same size say nothing", () => {
  const { difference, low, high } = pairedBootstrap([0, 1], [1, 0]);
  expect([difference, low, high]).toEqual([0, -1, 1]);
});

test("the interval is that of the normal distribution for many queries", () => {
  const random = seededRandom(3);
  const many = Array.from({ length: 1000 }, () => (random() < 0.5 ? 1 : -1));
  const { low, high } = pairedBootstrap(
    many.map(() => 0),
    many,
  );
  // Standard error 1 / sqrt(1000) = .0316, times 1.96 on each side.
  expect(high - low).toBeGreaterThan(0.118);
  expect(high - low).toBeLessThan(0.13);
});

test("no query", () => {
  expect(pairedBootstrap([], [])).toEqual({ difference: 0, low: 0, high: 0 });
});

test("two lengths are refused", () => {
  expect(() => pairedBootstrap([1], [1, 2])).toThrow("the two sides of a comparison have 1 and 2 values");
});

test("a shuffle keeps every item and is the same for the same seed", () => {
  const items = Array.from({ length: 100 }, (_, index) => index);
  const order = shuffled(items, seededRandom(1));
  expect(order).not.toEqual(items);
  expect([...order].sort((a, b) => a - b)).toEqual(items);
  expect(shuffled(items, seededRandom(1))).toEqual(order);
});

test("random numbers are spread evenly from 0 up to 1", () => {
  const random = seededRandom(42);
  const bins = new Array<number>(10).fill(0);
  for (let draw = 0; draw < 10_000; draw++) {
    const bin = Math.floor(random() * 10);
    bins[bin] = (bins[bin] as number) + 1;
  }
  for (const count of bins) expect(Math.abs(count - 1000)).toBeLessThan(120);
});
