import { expect, it } from "vitest";
import { pooled } from "../src/pooling.js";

const tensor = (data: number[], dims: number[]) => ({ data, dims, dispose: () => {} });
/** Two texts of three tokens and two dimensions. The first has two tokens, the second three. */
const output = tensor([3, 0, 0, 4, 9, 9, 0, 1, 0, 1, 6, 8], [2, 3, 2]);

it.each([
  ["cls", 0, 0, 2, [1, 0]],
  ["last", 0, 0, 2, [0, 1]],
  ["mean", 0, 0, 2, [0.6, 0.8]],
  ["mean", 1, 0, 3, [6 / Math.hypot(6, 10), 10 / Math.hypot(6, 10)]],
  ["cls", 1, 1, 3, [0, 1]],
  ["last", 1, 0, 3, [0.6, 0.8]],
] as const)("%s of text %d from token %d to %d", (pooling, row, start, end, expected) => {
  expect(pooled(pooling, { output, row, start, end })).toEqual(Float32Array.from(expected));
});

it("an output that is a vector already is brought to unit length", () => {
  const sentences = tensor([3, 4, 0, 5], [2, 2]);
  expect(pooled("sentence_embedding", { output: sentences, row: 0, start: 0, end: 9 })).toEqual(
    Float32Array.of(0.6, 0.8),
  );
  expect(pooled("sentence_embedding", { output: sentences, row: 1, start: 0, end: 9 })).toEqual(Float32Array.of(0, 1));
});

it.each([[[0, 0]], [[Number.NaN, 1]], [[Number.POSITIVE_INFINITY, 1]], [[1e308, 1e308]]])(
  "ve-zero-and-nan: %j has no direction",
  (data) => {
    expect(pooled("cls", { output: tensor(data, [1, 1, 2]), row: 0, start: 0, end: 1 })).toEqual(new Float32Array(2));
  },
);
