import { markdownChunker } from "@docsearch/chunker-markdown";
import type { ChunkerFactory } from "@docsearch/spec";
import { expect, test } from "vitest";
import { evaluate, knownItemQueries } from "../src/index.js";
import { indexOf, textDocument } from "./support.js";

const page = (path: string, text: string) => textDocument(path, text, { mediaType: "text/markdown" });

const site = [
  page(
    "docs/index.md",
    `# Welcome here

See [how jobs are tried again](./guide/jobs.md#retrying-failed-work), [read more](./guide/jobs.md),
the [queue of waiting work](/guide/jobs), [Working with jobs](guide/jobs.md), [outside](https://example.com/a b),
[no such page](./gone.md) and [this very page](#welcome-here).

## Common heading

Text.
`,
  ),
  page(
    "docs/guide/jobs.md",
    `---
description: Runs work in the background and looks after it.
---
# Working with jobs

A job is work for later.

## Retrying failed work

Three times, then it is buried.

### How long to wait

Twice as long each time.

## Common heading

Text. Go [back to the start page](../index.md).
`,
  ),
  page(
    "docs/other.md",
    "---\ndescription: Too short.\n---\n# Single\n\nSee [how jobs are tried again](guide/jobs.md#retrying-failed-work).\n",
  ),
];

const withMarkdown = { chunkers: [markdownChunker()] };

test("descriptions, headings and link texts ask for what they belong to", async () => {
  const docsearch = await indexOf(site, withMarkdown);
  const { queries, kinds } = await knownItemQueries(docsearch);
  expect(kinds).toEqual([
    { kind: "description", found: 1, drawn: 1 },
    { kind: "heading", found: 4, drawn: 4 },
    { kind: "link", found: 3, drawn: 3 },
  ]);
  const byId = Object.fromEntries(queries.map(({ id, relevant, exclude }) => [id, { ...relevant[0], exclude }]));
  expect(byId).toEqual({
    "description: Runs work in the background and looks after it.": {
      documentId: "docs/guide/jobs.md",
      exclude: undefined,
    },
    "heading: Welcome here": { documentId: "docs/index.md", startLine: 1, endLine: 9, exclude: undefined },
    "heading: Working with jobs": { documentId: "docs/guide/jobs.md", startLine: 4, endLine: 18, exclude: undefined },
    // The section holds its subsection and ends where the next one of its level begins.
    "heading: Retrying failed work": {
      documentId: "docs/guide/jobs.md",
      startLine: 8,
      endLine: 15,
      exclude: undefined,
    },
    "heading: How long to wait": { documentId: "docs/guide/jobs.md", startLine: 12, endLine: 15, exclude: undefined },
    "link: how jobs are tried again": {
      documentId: "docs/guide/jobs.md",
      startLine: 8,
      endLine: 15,
      exclude: expect.arrayContaining(["docs/index.md", "docs/other.md"]),
    },
    "link: queue of waiting work": { documentId: "docs/guide/jobs.md", exclude: ["docs/index.md"] },
    "link: back to the start page": { documentId: "docs/index.md", exclude: ["docs/guide/jobs.md"] },
  });

  const run = await evaluate(docsearch, queries, { metrics: ["mrr@10", "section-hit@5"] });
  const headings = run.arms[0]?.kinds.find(({ kind }) => kind === "heading");
  expect(headings?.metrics).toEqual({ "mrr@10": 1, "section-hit@5": 1 });
  await docsearch.close();
});

test("the sample is no larger than asked for, and the same for the same seed", async () => {
  const docsearch = await indexOf(site, withMarkdown);
  const ids = async (options: { sample?: number; seed?: number }) =>
    (await knownItemQueries(docsearch, options)).queries.map(({ id }) => id);
  const two = await ids({ sample: 2, seed: 5 });
  expect(two).toHaveLength(5);
  expect(await ids({ sample: 2, seed: 5 })).toEqual(two);
  expect(await ids({ sample: 2, seed: 6 })).not.toEqual(two);
  await docsearch.close();
});

test("an index without documents has no query", async () => {
  const docsearch = await indexOf([]);
  expect(await knownItemQueries(docsearch)).toEqual({
    queries: [],
    kinds: [
      { kind: "description", found: 0, drawn: 0 },
      { kind: "heading", found: 0, drawn: 0 },
      { kind: "link", found: 0, drawn: 0 },
    ],
  });
  await docsearch.close();
});

test("the documentation of a definition asks for it by its first sentence", async () => {
  const symbol = { name: "retry", kind: "function", qualifiedName: "retry", line: 2, endLine: 4 };
  const documentation = "Tries the work again after a while. Gives up after three times.";
  const code: ChunkerFactory = {
    specVersion: 1,
    name: "code",
    id: "code@1",
    load: async () => ({
      specVersion: 1,
      id: "code@1",
      supports: () => true,
      chunk: ({ text }) => ({
        chunks: [
          {
            text,
            span: { startOffset: 0, endOffset: text.length, startLine: 1, endLine: 4 },
            headingPath: [],
            metadata: {},
            symbols: [
              { ...symbol, documentation },
              { ...symbol, name: "other" },
            ],
          },
        ],
        outline: [],
        diagnostics: [],
      }),
    }),
  };
  const docsearch = await indexOf([textDocument("a.py", "# tries\ndef retry():\n  pass\n  pass")], {
    chunkers: [code],
  });
  const { queries } = await knownItemQueries(docsearch);
  expect(queries).toEqual([
    {
      id: "docstring: Tries the work again after a while.",
      query: "Tries the work again after a while.",
      kind: "docstring",
      relevant: [{ documentId: "a.py", startLine: 1, endLine: 4 }],
    },
  ]);
});
