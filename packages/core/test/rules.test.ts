import { describe, expect, test } from "vitest";
import type { FusedHit } from "../src/ranking/fusion.js";
import { matchPath } from "../src/ranking/path-match.js";
import type { RuleFacts } from "../src/ranking/rule-facts.js";
import { applyRules, RULES, type RuleName } from "../src/ranking/rules.js";
import { definition, fact, ruleContext } from "./rule-support.js";

const hit = (chunkId: string, documentId: string, score: number): FusedHit => ({
  chunkId,
  documentId,
  score,
  contributions: [],
});

/** Ranks one chunk of each file; the order, and what the rules did, rounded. */
function ranked(
  query: string,
  files: Record<string, readonly [score: number, RuleFacts]>,
  off: readonly RuleName[] = [],
): [string, Record<string, number>][] {
  const hits = Object.entries(files).map(([path, [score]]) => hit(path, path, score));
  hits.sort((a, b) => b.score - a.score);
  const facts = Object.fromEntries(Object.entries(files).map(([path, [, known]]) => [path, known]));
  return applyRules(hits, ruleContext(query, facts, off)).map(({ chunkId, rules }) => [
    chunkId,
    Object.fromEntries(rules.map(({ rule, bonus, factor }) => [rule, Number((bonus ?? factor ?? 0).toFixed(3))])),
  ]);
}

describe("heading", () => {
  test("a title, heading path or file name that says the same is worth .15 of the best score", () => {
    const files = {
      "a.md": [1, fact("a.md", "a.md", { title: "Something else" })],
      "b.md": [0.9, fact("b.md", "b.md", { title: "Hot reload" })],
      "hot-reload.md": [0.8, fact("hot-reload.md", "hot-reload.md")],
      "c.md": [0.7, fact("c.md", "c.md", { title: "Dev", headings: ["Hot", "Reload"] })],
      "d.md": [0.6, fact("d.md", "d.md", { title: "Hot" })],
    } as const;
    expect(ranked("hot reload", files)).toEqual([
      ["b.md", { heading: 0.15 }],
      ["a.md", {}],
      ["hot-reload.md", { heading: 0.15 }],
      ["c.md", { heading: 0.15 }],
      ["d.md", { heading: 0.1 }],
    ]);
    expect(ranked("hot reload", files, ["heading"]).map(([path]) => path)).toEqual(Object.keys(files));
  });
});

describe("code", () => {
  test("the file that defines the name comes before one that uses it often", () => {
    const symbols = [definition("UserStore", "class", 40)];
    const order = ranked("UserStore", {
      "app.py": [1, fact("app.py", "app.py")],
      "store.py": [0.6, fact("store.py", "store.py", { symbols })],
      "other.py": [0.3, fact("other.py", "other.py")],
    });
    expect(order.map(([path]) => path)).toEqual(["store.py", "app.py", "other.py"]);
    expect(order[0]?.[1].definition).toBe(1.646);
  });

  test("a definition that no retriever found has what the rules give", () => {
    const hits = [hit("use", "use.py", 0.5), hit("def", "def.py", 0)];
    const facts = {
      use: fact("use.py", "use"),
      def: fact("def.py", "def", { symbols: [definition("openStore", "function", 1)] }),
    };
    const [first] = applyRules(hits, ruleContext("openStore", facts));
    expect([first?.chunkId, first?.rules[0]]).toEqual(["def", { rule: "definition", bonus: expect.closeTo(0.513, 3) }]);
  });

  test("tests come behind the code that they test, unless they are asked for", () => {
    const files = {
      "src/cache.py": [0.5, fact("src/cache.py", "src/cache.py")],
      "tests/test_cache.py": [0.51, fact("tests/test_cache.py", "tests/test_cache.py")],
    } as const;
    expect(ranked("when entries expire", files)).toEqual([
      ["src/cache.py", {}],
      ["tests/test_cache.py", { tests: 0.3 }],
    ]);
    expect(ranked("tests for entries that expire", files)[0]?.[0]).toBe("tests/test_cache.py");
    expect(ranked("when entries expire", files, ["tests"])[0]).toEqual(["tests/test_cache.py", {}]);
  });

  test("a file whose name is in the query comes before one that has the words more often", () => {
    const order = ranked("fish shell completion", {
      "completions.go": [0.5, fact("completions.go", "completions.go")],
      "fish_completions.go": [0.4, fact("fish_completions.go", "fish_completions.go")],
    });
    expect(order.map(([path]) => path)).toEqual(["fish_completions.go", "completions.go"]);
    expect(order.map(([, { fileName }]) => fileName)).toEqual([0.333, 0.167]);
  });

  test("coherence: five chunks of 7 against one of 10, which keeps its place on the scale", () => {
    const hits = [hit("a", "a.py", 10), ...[1, 2, 3, 4, 5].map((i) => hit(`b${i}`, "b.py", 7))];
    const facts = Object.fromEntries(hits.map(({ chunkId, documentId }) => [chunkId, fact(documentId, chunkId)]));
    const best = applyRules(hits, ruleContext("anything", facts)).slice(0, 2);
    expect(best.map(({ chunkId, score }) => [chunkId, Number(score.toFixed(2))])).toEqual([
      ["b1", 10],
      ["a", 8.66],
    ]);
  });

  test("saturation: the second chunk of a file of code counts half", () => {
    const hits = [hit("a1", "a.py", 1), hit("a2", "a.py", 0.9), hit("b1", "b.py", 0.6)];
    const facts = Object.fromEntries(hits.map(({ chunkId, documentId }) => [chunkId, fact(documentId, chunkId)]));
    const order = applyRules(hits, ruleContext("anything", facts, ["coherence"]));
    expect(order.map(({ chunkId, score }) => [chunkId, score])).toEqual([
      ["a1", 1],
      ["b1", 0.6],
      ["a2", 0.45],
    ]);
  });

  test("prose comes behind where most candidates are code, and only there", () => {
    const [code, more, prose] = ["a.py", "b.py", "guide.md"].map((path) => fact(path, path)) as [
      RuleFacts,
      RuleFacts,
      RuleFacts,
    ];
    const effects = ranked("how it works", { "a.py": [0.5, code], "b.py": [0.4, more], "guide.md": [0.6, prose] });
    expect(effects.find(([path]) => path === "guide.md")?.[1]).toEqual({ prose: 0.6 });
    const mixed = ranked("how it works", { "a.py": [0.5, code], "guide.md": [0.6, prose] });
    expect(mixed.find(([path]) => path === "guide.md")?.[1]).toEqual({});
  });

  test("a page or section of the very name that is asked for does not come behind", () => {
    const facts = {
      "a.py": fact("a.py", "a.py"),
      "b.py": fact("b.py", "b.py"),
      "c.py": fact("c.py", "c.py"),
      "stores.md": fact("stores.md", "stores.md", { title: "Which store to take" }),
      "other.md": fact("other.md", "other.md", { headings: ["Which store to take when it rains"] }),
    };
    const hits = Object.fromEntries(Object.entries(facts).map(([id, known]) => [id, [0.5, known]])) as never;
    const effects = new Map(ranked("which store to take", hits).map(([path, rules]) => [path, Object.keys(rules)]));
    expect(effects.get("stores.md")).toEqual(["heading"]);
    expect(effects.get("other.md")).toContain("prose");
  });
});

describe("paths", () => {
  test("the longest equal tail wins, and several files share its weight", () => {
    const paths = ["src/core/table.py", "lib/table.py", "src/view.py"];
    expect([...matchPath([{ kind: "path", path: "/lib/pkg/core/table.py", weight: 1 }], paths)]).toEqual([
      ["src/core/table.py", 1],
    ]);
    expect([...matchPath([{ kind: "path", path: "table.py", weight: 1 }], paths)].map(([path]) => path)).toEqual([
      "src/core/table.py",
      "lib/table.py",
    ]);
    expect(matchPath([{ kind: "path", path: "table.py", weight: 1 }], paths).get("lib/table.py")).toBeCloseTo(
      Math.SQRT1_2,
      12,
    );
    expect(matchPath([{ kind: "path", path: "none/here", weight: 1 }], paths).size).toBe(0);
    expect(matchPath([{ kind: "path", path: "chair/table", weight: 1 }], paths).size).toBe(0);
  });

  test("a member of a module is looked for in the module", () => {
    expect([...matchPath([{ kind: "name", path: "core/table/join", weight: 0.5 }], ["src/core/table.py"])]).toEqual([
      ["src/core/table.py", 0.5],
    ]);
  });
});

test("weights stand in one table", () => {
  expect(RULES).toEqual({
    heading: 0.15,
    linked: 0.4,
    fileName: 1,
    definition: 1.2,
    path: 0.3,
    hint: 0.1,
    coherence: 0.4,
    tests: 0.3,
    examples: 0.4,
    benchmarks: 0.4,
    generated: 0.4,
    oldVersion: 0.4,
    legacy: 0.6,
    stubs: 0.7,
    data: 0.6,
    barrel: 0.8,
    innerTests: 0.6,
    prose: 0.6,
    saturation: 0.85,
    codeSaturation: 0.5,
  });
});

describe("a name that nothing defines", () => {
  const reexport = (path: string, text: string, language: string): RuleFacts => {
    const { chunk, document } = fact(path, path);
    return { document, chunk: { ...chunk!, text, language } };
  };

  test.each([
    ["src/extract/mod.rs", "pub use core::extract::{\n  FromRef,\n  FromRequest,\n};", "rust"],
    ["src/index.ts", "export { FromRequest } from './core';", "typescript"],
    ["src/index.ts", "export type { FromRequest } from './core';", "typescript"],
    ["pkg/__init__.py", "from .core import (\n    FromRequest,\n)", "python"],
  ])("%s gives it to others: %j", (path, text, language) => {
    const [first] = ranked("FromRequest", {
      "use.py": [0.5, reexport("use.py", "from core import FromRequest", "python")],
      [path]: [0.2, reexport(path, text, language)],
    });
    expect([first?.[0], first?.[1].definition]).toEqual([path, 0.36]);
  });

  test("what is only imported is not given to others", () => {
    const order = ranked("FromRequest", {
      "a.rs": [0.5, reexport("a.rs", "use core::FromRequest;", "rust")],
      "b.ts": [0.4, reexport("b.ts", "import { FromRequest } from './core';", "typescript")],
      "c.py": [0.3, reexport("c.py", "from core import FromRequest", "python")],
    });
    expect(order.map(([, { definition: bonus }]) => bonus)).toEqual([undefined, undefined, undefined]);
  });
});

describe("files that only gather", () => {
  const barrel = (path: string, text: string): RuleFacts => {
    const { chunk, document } = fact(path, path);
    return { document, chunk: { ...chunk!, text, language: "typescript" } };
  };

  test.each([
    ["src/index.ts", "export * from './a';\nexport { B } from './b';", { barrel: 0.8 }],
    ["src/all.ts", "export * from './a';\nexport { B } from './b';", {}],
    ["src/index.ts", "export * from './a';\nexport function run() {\n  return 1;\n}", {}],
  ])("%s with %j", (path, text, expected) => {
    expect(ranked("where requests are handled", { [path]: [1, barrel(path, text)] })).toEqual([[path, expected]]);
  });
});

test("tests at the end of a Rust file count less, unless tests are asked for", () => {
  const inner = (): RuleFacts => {
    const { chunk, document } = fact("src/path.rs", "c", { headings: ["tests", "joins"] });
    return { document, chunk: { ...chunk!, language: "rust" } };
  };
  expect(ranked("joins", { c: [1, inner()] }, ["heading"])).toEqual([["c", { innerTests: 0.6 }]]);
  expect(ranked("tests of joins", { c: [1, inner()] }, ["heading"])).toEqual([["c", {}]]);
});

test("a file of code is judged by all of its candidates, those included of which only the document is known", () => {
  const hits = [hit("a", "a.py", 1), hit("b1", "b.py", 0.9), hit("b2", "b.py", 0.8), hit("b3", "b.py", 0.8)];
  const facts = Object.fromEntries(hits.map(({ chunkId, documentId }) => [chunkId, fact(documentId, chunkId)]));
  const { document } = fact("b.py", "b2");
  const known = { ...facts, b2: { document }, b3: { document } };
  const files = applyRules(hits, ruleContext("anything", known)).map(({ documentId }) => documentId);
  expect(files[0]).toBe("b.py");
});

test("an older version comes behind the newer one, unless a word or a path of the query names it", () => {
  const files = {
    "zod/v3/types.py": [1, fact("zod/v3/types.py", "zod/v3/types.py")],
    "zod/v4/types.py": [0.9, fact("zod/v4/types.py", "zod/v4/types.py")],
  } as const;
  const first = (query: string): string | undefined => ranked(query, files)[0]?.[0];
  expect(first("how unions are checked")).toBe("zod/v4/types.py");
  expect(first("how unions are checked in v3")).toBe("zod/v3/types.py");
  expect(first('File "/lib/zod/v3/types.py", line 3, in check')).toBe("zod/v3/types.py");
  expect(first('File "/lib/zod/v4/types.py", line 3, in check')).toBe("zod/v4/types.py");
});
