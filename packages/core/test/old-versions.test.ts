import type { DocumentRecord, VectorStore } from "@docsearch/spec";
import { expect, test } from "vitest";
import { counterparts, oldVersions, readCounterparts } from "../src/ranking/old-versions.js";
import { fact } from "./rule-support.js";

const record = (path: string): DocumentRecord => fact(path, path).document;

test("a file of another collection makes nothing old", () => {
  const isOld = oldVersions([
    { collection: "a", path: "p/v3/a.ts" },
    { collection: "b", path: "p/v4/a.ts" },
    { collection: "b", path: "p/v3/a.ts" },
  ]);
  expect(isOld({ collection: "a", path: "p/v3/a.ts" })).toBe(false);
  expect(isOld({ collection: "b", path: "p/v3/a.ts" })).toBe(true);
  expect(isOld({ collection: "b", path: "p/v4/a.ts" })).toBe(false);
});

test("two equal names, such as index.ts and README.md, make no older version", () => {
  const paths = ["api/index.ts", "api/README.md", "api/v1/index.ts", "api/v1/README.md"];
  const isOld = oldVersions(paths.map((path) => ({ collection: "c", path })));
  expect(paths.filter((path) => isOld({ collection: "c", path }))).toEqual([]);
});

test("counterparts of a file stand beside its version folder and in the next two versions", () => {
  expect(counterparts("q/v1/deep/fields.py")).toEqual([
    "q/deep/fields.py",
    "q/v2/deep/fields.py",
    "q/v3/deep/fields.py",
  ]);
  expect(counterparts("src/fields.py")).toEqual([]);
  expect(counterparts("src/v1.py")).toEqual([]);
});

test("counterparts are asked for in one look-up, within the filter of the search, and only where there is a version", async () => {
  const asked: unknown[] = [];
  const store = {
    listDocuments: async (page: unknown) => {
      asked.push(page);
      return [record("q/a.py")];
    },
  } as unknown as VectorStore;
  const filter = { op: "in", field: "collection", values: ["test"] } as const;

  expect(await readCounterparts(store, [record("src/a.py"), record("src/b.py")], filter, {})).toEqual([]);
  expect(asked).toEqual([]);

  const found = await readCounterparts(store, [record("q/v1/a.py"), record("q/b.py")], filter, {});
  expect(found.map(({ path }) => path)).toEqual(["q/a.py"]);
  const values = ["q/a.py", "q/v2/a.py", "q/v3/a.py"];
  expect(asked).toEqual([{ limit: 3, filter: { op: "and", clauses: [{ op: "in", field: "path", values }, filter] } }]);
});
