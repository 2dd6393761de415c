import { describe, expect, test } from "vitest";
import { applyRules, RULES } from "../src/ranking/rules.js";
import { matchHints, readHints } from "../src/search/query-hints.js";
import { fact, ruleContext } from "./rule-support.js";

describe("what a query asks for in plain words", () => {
  test.each([
    ["How to install the CLI", ["installation"], [], []],
    ["how do I set up TLS?", ["installation"], [], []],
    ["getting started", ["installation"], [], []],
    ["Examples of retry policies", ["example"], [], []],
    ["sample code with streams", ["example"], [], []],
    ["API documentation for the router", ["reference"], [], []],
    ["API of Bun.serve", ["reference"], [], []],
    ["the default port in the README", [], ["readme"], []],
    ["what does the licence of the changelog say", [], ["changelog"], []],
    ["parse a date in Python", [], [], ["python"]],
    ["c++ example of a queue", ["example"], [], ["c++"]],
    ["read a file using TS", [], [], ["typescript", "tsx"]],
  ])("%s", (query, kinds, files, languages) => {
    expect(readHints(query)).toEqual({ kinds, files, languages });
  });

  test.each([
    "bun install lockfile",
    "install",
    "example.com is down",
    "api key rotation",
    "universal plugin API for extending the bundler",
    "go to definition in go",
    "in a nutshell",
    "readme badges",
    `how to install ${"x".repeat(400)}`,
  ])("%s: nothing", (query) => {
    expect(readHints(query)).toEqual({ kinds: [], files: [], languages: [] });
  });
});

describe("places that fit", () => {
  const match = (query: string, ...place: Parameters<typeof fact>): number => {
    const { document, chunk } = fact(...place);
    return matchHints(readHints(query), document, chunk!);
  };

  test.each([
    ["how to install x", "a.md", { headings: ["X", "Installation"] }, 1],
    ["how to install x", "docs/getting-started.md", {}, 1],
    ["how to install x", "a.md", { headings: ["Reinstallations"] }, 0],
    ["examples of x", "a.md", { headings: ["Usage"] }, 1],
    ["examples of x", "a.md", { text: "so:\n\n```\nx()\n```\n" }, 0.5],
    ["examples of x", "a.md", { text: "no code" }, 0],
    ["API of x", "docs/api/x.md", {}, 1],
    ["x in the readme", "packages/x/README.md", {}, 1],
    ["x in the readme", "docs/readme-style.md", {}, 0],
    ["x in python", "a.py", {}, 1],
    ["x in python", "a.md", { text: "```python\nx\n```" }, 0.5],
    ["x in rust", "a.md", { text: "```python\nx\n```" }, 0],
    ["x", "README.md", { headings: ["Examples"] }, 0],
  ] as const)("%s: %s %j", (query, path, over, expected) => {
    expect(match(query, path, "c", over)).toBe(expected);
  });
});

test("the bonus is a tenth of the best score, shows in the effects, and can be left out", () => {
  const facts = { a: fact("a.md", "a"), b: fact("b.md", "b", { headings: ["Installation"] }) };
  const hits = ["a", "b"].map((id) => ({ chunkId: id, documentId: `${id}.md`, score: 1, contributions: [] }));
  const query = "how to set up the thing";
  const ranked = applyRules(hits, ruleContext(query, facts, ["heading"]));
  expect(RULES.hint).toBe(0.1);
  expect(ranked.map(({ chunkId, score, rules }) => [chunkId, score, rules])).toEqual([
    ["b", 1.1, [{ rule: "hint", bonus: 0.1 }]],
    ["a", 1, []],
  ]);
  const without = applyRules(hits, ruleContext(query, facts, ["heading", "hint"]));
  expect(without.map(({ chunkId, score }) => [chunkId, score])).toEqual([
    ["a", 1],
    ["b", 1],
  ]);
});
