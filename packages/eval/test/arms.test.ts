import { expect, test } from "vitest";
import { parseArm } from "../src/index.js";

test("names of arms, and arms of one's own", () => {
  expect(parseArm("rrf")).toEqual({ name: "rrf", request: { mode: "hybrid", fusion: { method: "rrf" } } });
  expect(parseArm('deep={"mode":"keyword","candidates":1000}')).toEqual({
    name: "deep",
    request: { mode: "keyword", candidates: 1000 },
  });
});

test("an arm with a part of the search left out", () => {
  expect(parseArm("without-heading")).toEqual({ name: "without-heading", request: { rules: { heading: false } } });
  expect(parseArm("without-rerank")).toEqual({ name: "without-rerank", request: { mode: "hybrid", rerank: false } });
  expect(parseArm('m={"mergeAdjacent":true}').request).toEqual({ mergeAdjacent: true });
});

test.each(["without-magic", "fast", "", "={}", "a={", "a=[]", 'a={"limit":5}', 'a={"query":"x"}', 'a={"fusoin":{}}'])(
  "%s is refused",
  (text) => {
    expect(() => parseArm(text)).toThrow(
      /expected keyword, semantic, hybrid, rrf, without-rerank, without-RULE \(heading, .+\), or a name and a search request of mode, filter, candidates, fusion/,
    );
  },
);
