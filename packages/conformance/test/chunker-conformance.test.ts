import type { ChunkDraft, ChunkResult, Document } from "@docsearch/spec";
import { expect, test } from "vitest";
import { type ChunkerSample, chunkerConformance } from "../src/index.js";
import { redTests } from "./doubles/collect.js";
import { draft, lineChunker } from "./doubles/line-chunker.js";

const DOCUMENT: Document = {
  id: "a.txt",
  collection: "docs",
  text: `# One\n\ntext 👩‍💻 of one\r\n${"more text\n".repeat(80)}# Two\n${"and more ".repeat(60)}\n`,
  contentHash: "0",
  mediaType: "text/plain",
  path: "a.txt",
  metadata: {},
};
const SAMPLES: readonly ChunkerSample[] = [{ document: DOCUMENT }];

const SAMPLE_TEST = "chunker: the invariants hold for the samples, 120 characters";
const HOSTILE_TEST = "chunker: the invariants hold for hostile texts as text/plain .txt, 120 characters";
const RANDOM_TEST = "chunker: the invariants hold for random texts as text/plain .txt, 120 characters";
const SAME_TEST = "chunker: the same input gives the same output, whatever came before";

type Change = NonNullable<Parameters<typeof lineChunker>[0]>;

async function run(change?: Change, samples = SAMPLES): Promise<string[]> {
  // One chunker for all tests, as a broken one would have it.
  const chunker = lineChunker(change);
  return await redTests((collect) => chunkerConformance({ test: collect, load: async () => chunker, samples }));
}

function eachChunk(change: (chunk: ChunkDraft, index: number, document: Document) => ChunkDraft): Change {
  return (result, document) => ({ ...result, chunks: result.chunks.map((chunk, i) => change(chunk, i, document)) });
}

function chunks(change: (chunks: readonly ChunkDraft[], document: Document) => readonly ChunkDraft[]): Change {
  return (result, document) => ({ ...result, chunks: change(result.chunks, document) });
}

test("every test is green for a right chunker", async () => {
  expect(await run()).toEqual([]);
});

test("front matter need not be in a chunk, and must be declared", async () => {
  const text = `---\ntitle: x\n---\n${DOCUMENT.text}`;
  const withoutFrontMatter = chunks((list, document) => (document.text.startsWith("---") ? list.slice(1) : list));
  const cut = (result: ChunkResult, document: Document): ChunkResult =>
    withoutFrontMatter(result, document, undefined as never);
  const frontMatterEnd = lineChunker().chunk(
    { ...DOCUMENT, text },
    { maxSize: 120, overlap: 0, measure: (t) => t.length },
  ).chunks[0]!.span.endOffset;
  const declared = await run(cut, [{ document: { ...DOCUMENT, text }, frontMatterEnd }]);
  expect(declared).not.toContain(SAMPLE_TEST);
  expect(await run(cut, [{ document: { ...DOCUMENT, text } }])).toContain(SAMPLE_TEST);
});

test("samples are needed, and they have to be supported", async () => {
  expect(() => chunkerConformance({ test: () => {}, load: async () => lineChunker(), samples: [] })).toThrow(
    "chunkerConformance needs at least one sample",
  );
  const other = { document: { ...DOCUMENT, mediaType: "text/html" } };
  expect(await run(undefined, [other])).toEqual(["chunker: version and id are set, and the samples are supported"]);
});

let calls = 0;

test.each<[fault: string, change: Change, red: string]>([
  ["texts are trimmed", eachChunk((chunk) => ({ ...chunk, text: chunk.text.trim() })), SAMPLE_TEST],
  [
    "line ends are normalised",
    eachChunk((chunk) => ({ ...chunk, text: chunk.text.replace(/\r\n/gu, "\n") })),
    SAMPLE_TEST,
  ],
  [
    "offsets count bytes",
    eachChunk((chunk, _, { text }) => ({
      ...chunk,
      span: { ...chunk.span, startOffset: Buffer.byteLength(text.slice(0, chunk.span.startOffset)) },
    })),
    SAMPLE_TEST,
  ],
  [
    "lines are 0-based",
    eachChunk((chunk) => ({ ...chunk, span: { ...chunk.span, startLine: chunk.span.startLine - 1 } })),
    SAMPLE_TEST,
  ],
  [
    "the end line is exclusive",
    eachChunk((chunk) => ({ ...chunk, span: { ...chunk.span, endLine: chunk.span.endLine + 1 } })),
    SAMPLE_TEST,
  ],
  ["the last chunk is lost", chunks((list) => list.slice(0, -1)), SAMPLE_TEST],
  ["a chunk in the middle is lost", chunks((list) => list.filter((_, i) => i !== 1)), SAMPLE_TEST],
  ["short texts are lost", chunks((list) => list.filter(({ text }) => text.trim().length > 1)), HOSTILE_TEST],
  ["chunks come backwards", chunks((list) => [...list].reverse()), SAMPLE_TEST],
  [
    "a chunk comes twice",
    chunks((list) => list.flatMap((chunk, i) => (i === 1 ? [chunk, chunk] : [chunk]))),
    SAMPLE_TEST,
  ],
  [
    "chunks repeat more than the overlap",
    chunks((list, { text }) =>
      list.map((chunk, i) => (i === 0 ? chunk : draft(text, chunk.span.startOffset - 1, chunk.span.endOffset - 1))),
    ),
    SAMPLE_TEST,
  ],
  [
    "chunks are as long as the text",
    chunks((_, { text }) => (text.trim() === "" ? [] : [draft(text, 0, text.length)])),
    SAMPLE_TEST,
  ],
  [
    "chunks are cut inside surrogate pairs",
    chunks((_, { text }) =>
      Array.from({ length: Math.ceil(text.length / 99) }, (_, i) =>
        draft(text, i * 99, Math.min(text.length, (i + 1) * 99)),
      ),
    ),
    HOSTILE_TEST,
  ],
  [
    "an empty chunk stands for an empty text",
    (result, document) => (document.text === "" ? { ...result, chunks: [draft("", 0, 0)] } : result),
    HOSTILE_TEST,
  ],
  [
    "anchors come twice",
    (result) => ({
      ...result,
      outline: result.outline.map((entry) => ({ ...entry, anchor: "x" })),
      chunks: result.chunks.map(({ anchor: _, ...chunk }) => chunk),
    }),
    SAMPLE_TEST,
  ],
  [
    "anchors are not those of the outline",
    eachChunk((chunk) => (chunk.anchor === undefined ? chunk : { ...chunk, anchor: `#${chunk.anchor}` })),
    SAMPLE_TEST,
  ],
  [
    "an outline entry is its own parent",
    (result) => ({ ...result, outline: result.outline.map((entry, parent) => ({ ...entry, parent })) }),
    SAMPLE_TEST,
  ],
  [
    "headings are not folded",
    (result) => ({ ...result, outline: result.outline.map((entry) => ({ ...entry, heading: `${entry.heading} ` })) }),
    SAMPLE_TEST,
  ],
  [
    "a level is 0",
    (result) => ({ ...result, outline: result.outline.map((entry) => ({ ...entry, level: 0 })) }),
    SAMPLE_TEST,
  ],
  ["headings come backwards", (result) => ({ ...result, outline: [...result.outline].reverse() }), SAMPLE_TEST],
  [
    "zones lie outside the chunk",
    eachChunk((chunk) => ({
      ...chunk,
      zones: [{ kind: "code", startOffset: chunk.span.startOffset, endOffset: chunk.span.endOffset + 1 }],
    })),
    SAMPLE_TEST,
  ],
  [
    "zones overlap",
    eachChunk((chunk) => ({
      ...chunk,
      zones: [0, 0].map(() => ({ kind: "code", startOffset: chunk.span.startOffset, endOffset: chunk.span.endOffset })),
    })),
    SAMPLE_TEST,
  ],
  [
    "links stand in other lines",
    eachChunk((chunk) => ({ ...chunk, links: [{ target: "x", text: "x", line: chunk.span.endLine + 1 }] })),
    SAMPLE_TEST,
  ],
  ["standalone text equals the text", eachChunk((chunk) => ({ ...chunk, standaloneText: chunk.text })), SAMPLE_TEST],
  ["metadata is nested", (result) => ({ ...result, metadata: { tags: ["a"] as unknown as string } }), SAMPLE_TEST],
  ["the title is blank", (result) => ({ ...result, title: " " }), SAMPLE_TEST],
  [
    "a counter goes on between calls",
    (result) => ({ ...result, diagnostics: [{ message: `call ${calls++}` }] }),
    SAME_TEST,
  ],
  [
    "the document is changed",
    (result, document) => {
      Object.assign(document, { text: "" });
      return result;
    },
    SAMPLE_TEST,
  ],
  [
    "brackets throw",
    (result, { text }) => {
      if (text.includes("[[[[")) throw new RangeError("Maximum call stack size exceeded");
      return result;
    },
    HOSTILE_TEST,
  ],
  [
    "a control character throws",
    (result, { text }) => {
      if (text.includes("\u0002")) throw new SyntaxError("unexpected character");
      return result;
    },
    RANDOM_TEST,
  ],
])("caught: %s", async (_, change, red) => {
  expect(await run(change)).toContain(red);
});
