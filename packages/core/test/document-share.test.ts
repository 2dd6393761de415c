import type { Hit } from "@docsearch/spec";
import { expect, test } from "vitest";
import { withDocumentMean, withDocumentScore } from "../src/search/document-share.js";

const hit = (chunkId: string, documentId: string, score: number): Hit => ({ chunkId, documentId, score });
const scores = (hits: readonly Hit[]): [string, number][] =>
  hits.map(({ chunkId, score }) => [chunkId, Number(score.toFixed(6))]);

test("a chunk's words count with those of its document", () => {
  const chunks = [hit("a", "x", 3), hit("b", "y", 2), hit("c", "z", 1)];
  const documents = [
    { documentId: "y", score: 4 },
    { documentId: "x", score: 1 },
  ];
  expect(scores(withDocumentScore({ chunks, documents }))).toEqual([
    ["b", 6],
    ["a", 4],
    ["c", 1],
  ]);
});

test("half of a vector score is the mean of the document's best three", () => {
  const hits = [
    hit("a1", "a", 0.96),
    hit("b1", "b", 0.8),
    hit("b2", "b", 0.7),
    hit("b3", "b", 0.6),
    hit("b4", "b", 0.3),
  ];
  expect(scores(withDocumentMean(hits, 0.3))).toEqual([
    ["b1", 0.75],
    ["a1", 0.74],
    ["b2", 0.7],
    ["b3", 0.65],
    ["b4", 0.5],
  ]);
});
