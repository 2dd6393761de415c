import { expect, test } from "vitest";
import { characterOverlap } from "../src/index.js";

const range = (startOffset: number, endOffset: number, documentId = "d") => ({ documentId, startOffset, endOffset });

test("half of the passage is returned, among as much else", () => {
  // 50 characters in both, 100 returned, 100 wanted.
  expect(characterOverlap([range(50, 150)], [range(0, 100)])).toEqual({ recall: 0.5, precision: 0.5, iou: 1 / 3 });
});

test("a character that two chunks return costs twice and is found once", () => {
  expect(characterOverlap([range(0, 100), range(50, 150)], [range(0, 100)])).toEqual({
    recall: 1,
    precision: 0.5,
    iou: 0.5,
  });
});

test("passages that overlap are one", () => {
  expect(characterOverlap([range(0, 30)], [range(0, 20), range(10, 30)])).toEqual({ recall: 1, precision: 1, iou: 1 });
});

test("the same offsets in another document are something else", () => {
  expect(characterOverlap([range(0, 10, "e")], [range(0, 10, "d")])).toEqual({ recall: 0, precision: 0, iou: 0 });
});

test("nothing returned, nothing wanted", () => {
  expect(characterOverlap([], [range(0, 10)])).toEqual({ recall: 0, precision: 0, iou: 0 });
  expect(characterOverlap([range(0, 10)], [])).toEqual({ recall: 0, precision: 0, iou: 0 });
});
