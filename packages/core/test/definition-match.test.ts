import type { ChunkSymbol } from "@docsearch/spec";
import { expect, test } from "vitest";
import { matchDefinitions } from "../src/ranking/definition-match.js";
import { definition, fact } from "./rule-support.js";

/** What each file, of one chunk, is worth for a name that is the whole query; files that define nothing are absent. */
function values(files: Readonly<Record<string, readonly ChunkSymbol[]>>, name: string): Record<string, number> {
  const facts = new Map(Object.entries(files).map(([path, symbols]) => [path, fact(path, path, { symbols })]));
  const matched = matchDefinitions(facts, [{ name, certainty: 1 }]);
  return Object.fromEntries([...matched].map(([path, value]) => [path, Number(value.toFixed(3))]));
}

test("kinds: a type counts most, then functions, constants, methods and members", () => {
  for (const [kind, value] of Object.entries({ class: 1, function: 0.8, constant: 0.6, method: 0.5, property: 0.15 })) {
    expect(values({ "a.py": [definition("Store", kind, 1)] }, "Store")).toEqual({
      "a.py": Number((value * (1 + 0.1 * Math.log(2))).toFixed(3)),
    });
  }
});

test("a kind below half of the best is no definition beside it", () => {
  const files = { "a.py": [definition("Store", "class")], "b.py": [definition("Store", "property")] };
  expect(Object.keys(values(files, "Store"))).toEqual(["a.py"]);
});

test("files share a name by the root of their number; tests and examples do not count", () => {
  const symbols = [definition("Store", "class")];
  const alone = values({ "a.py": symbols }, "Store")["a.py"]!;
  expect(values({ "a.py": symbols, "tests/b.py": symbols, "examples/c.py": symbols }, "Store")["a.py"]).toBe(alone);
  expect(values({ "a.py": symbols, "b.py": symbols }, "Store")["a.py"]).toBeCloseTo(alone / Math.SQRT2, 3);
});

test("a file that is named after the symbol, in whole or by a word, counts 1.5 times", () => {
  const of = (path: string, name: string): number => values({ [path]: [definition(name, "class")] }, name)[path]!;
  const plain = of("a.py", "UserStore");
  for (const path of ["user_store.py", "UserStore.py", "user-store.py"]) {
    expect(of(path, "UserStore")).toBeCloseTo(1.5 * plain, 2);
  }
  expect(of("json_schema.py", "Schema")).toBeCloseTo(1.5 * plain, 2);
  // Letters inside a word are no word.
  expect(of("typedarray.py", "Type")).toBe(plain);
});

test("another case counts .8, and only where none defines the name to the letter", () => {
  const lower = { "a.py": [definition("store", "class")] };
  const exact = values(lower, "store")["a.py"]!;
  expect(values(lower, "Store")["a.py"]).toBeCloseTo(0.8 * exact, 3);
  expect(values({ ...lower, "b.py": [definition("Store", "class")] }, "Store")).toEqual({ "b.py": exact });
});

test("a sign in front counts .8 beside the name to the letter, and takes no share of it", () => {
  const exact = { "a.ts": [definition("Store", "class")] };
  const alone = values(exact, "Store")["a.ts"]!;
  const both = values(
    { ...exact, "b.ts": [definition("$Store", "class")], "c.ts": [definition("Stores", "class")] },
    "Store",
  );
  expect(both).toEqual({ "a.ts": alone, "b.ts": Number((0.8 * alone).toFixed(3)) });
});
