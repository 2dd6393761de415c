import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { ChunkOptions, ChunkResult } from "@docsearch/spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHARACTERS, chunk, chunker, document } from "./chunk.js";
import { expectCeiling, expectCoverage, expectOffsets } from "./invariants.js";
import { MARKS, markdown } from "./markdown-arbitrary.js";
import { mdastBlocks } from "./mdast-blocks.js";

const anyText = fc.oneof(
  { weight: 4, arbitrary: markdown },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: "binary", maxLength: 400 })
      .map((text) => text.replace(/\0/g, ""))
      .filter((text) => text.isWellFormed()),
  },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 400 }) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...MARKS), { maxLength: 120 }).map((marks) => marks.join("")) },
);
/** A counter of tokens that is no multiple of the length: words and marks. */
const tokens = (text: string): number => text.match(/\w+|[^\w\s]/g)?.length ?? 0;
const anyOptions: fc.Arbitrary<ChunkOptions> = fc
  .record({
    maxSize: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 40, max: 400 })),
    share: fc.constantFrom(0, 0, 0.1, 0.5, 0.9),
    measure: fc.constantFrom(CHARACTERS.measure, tokens),
  })
  .map(({ maxSize, share, measure }) => ({ maxSize, overlap: Math.floor(maxSize * share), measure }));

function expectGuarantees(text: string, result: ChunkResult, options: ChunkOptions): void {
  expectOffsets(text, result);
  expectCoverage(text, result, options.overlap === 0);
  expectCeiling(result, options);
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** No chunk begins or ends inside a grapheme that fits a chunk. */
function expectWholeGraphemes(text: string, { chunks }: ChunkResult, { maxSize }: ChunkOptions): void {
  const inside = new Set<number>();
  for (const { segment, index } of graphemes.segment(text)) {
    if (segment.length <= maxSize / 4) for (let at = index + 1; at < index + segment.length; at++) inside.add(at);
  }
  for (const { span } of chunks) {
    expect(inside.has(span.startOffset), `start at ${span.startOffset}`).toBe(false);
    expect(inside.has(span.endOffset), `end at ${span.endOffset}`).toBe(false);
  }
}

describe("for any text and options", () => {
  for (const name of ["page.md", "page.mdx"]) {
    test(`${name}: slices, coverage, order, lines, ceiling`, () => {
      fc.assert(
        fc.property(anyText, anyOptions, (text, options) => {
          expectGuarantees(text, chunk(text, options, name), options);
        }),
        { numRuns: 500 },
      );
    });
  }

  test("no cut inside a grapheme", () => {
    const options = anyOptions.map((any) => ({ ...any, measure: CHARACTERS.measure }));
    fc.assert(
      fc.property(anyText, options, (text, any) => expectWholeGraphemes(text, chunk(text, any), any)),
      { numRuns: 500 },
    );
  });

  test("no cut inside a code block that fits", () => {
    fc.assert(
      fc.property(markdown, fc.integer({ min: 30, max: 300 }), (text, maxSize) => {
        const { chunks } = chunk(text, { maxSize });
        const { blocks, lines } = mdastBlocks(text);
        for (const { kind, depth, startLine, endLine } of blocks) {
          const start = lines.start(startLine);
          const end = text.slice(0, lines.start(endLine)).trimEnd().length;
          // Title and headings leave at least a quarter of the room.
          if (kind !== "fence" || depth > 0 || end - start > maxSize / 4) continue;
          const holds = chunks.some(({ span }) => span.startOffset <= start && end <= span.endOffset);
          expect(holds, text.slice(start, end)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("the same text gives the same chunks, whatever came between", () => {
    fc.assert(
      fc.property(anyText, anyText, anyOptions, (text, other, options) => {
        const first = chunk(text, options);
        chunk(other, options, "other.mdx");
        expect(chunk(text, options)).toEqual(first);
      }),
      { numRuns: 100 },
    );
  });

  test("a longer document keeps the chunks of the sections that did not change", () => {
    fc.assert(
      fc.property(fc.array(markdown, { minLength: 2, maxLength: 6 }), fc.nat(5), anyOptions, (bodies, at, options) => {
        const sections = bodies.map((body, index) => `# Section ${index}\n\n${body.replace(/[`~$<{:|#=-]/g, "")}\n\n`);
        const changed = sections.with(at % sections.length, `${sections[at % sections.length]}One paragraph more.\n\n`);
        const identities = (parts: string[]): string[] =>
          chunk(parts.join(""), options)
            .chunks.filter(({ headingPath }) => headingPath[0] !== `Section ${at % sections.length}`)
            .map(({ headingPath, text }) => JSON.stringify([headingPath, text]));
        expect(identities(changed)).toEqual(identities(sections));
      }),
      { numRuns: 100 },
    );
  });
});

describe("for real pages", () => {
  const root = path.dirname(createRequire(import.meta.url).resolve("bun-types/package.json"));
  const pages = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.mdx?$/.test(file))
    .toSorted()
    .filter((_, index) => index % 10 === 0);
  const fixtures = new URL("./fixtures/cases/", import.meta.url);
  const texts = [
    ...pages.map((file) => ({ file, text: readFileSync(path.join(root, file), "utf8") })),
    ...readdirSync(fixtures).map((file) => ({ file, text: readFileSync(new URL(file, fixtures), "utf8") })),
  ];

  for (const options of [
    CHARACTERS,
    { ...CHARACTERS, maxSize: 200 },
    { ...CHARACTERS, maxSize: 600, overlap: 100 },
    { maxSize: 120, overlap: 20, measure: tokens },
  ]) {
    test(`${texts.length} pages at ${options.maxSize}, overlap ${options.overlap}`, () => {
      for (const { file, text } of texts) {
        const result = chunker.chunk(document(text, file), options);
        expectGuarantees(text, result, options);
        const crlf = text.replace(/\r?\n/g, "\r\n");
        expectGuarantees(crlf, chunker.chunk(document(crlf, file), options), options);
      }
    });
  }
});
