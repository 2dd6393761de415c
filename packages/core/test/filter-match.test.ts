import type { DocumentRecord, Filter } from "@docsearch/spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesFilter } from "../src/memory-store/filter-match.js";

const DOCUMENT: DocumentRecord = {
  id: "guide/api.md",
  collection: "docs",
  contentHash: "h",
  mediaType: "text/markdown",
  path: "guide/api.md",
  title: "API",
  metadata: { n: 1.5, zero: 0, yes: true, no: false, text: "1.5", empty: "", "a.b": "dotted" },
};

test.each<[Filter, boolean]>([
  [{ op: "in", field: "id", values: ["x", "guide/api.md"] }, true],
  [{ op: "in", field: "id", values: ["guide/API.md"] }, false],
  [{ op: "in", field: "collection", values: ["docs"] }, true],
  [{ op: "in", field: "path", values: ["guide/api.md"] }, true],
  [{ op: "in", field: "mediaType", values: ["text/markdown"] }, true],
  [{ op: "in", field: "id", values: [] }, false],
  [{ op: "in", field: "metadata.n", values: [1.5] }, true],
  [{ op: "in", field: "metadata.n", values: ["1.5"] }, false],
  [{ op: "in", field: "metadata.text", values: [1.5] }, false],
  [{ op: "in", field: "metadata.zero", values: [false] }, false],
  [{ op: "in", field: "metadata.zero", values: [0] }, true],
  [{ op: "in", field: "metadata.no", values: [false] }, true],
  [{ op: "in", field: "metadata.no", values: [0, "false", ""] }, false],
  [{ op: "in", field: "metadata.yes", values: [1, "true"] }, false],
  [{ op: "in", field: "metadata.empty", values: [""] }, true],
  [{ op: "in", field: "metadata.a.b", values: ["dotted"] }, true],
  [{ op: "in", field: "metadata.a", values: ["dotted"] }, false],
  [{ op: "in", field: "title", values: ["API"] }, false],
  [{ op: "in", field: "contentHash", values: ["h"] }, false],
  [{ op: "prefix", field: "path", value: "guide/" }, true],
  [{ op: "prefix", field: "path", value: "" }, true],
  [{ op: "prefix", field: "path", value: "Guide/" }, false],
  [{ op: "prefix", field: "path", value: "g_ide/" }, false],
  [{ op: "prefix", field: "metadata.n", value: "1" }, false],
  [{ op: "prefix", field: "metadata.none", value: "" }, false],
  [{ op: "prefix", field: "metadata.constructor", value: "" }, false],
  [{ op: "contains", field: "path", value: "/api." }, true],
  [{ op: "contains", field: "path", value: "/a.i" }, false],
  [{ op: "contains", field: "path", value: "%" }, false],
  [{ op: "contains", field: "metadata.yes", value: "" }, false],
  [{ op: "range", field: "metadata.n", min: 1.5 }, true],
  [{ op: "range", field: "metadata.n", max: 1.5 }, true],
  [{ op: "range", field: "metadata.n", min: 1.6 }, false],
  [{ op: "range", field: "metadata.n", max: 1.4 }, false],
  [{ op: "range", field: "metadata.n" }, true],
  [{ op: "range", field: "metadata.text" }, false],
  [{ op: "range", field: "metadata.yes", min: 0, max: 1 }, false],
  [{ op: "range", field: "metadata.none" }, false],
  [{ op: "not", clause: { op: "range", field: "metadata.none" } }, true],
  [{ op: "not", clause: { op: "prefix", field: "path", value: "" } }, false],
  [{ op: "and", clauses: [] }, true],
  [{ op: "or", clauses: [] }, false],
])("%j is %s", (filter, expected) => {
  expect(matchesFilter(filter, DOCUMENT)).toBe(expected);
});

test("a document without a path matches no condition on it", () => {
  const { path: _, ...record } = DOCUMENT;
  for (const filter of [
    { op: "in", field: "path", values: ["", "undefined"] },
    { op: "prefix", field: "path", value: "" },
    { op: "contains", field: "path", value: "" },
  ] satisfies Filter[]) {
    expect(matchesFilter(filter, record)).toBe(false);
    expect(matchesFilter({ op: "not", clause: filter }, record)).toBe(true);
  }
});

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    op: fc.constant("in" as const),
    field: fc.constantFrom("id", "path", "metadata.n", "metadata.none"),
    values: fc.array(fc.constantFrom<string | number | boolean>("guide/api.md", 1.5, "1.5", true), { maxLength: 3 }),
  }),
  fc.record({
    op: fc.constant("range" as const),
    field: fc.constantFrom("metadata.n", "path"),
    min: fc.integer({ min: 0, max: 3 }),
  }),
);
const tree = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.record({ op: fc.constant("not" as const), clause: tie("filter") }),
    fc.record({
      op: fc.constantFrom("and" as const, "or" as const),
      clauses: fc.array(tie("filter"), { maxLength: 3 }),
    }),
  ),
})).filter;

test("trees follow the laws of logic", () => {
  fc.assert(
    fc.property(tree, tree, (a, b) => {
      const holds = (filter: Filter): boolean => matchesFilter(filter, DOCUMENT);
      const not = (clause: Filter): Filter => ({ op: "not", clause });
      expect(holds(not(a))).toBe(!holds(a));
      expect(holds({ op: "and", clauses: [a, b] })).toBe(holds(a) && holds(b));
      expect(holds({ op: "or", clauses: [a, b] })).toBe(holds(a) || holds(b));
      expect(holds(not({ op: "and", clauses: [a, b] }))).toBe(holds({ op: "or", clauses: [not(a), not(b)] }));
    }),
  );
});
