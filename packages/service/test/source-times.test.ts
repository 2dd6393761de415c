import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSourceTimes, timeOfDocument, writeSourceTimes } from "../src/source-times.js";

const folder = mkdtempSync(join(tmpdir(), "docsearch-times-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("times are kept by collection; what is no file of times has none", () => {
  const index = join(folder, "index.db");
  expect(readSourceTimes(index)).toEqual(new Map());
  writeSourceTimes(index, [{ collection: "docs" }, { collection: "__proto__" }], 5);
  writeSourceTimes(index, [{ collection: "src" }, { collection: "docs" }], 7);
  expect([...readSourceTimes(index)].sort()).toEqual([
    ["__proto__", 5],
    ["docs", 7],
    ["src", 7],
  ]);
  for (const text of ["", "[]", "7", '{"docs": "soon"}']) {
    writeFileSync(`${index}.times`, text);
    expect(readSourceTimes(index).size).toBe(0);
  }
  writeSourceTimes(join(folder, "none", "index.db"), [{ collection: "docs" }], 1);
});

test("a document is as new as the newest run over it; a run over the whole collection forgets those over parts", () => {
  const index = join(folder, "parts.db");
  const timeOf = (id: string): number | undefined => timeOfDocument(readSourceTimes(index), "docs", id);
  writeSourceTimes(index, [{ collection: "docs", part: "docs/a.md" }], 3);
  expect(timeOf("docs/a.md")).toBeUndefined();
  writeSourceTimes(index, [{ collection: "docs" }], 5);
  writeSourceTimes(index, [{ collection: "docs", part: "docs/guide" }], 8);
  writeSourceTimes(
    index,
    [
      { collection: "docs", part: "docs/guide/a.md" },
      { collection: "src", part: "docs/b.md" },
    ],
    9,
  );
  expect(["docs/a.md", "docs/b.md", "docs/guide/x.md", "docs/guide/a.md", "docs/guides.md"].map(timeOf)).toEqual([
    5, 5, 8, 9, 5,
  ]);
  writeSourceTimes(index, [{ collection: "docs" }], 10);
  expect([...readSourceTimes(index)]).toEqual([
    ["docs", 10],
    ["src\0docs/b.md", 9],
  ]);
});

test("of more parts than are kept the oldest are forgotten", () => {
  const index = join(folder, "many.db");
  const parts = Array.from({ length: 250 }, (_, i) => ({ collection: "docs", part: `${i}.md` }));
  writeSourceTimes(index, parts, 1);
  const kept = [...readSourceTimes(index).keys()];
  expect(kept).toHaveLength(200);
  expect(kept[0]).toBe("docs\u000050.md");
});
