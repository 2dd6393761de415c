import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { markdownChunker } from "@docsearch/chunker-markdown";
import { createDocsearch, type Docsearch } from "@docsearch/core";
import { staticEmbedder } from "@docsearch/embedder-static";
import { fileSource } from "@docsearch/source-fs";
import { sqliteStore } from "@docsearch/store-sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EvalRun, evaluate, parseQuerySet } from "../src/index.js";

// The documentation of Bun, 1,398 pages, and thirty queries written by hand: what a user meets after the first index
// run may not become worse unnoticed. The figures are those of eval/results.json; `node eval/run.mjs` makes them anew.
const EVAL = new URL("../../../eval/", import.meta.url);
const ALLOWED_LOSS = 0.02;

interface Results {
  readonly rows: readonly { readonly name: string; readonly values: Readonly<Record<string, number>> }[];
}

let folder: string;
let docsearch: Docsearch;
let run: EvalRun;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docsearch-eval-"));
  docsearch = await createDocsearch({
    store: sqliteStore({ path: join(folder, "index.db") }),
    embedder: staticEmbedder(),
    chunkers: [markdownChunker()],
  });
  const root = dirname(createRequire(import.meta.url).resolve("bun-types/package.json"));
  await docsearch.index({ documents: fileSource({ root, include: ["**/*.md", "**/*.mdx"] }).read() });
  const queries = parseQuerySet(readFileSync(new URL("queries.jsonl", EVAL), "utf8"), "queries.jsonl");
  run = await evaluate(docsearch, queries, { metrics: ["mrr@10", "hit@3"] });
});

afterAll(async () => {
  await docsearch?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the pages and the queries are the committed ones", () => {
  expect(run.index.documents).toBe(1398);
  expect(run.missing).toEqual([]);
});

test.each([
  ["mrr@10", "bun, 30 queries"],
  ["hit@3", "bun, 30 queries, hit@3"],
])("%s is not below the committed figures", (metric, row) => {
  const { rows } = JSON.parse(readFileSync(new URL("results.json", EVAL), "utf8")) as Results;
  const committed = rows.find(({ name }) => name === row)?.values;
  const lost = run.arms.flatMap(({ name, metrics: { [metric]: value = 0 } }) => {
    const least = (committed?.[name] ?? 1) - ALLOWED_LOSS;
    return value >= least ? [] : [`${name}: ${value.toFixed(3)} is below ${least.toFixed(3)}`];
  });
  expect(run.arms).toHaveLength(4);
  expect(lost).toEqual([]);
});

test("a question that says nothing of a watch mode has the test runner's watch mode among its first three", async () => {
  const query = "how do I run my unit tests again when a file changes";
  const { results } = await docsearch.search({ query, limit: 3 });
  const found = results.map(({ document, chunk }) => [document.path, chunk.headingPath.at(-1)]);
  expect(found).toContainEqual(["docs/test/index.mdx", "Watch mode"]);
});
