import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSourceTimes, writeSourceTimes } from "../src/source-times.js";

const folder = mkdtempSync(join(tmpdir(), "docsearch-times-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("times are kept by collection; what is no file of times has none", () => {
  const index = join(folder, "index.db");
  expect(readSourceTimes(index)).toEqual(new Map());
  writeSourceTimes(index, ["docs", "__proto__"], 5);
  writeSourceTimes(index, ["src", "docs"], 7);
  expect([...readSourceTimes(index)].sort()).toEqual([
    ["__proto__", 5],
    ["docs", 7],
    ["src", 7],
  ]);
  for (const text of ["", "[]", "7", '{"docs": "soon"}']) {
    writeFileSync(`${index}.times`, text);
    expect(readSourceTimes(index).size).toBe(0);
  }
  writeSourceTimes(join(folder, "none", "index.db"), ["docs"], 1);
});
