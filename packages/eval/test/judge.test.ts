import type { SearchResult } from "@docsearch/core";
import { expect, test } from "vitest";
import { judgeDocuments, judgeSections } from "../src/judge.js";
import type { ResolvedTarget } from "../src/targets.js";

const result = (documentId: string, startLine: number): SearchResult =>
  ({
    document: { id: documentId },
    chunk: { id: `${documentId}:${startLine}`, documentId, span: { startLine } },
  }) as unknown as SearchResult;

const lines = (documentId: string, from: number, to: number, grade = 1): ResolvedTarget => ({
  documentIds: new Set([documentId]),
  grade,
  matches: ({ span }) => span.startLine >= from && span.startLine <= to,
});

test("two sections of one document are one document, of the higher grade", () => {
  const judged = judgeDocuments([result("a", 1), result("b", 1)], [lines("a", 1, 5, 1), lines("a", 6, 9, 2)]);
  expect(judged).toEqual({ ranked: ["a", "b"], grades: new Map([["a", 2]]) });
});

test("one path in two collections is one target", () => {
  const target = { documentIds: new Set(["x/a", "y/a"]), grade: 1 };
  const judged = judgeDocuments([result("y/a", 1), result("x/a", 1)], [target]);
  expect(judged).toEqual({ ranked: ["x/a", "x/a"], grades: new Map([["x/a", 1]]) });
});

test("a target that the index does not have stays in the count", () => {
  const judged = judgeDocuments([], [{ documentIds: new Set(), grade: 2 }]);
  expect([...judged.grades.values()]).toEqual([2]);
});

test("two chunks of one section stand for the same target", () => {
  const judged = judgeSections([result("a", 2), result("a", 3), result("a", 9)], [lines("a", 1, 5)]);
  expect(judged.ranked).toEqual(["target 0", "target 0", "a:9"]);
});

test("a chunk in two sections stands for the better one first, then for the other", () => {
  const inner = lines("a", 2, 3, 2);
  const outer = lines("a", 1, 9, 1);
  const judged = judgeSections([result("a", 2), result("a", 3), result("a", 8)], [outer, inner]);
  expect(judged.ranked).toEqual(["target 1", "target 0", "target 0"]);
  expect(judged.grades).toEqual(
    new Map([
      ["target 0", 1],
      ["target 1", 2],
    ]),
  );
});
