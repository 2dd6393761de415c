import type { Filter } from "@docsearch/spec";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore, page, removal, temporaryPaths, term, textIds, WRITE } from "./support.js";

const newPath = temporaryPaths();

let store: Awaited<ReturnType<typeof openStore>>;

beforeAll(async () => {
  store = await openStore(newPath(), WRITE);
  await store.write([
    page("gone", [{}], { path: "docs_v1/a.md" }),
    page("a", [{}], { path: "docs_v1/a.md", metadata: { n: 1, "dotted.key": "x", "quo'te\"\\": "y", flag: true } }),
    page("b", [{}], { path: "docsXv1/a.md", metadata: { n: "1", flag: "true", huge: 1e300 } }),
    page("c", [{}], { path: "100%/É.md", metadata: { n: 0.1, flag: false, "": "empty key" } }),
    page("d", [{}], { mediaType: "text/html", metadata: { n: -2.5, constructor: 0 } }),
    page("x' OR 1=1 --", [{}], { path: "o'clock/back\\slash.md", collection: "api" }),
    removal("gone"),
  ]);
});
afterAll(() => store.close());

async function matching(filter: Filter): Promise<string> {
  const records = await store.listDocuments({ limit: 100, filter });
  return records.map(({ id }) => id[0]).join("");
}

const leaf = (op: "prefix" | "contains", field: string, value: string): Filter => ({ op, field, value });
const among = (field: string, ...values: readonly (string | number | boolean)[]): Filter => ({
  op: "in",
  field,
  values,
});

test.each<[Filter, string]>([
  [among("id", "a", "d", "gone"), "ad"],
  [among("id", "x' OR 1=1 --"), "x"],
  [among("collection", "api"), "x"],
  [among("mediaType", "text/html"), "d"],
  [among("path", "docs_v1/a.md"), "a"],
  [among("path", "DOCS_V1/a.md"), ""],
  [among("path"), ""],
  [among("id", 1, true), ""],
  [among("title", "a"), ""],
  [among("nonsense", "a"), ""],
  [leaf("prefix", "path", "docs_v1"), "a"],
  [leaf("prefix", "path", "docs"), "ab"],
  [leaf("prefix", "path", "100%"), "c"],
  [leaf("prefix", "path", ""), "abcx"],
  [leaf("prefix", "path", "v1"), ""],
  [leaf("contains", "path", "_v1"), "a"],
  [leaf("contains", "path", "\\"), "x"],
  [leaf("contains", "path", "É"), "c"],
  [leaf("contains", "path", "é"), ""],
  [leaf("contains", "path", ""), "abcx"],
  [{ op: "range", field: "path" }, ""],
])("of columns: %j", async (filter, expected) => {
  expect(await matching(filter)).toBe(expected);
});

test.each<[Filter, string]>([
  [among("metadata.n", 1), "a"],
  [among("metadata.n", "1"), "b"],
  [among("metadata.n", 0.1, "1", true), "bc"],
  [among("metadata.n", Number.NaN, Number.POSITIVE_INFINITY), ""],
  [among("metadata.huge", 1e300), "b"],
  [among("metadata.flag", true), "a"],
  [among("metadata.flag", false), "c"],
  [among("metadata.flag", "true"), "b"],
  [among("metadata.flag", 1, 0), ""],
  [among("metadata.dotted.key", "x"), "a"],
  [among("metadata.quo'te\"\\", "y"), "a"],
  [among("metadata.", "empty key"), "c"],
  [among("metadata.constructor", 0), "d"],
  [among("metadata.toString", 0), ""],
  [leaf("prefix", "metadata.flag", "tr"), "b"],
  [leaf("contains", "metadata.n", ""), "b"],
  [{ op: "range", field: "metadata.n" }, "acd"],
  [{ op: "range", field: "metadata.n", min: 0.1 }, "ac"],
  [{ op: "range", field: "metadata.n", max: 0.1 }, "cd"],
  [{ op: "range", field: "metadata.n", min: 0.1, max: 0.1 }, "c"],
  [{ op: "range", field: "metadata.n", min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }, "acd"],
  [{ op: "range", field: "metadata.n", min: Number.NaN }, ""],
  [{ op: "range", field: "metadata.flag", min: 0 }, ""],
])("of metadata: %j", async (filter, expected) => {
  expect(await matching(filter)).toBe(expected);
});

test.each<[Filter, string]>([
  [{ op: "and", clauses: [] }, "abcdx"],
  [{ op: "or", clauses: [] }, ""],
  [{ op: "not", clause: leaf("prefix", "path", "docs") }, "cdx"],
  [{ op: "not", clause: { op: "and", clauses: [] } }, ""],
  [{ op: "and", clauses: [leaf("prefix", "path", "docs"), { op: "not", clause: among("metadata.n", 1) }] }, "b"],
  [{ op: "or", clauses: [among("id", "c"), among("metadata.n", 1)] }, "ac"],
])("of trees: %j", async (filter, expected) => {
  expect(await matching(filter)).toBe(expected);
});

test("a filter may be deeper and longer than what SQLite takes", async () => {
  let deep: Filter = among("id", "a");
  for (let i = 0; i < 600; i++) deep = { op: "not", clause: { op: "not", clause: deep } };
  expect(await matching(deep)).toBe("a");
  expect(await matching(among("id", ...Array.from({ length: 50_000 }, (_, i) => `none${i}`), "b"))).toBe("b");
});

test("documents that the filter leaves out take no place in the limit", async () => {
  const records = await store.listDocuments({ limit: 2, after: "a", filter: { op: "not", clause: among("id", "b") } });
  expect(records.map(({ id }) => id)).toEqual(["c", "d"]);
  expect(await textIds(store, term("word"), 2)).toEqual(["a#0", "b#0"]);
});
