import { expect, test } from "vitest";
import { parseArm } from "../src/index.js";

test("names of arms, and arms of one's own", () => {
  expect(parseArm("rrf")).toEqual({ name: "rrf", request: { mode: "hybrid", fusion: { method: "rrf" } } });
  expect(parseArm('deep={"mode":"keyword","candidates":1000}')).toEqual({
    name: "deep",
    request: { mode: "keyword", candidates: 1000 },
  });
});

test.each(["fast", "", "={}", "a={", "a=[]", 'a={"limit":5}', 'a={"query":"x"}', 'a={"fusoin":{}}'])(
  "%s is refused",
  (text) => {
    expect(() => parseArm(text)).toThrow(
      "expected keyword, semantic, hybrid, rrf, or a name and a search request of mode, filter, candidates, fusion",
    );
  },
);
