import type { IndexSchema, VectorStore } from "@docsearch/spec";
import { afterAll, expect, test } from "vitest";
import { storeConformance } from "../src/index.js";
import { UNTOUCHED_FILTERS } from "./saboteurs/filtering.js";
import { UNTOUCHED } from "./saboteurs/ranking.js";
import { openMemory } from "./saboteurs/saboteur.js";
import { SABOTEURS } from "./saboteurs.js";

type Open = (schema: IndexSchema) => Promise<VectorStore>;

/** Runs the suite, to its end or to the first red case, and returns the names of red cases. */
async function redCases(open: Open, stopAtFirst: boolean): Promise<string[]> {
  const cases: [name: string, body: () => Promise<void>][] = [];
  storeConformance({ test: (name, body) => cases.push([name, body]), open });
  const red: string[] = [];
  for (const [name, body] of cases) {
    try {
      await body();
    } catch {
      red.push(name);
      if (stopAtFirst) break;
    }
  }
  return red;
}

test("the names of saboteurs are unique, and there are enough", () => {
  expect(new Set(SABOTEURS.map(({ name }) => name)).size).toBe(SABOTEURS.length);
  expect(SABOTEURS.length).toBeGreaterThanOrEqual(150);
});

test.each([
  ["the memory store", openMemory],
  ["the search that saboteurs of ranking change", UNTOUCHED.open],
  ["the filters that saboteurs of filtering change", UNTOUCHED_FILTERS.open],
])("every case is green for %s", async (_, open) => {
  expect(await redCases(open, false)).toEqual([]);
});

const report: string[] = [];

test.each(SABOTEURS)("caught: $name", async ({ name, open }) => {
  const [first] = await redCases(open, true);
  expect(first).toBeDefined();
  report.push(`${name} -> ${first}`);
});

// The names of the cases are the point of this test; a reporter shows them when asked for output.
afterAll(() => {
  console.log(report.join("\n"));
});
