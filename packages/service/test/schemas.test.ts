import fc from "fast-check";
import { expect, test } from "vitest";
import type { OperationName } from "../src/index.js";
import { ALIASES, inputSchema, parseInput } from "../src/schemas.js";

const NAMES: readonly OperationName[] = [
  "search",
  "get_chunk",
  "read",
  "outline",
  "list_sources",
  "index_path",
  "index_status",
  "remove_source",
];

test("defaults are filled in", () => {
  expect(parseInput("search", { query: "kelp" })).toEqual({
    query: "kelp",
    limit: 10,
    offset: 0,
    mode: "hybrid",
    kind: "any",
  });
  expect(parseInput("index_path", { path: "docs" })).toEqual({ path: "docs", wait_ms: 20_000 });
});

test.each([
  ["search", { q: "kelp" }, { query: "kelp" }],
  ["search", { question: "kelp" }, { query: "kelp" }],
  ["search", { query: "kelp", k: 3 }, { limit: 3 }],
  ["search", { query: "kelp", top_k: 3 }, { limit: 3 }],
  ["search", { query: "kelp", num_results: 3 }, { limit: 3 }],
  ["read", { file: "a.md" }, { path: "a.md" }],
  ["read", { filepath: "a.md" }, { path: "a.md" }],
  ["get_chunk", { id: "c1" }, { chunk_id: "c1" }],
  ["search", { query: "right", q: "wrong" }, { query: "right" }],
] as const)("%s takes %o", (name, raw, expected) => {
  expect(parseInput(name, raw)).toMatchObject(expected);
});

test("every alias stands for an argument of some operation, and is none itself", () => {
  const all = new Set(NAMES.flatMap((name) => Object.keys(inputSchema(name).properties as object)));
  for (const [alias, meant] of Object.entries(ALIASES)) {
    expect(all).toContain(meant);
    expect(all).not.toContain(alias);
  }
});

test.each([
  ["search", {}, "query must be string, and is missing"],
  ["search", { query: "" }, "query is empty"],
  ["search", { query: "   " }, "query is empty"],
  ["search", { query: "x".repeat(2001) }, "query must be at most 2000 characters"],
  ["search", { query: "x", limit: 0 }, "limit must be at least 1"],
  ["search", { query: "x", limit: 51 }, "limit must be at most 50"],
  ["search", { query: "x", limit: 1.5 }, "limit must be int"],
  ["search", { query: "x", limit: "five" }, "limit must be number"],
  ["search", { query: "x", limit: "500" }, "limit must be at most 50"],
  ["search", { query: 5 }, "query must be string"],
  ["search", { query: "x", mode: "fast" }, "mode must be one of hybrid, keyword, semantic"],
  ["search", { query: "x", max_chars: 100 }, "max_chars must be at least 500"],
  ["search", { query: "x", max_chars: 40_001 }, "max_chars must be at most 40000"],
  ["search", { query: "x", sources: [] }, "sources must be at least 1 entries"],
  ["get_chunk", { chunk_id: "x", before: 21 }, "before must be at most 20"],
  ["index_path", { path: "x", wait_ms: 50_001 }, "wait_ms must be at most 50000"],
  ["read", null, "path must be string, and is missing"],
  ["read", [], "the arguments must be an object"],
] as const)("%s refuses %o", (name, raw, message) => {
  expect(() => parseInput(name, raw)).toThrow(message);
});

test("numbers, flags and lists that came as strings are taken as what they say", () => {
  expect(parseInput("search", { query: "5", limit: "5", offset: " 2 ", sources: "docs" })).toMatchObject({
    query: "5",
    limit: 5,
    offset: 2,
    sources: ["docs"],
  });
  expect(parseInput("search", { query: "true", sources: '["docs", "src"]' })).toMatchObject({
    query: "true",
    sources: ["docs", "src"],
  });
  expect(parseInput("read", { path: "a.md", line_numbers: "True", start_line: "12" })).toMatchObject({
    line_numbers: true,
    start_line: 12,
  });
});

test("an unknown argument is named with those there are", () => {
  expect(() => parseInput("get_chunk", { chunk_id: "x", lines: 3 })).toThrow(
    'unknown argument "lines"; known: chunk_id, before, after, max_chars. Mend it and call get_chunk again.',
  );
  expect(() => parseInput("get_chunk", JSON.parse('{"chunk_id": "x", "__proto__": 1}'))).toThrow("unknown argument");
});

test.each(NAMES)("the schema of %s is strict, described and bounded", (name) => {
  const schema = inputSchema(name);
  expect(schema).toMatchObject({ type: "object", additionalProperties: false });
  for (const property of Object.values(schema.properties as Record<string, Record<string, unknown>>)) {
    expect(property.description).toMatch(/\S/);
    if (property.type === "integer") {
      expect(property.minimum).toBeGreaterThanOrEqual(0);
      expect(property.maximum).toBeLessThanOrEqual(10_000_000);
    }
  }
  expect(JSON.stringify(schema)).not.toMatch(/\$ref|anyOf/);
});

test("nothing but CONFIG_INVALID comes of any input", () => {
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), fc.jsonValue(), (name, raw) => {
      try {
        parseInput(name, raw);
      } catch (error) {
        expect(error).toMatchObject({ code: "CONFIG_INVALID" });
      }
    }),
  );
});
