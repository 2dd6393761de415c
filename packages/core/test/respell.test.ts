import { describe, expect, test } from "vitest";
import { createAnalyzer } from "../src/analyzer/analyze.js";
import { editDistance, respell } from "../src/analyzer/respell.js";
import type { TermLookup } from "../src/analyzer/unknown-words.js";

const analyzer = createAnalyzer();

/** An index of these words, each in so many chunks. */
function lookupIn(words: Readonly<Record<string, number>>): TermLookup {
  const counts = new Map<string, number>();
  for (const [word, chunks] of Object.entries(words)) {
    for (const { term } of analyzer.analyze(word)) counts.set(term, (counts.get(term) ?? 0) + chunks);
  }
  const terms = [...counts].map(([term, chunks]) => ({ term, chunks })).sort((a, b) => (a.term < b.term ? -1 : 1));
  return async (prefix, limit) => terms.filter(({ term }) => term.startsWith(prefix)).slice(0, limit);
}

describe("the nearest words of the index", () => {
  const words = lookupIn({
    authentication: 3,
    authorization: 9,
    receive: 1,
    relieve: 4,
    seaweed: 1,
    plan: 2,
    plane: 5,
  });

  test.each([
    ["authentikation", "authentication"],
    ["autentikation works", "authentication works"],
    ['the "recieve" path', 'the "receive" path'],
    ["Saeweed", "seaweed"],
    ["esaweed", "seaweed"],
    ["xreceive", "receive"],
    ["pland", "plane"],
  ])("%s: %s", async (text, expected) => {
    expect(await respell(analyzer, text, words)).toBe(expected);
  });

  test.each(["authentications", "plan", "xyz", "zebra", "recipe", "2027 v1.2 c++", "аутентикация", "the what"])(
    "%s stays",
    async (text) => {
      expect(await respell(analyzer, text, words)).toBeUndefined();
    },
  );

  test("several words at once, those that are known and what is between them stay", async () => {
    expect(await respell(analyzer, "plan: recieve, or authorisation!", words)).toBe("plan: receive, or authorization!");
  });

  test("at most four are looked for", async () => {
    const text = "recieve ".repeat(6).trim();
    expect(await respell(analyzer, text, words)).toBe("receive receive receive receive recieve recieve");
  });
});

test.each([
  ["kelp", "kelp", 0],
  ["kelp", "klep", 1],
  ["kelp", "kel", 1],
  ["kelp", "kelps", 1],
  ["kelp", "help", 1],
  ["kelp", "leek", 3],
  ["kelp", "kelpwater", 3],
  ["", "ab", 2],
])("%s to %s: %d edits, where more than two are three", (a, b, distance) => {
  expect(editDistance(a, b, 2)).toBe(distance);
  expect(editDistance(b, a, 2)).toBe(distance);
});
