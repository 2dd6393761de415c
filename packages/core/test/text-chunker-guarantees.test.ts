import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { ChunkOptions, ChunkResult } from "@docsearch/spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHARACTERS, chunk } from "./text-chunk.js";
import { expectCeiling, expectCoverage, expectOutline, expectSpans } from "./text-guarantees.js";
import { LOG, MAIL, MANUAL, RFC } from "./text-samples.js";

const word = fc.constantFrom("tide", "Pier", "NORTH", "e.g.", "Dr.", "42", "灯台", "лодка", "a=b;", "👩‍👩‍👧", "\u0301");
const sentence = fc
  .array(word, { minLength: 1, maxLength: 12 })
  .chain((words) => fc.constantFrom(".", "", ":", "?").map((end) => words.join(" ") + end));
const paragraph = fc
  .array(sentence, { minLength: 1, maxLength: 8 })
  .chain((sentences) => fc.constantFrom(" ", "\n").map((gap) => sentences.join(gap)));
const name = fc.constantFrom(
  "Tide",
  "The north pier",
  "LAMPS AND OIL",
  "2.1 Depths",
  "3. Gates",
  "IV. Ships",
  "v1.2.3",
);
const block = fc.oneof(
  { weight: 6, arbitrary: paragraph },
  { weight: 2, arbitrary: name },
  name.chain((text) => fc.constantFrom("=", "-", "~").map((mark) => `${text}\n${mark.repeat(text.length)}`)),
  name.map((text) => `== ${text} ==`),
  paragraph.map((text) => text.replace(/^/gm, "    ")),
  paragraph.map((text) => text.replace(/^/gm, "> ")),
  fc.array(sentence, { minLength: 1, maxLength: 6 }).map((items) => items.map((item) => `- ${item}`).join("\n")),
  fc.nat(59).map((second) => `2026-11-30 09:00:${String(second).padStart(2, "0")} gate moved`),
  fc.constant("From: a@b.example\nTo: c@d.example\nSubject: Tide"),
  fc.constantFrom("\f", "-----", "=====", "\t\t", " "),
  paragraph.map((text) => text.repeat(12)),
);
const layout = fc
  .array(fc.tuple(block, fc.constantFrom("\n", "\n\n", "\n\n\n", "\n\f\n")), { maxLength: 40 })
  .map((blocks) => blocks.map((parts) => parts.join("")).join(""));
const anyText = fc
  .oneof(
    { weight: 5, arbitrary: layout },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 400 }) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 400 }).filter((text) => text.isWellFormed()) },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.constantFrom("\n", "\r", "\r\n", "\f", " ", "\t", "=", "-", "a", "B", "1.", ">", "\ufeff"), {
          maxLength: 120,
        })
        .map((marks) => marks.join("")),
    },
  )
  .chain((text) => fc.constantFrom("\n", "\r\n", "\r").map((end) => text.replaceAll("\n", end)));

/** A counter of tokens that is no multiple of the length: words and marks. */
const tokens = (text: string): number => text.match(/\w+|[^\w\s]/g)?.length ?? 0;
const anyOptions: fc.Arbitrary<ChunkOptions> = fc
  .record({
    maxSize: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 40, max: 400 }), fc.constant(1500)),
    share: fc.constantFrom(0, 0, 0.1, 0.5, 0.9),
    measure: fc.constantFrom(CHARACTERS.measure, tokens),
  })
  .map(({ maxSize, share, measure }) => ({ maxSize, overlap: Math.floor(maxSize * share), measure }));
const anyType = fc.constantFrom("text/plain", "text/plain", "text/x-c", "message/rfc822");

function expectGuarantees(text: string, result: ChunkResult, options: ChunkOptions): void {
  expectSpans(text, result);
  expectCoverage(text, result, options);
  expectCeiling(result, options);
  expectOutline(text, result);
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

describe("for any text and options", () => {
  test("slices, coverage, order, lines, ceiling, outline", () => {
    fc.assert(
      fc.property(anyText, anyOptions, anyType, (text, options, mediaType) => {
        expectGuarantees(text, chunk(text, options, { mediaType }), options);
      }),
      { numRuns: 1000 },
    );
  });

  test("a paragraph that fits is never cut", () => {
    const prose = fc.array(
      fc.array(fc.constantFrom("the", "tide", "comes", "in.", "Then", "it", "goes"), { minLength: 3, maxLength: 150 }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(prose, fc.integer({ min: 40, max: 2000 }), (words, maxSize) => {
        const paragraphs = words.map((each) => `so ${each.join(" ")}`);
        const text = paragraphs.join("\n\n");
        const { chunks } = chunk(text, { maxSize });
        const passage = text.length > 2 * maxSize ? Math.max(Math.min(600, maxSize), 0.4 * maxSize) : maxSize;
        let at = 0;
        for (const each of paragraphs) {
          const start = text.indexOf(each, at);
          at = start + each.length;
          if (each.length > passage) continue;
          const holds = chunks.some(({ span }) => span.startOffset <= start && at <= span.endOffset);
          expect(holds, each).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("no cut inside a grapheme that fits", () => {
    const options = anyOptions.map((any) => ({ ...any, measure: CHARACTERS.measure }));
    fc.assert(
      fc.property(anyText, options, (text, any) => {
        const inside = new Set<number>();
        for (const { segment, index } of graphemes.segment(text)) {
          // A byte-order mark before a combining mark is no letter.
          if (segment.length > any.maxSize / 4 || segment.trim() === "" || segment.startsWith("\ufeff")) continue;
          for (let at = index + 1; at < index + segment.length; at++) inside.add(at);
        }
        for (const { span } of chunk(text, any).chunks) {
          expect(inside.has(span.startOffset), `start at ${span.startOffset}`).toBe(false);
          expect(inside.has(span.endOffset), `end at ${span.endOffset}`).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("the same text gives the same chunks, whatever came between", () => {
    fc.assert(
      fc.property(anyText, anyText, anyOptions, (text, other, options) => {
        const first = chunk(text, options);
        chunk(other, options);
        expect(chunk(text, options)).toEqual(first);
      }),
      { numRuns: 100 },
    );
  });

  test("a change in one section leaves the chunks of the others alone", () => {
    fc.assert(
      fc.property(
        fc.array(paragraph, { minLength: 2, maxLength: 6 }),
        fc.nat(5),
        anyOptions,
        (bodies, nth, options) => {
          const at = nth % bodies.length;
          const sections = bodies.map((body, n) => `Section ${n}\n=========\n\n${body.replace(/[=\n-]/g, " ")}\n\n`);
          // Not so much more that the text becomes a long one.
          const changed = sections.with(at, `${sections[at]}More.\n\n`);
          const small = { ...options, maxSize: Math.min(options.maxSize, 400), overlap: 0 };
          const identities = (parts: readonly string[]): string[] =>
            chunk(parts.join(""), small)
              .chunks.filter(({ headingPath }) => headingPath[0] !== `Section ${at}`)
              .map(({ headingPath, text }) => JSON.stringify([headingPath, text]));
          expect(identities(changed)).toEqual(identities(sections));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe("for real texts", () => {
  const root = path.dirname(createRequire(import.meta.url).resolve("bun-types/package.json"));
  const pages = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.mdx?$/.test(file))
    .toSorted()
    .filter((_, index) => index % 20 === 0);
  const samples = [MANUAL, RFC, MAIL, LOG, ...pages.map((file) => readFileSync(path.join(root, file), "utf8"))];

  for (const options of [
    CHARACTERS,
    { ...CHARACTERS, maxSize: 200 },
    { ...CHARACTERS, maxSize: 600, overlap: 100 },
    { maxSize: 120, overlap: 20, measure: tokens },
  ]) {
    test(`${samples.length} texts at ${options.maxSize}, overlap ${options.overlap}`, () => {
      for (const text of samples) {
        for (const each of [text, text.replace(/\r?\n/g, "\r\n")])
          expectGuarantees(each, chunk(each, options), options);
      }
    });
  }
});
