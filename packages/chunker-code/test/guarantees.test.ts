import type { ChunkOptions } from "@docsearch/spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHARACTERS, chunk } from "./chunk.js";
import { readFixtures } from "./fixtures.js";
import { expectCeiling, expectCoverage, expectOffsets } from "./invariants.js";

/** A counter of tokens that is no multiple of the length: words and marks. */
const tokens = (text: string): number => text.match(/\w+|[^\w\s]/g)?.length ?? 0;
const anyOptions: fc.Arbitrary<ChunkOptions> = fc
  .record({
    maxSize: fc.oneof(fc.integer({ min: 20, max: 100 }), fc.integer({ min: 100, max: 1500 })),
    share: fc.constantFrom(0, 0, 0.1, 0.5),
    measure: fc.constantFrom(CHARACTERS.measure, tokens),
  })
  .map(({ maxSize, share, measure }) => ({ maxSize, overlap: Math.floor(maxSize * share), measure }));

const fixtures = readFixtures().filter(({ language }) => language !== "notebook");
const anyFixture = fc.constantFrom(...fixtures);

function expectGuarantees(text: string, file: string, options: ChunkOptions): void {
  const result = chunk(text, file, options);
  expectOffsets(text, result);
  expectCoverage(text, result, options.overlap === 0);
  expectCeiling(result, options);
  const anchors = result.outline.map(({ anchor }) => anchor);
  expect(new Set(anchors).size).toBe(anchors.length);
  for (const { level, parent } of result.outline) {
    expect(level).toBeLessThanOrEqual(6);
    if (parent !== undefined) expect(result.outline[parent]!.level).toBeLessThan(level);
  }
  for (const { anchor } of result.chunks) if (anchor !== undefined) expect(anchors).toContain(anchor);
}

describe("for every language", () => {
  test("files with ranges cut out of them: slices, coverage, order, lines, ceiling", () => {
    const cuts = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(120)), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(anyFixture, cuts, anyOptions, ({ text, file }, ranges, options) => {
        let broken = text;
        for (const [at, length] of ranges) {
          const start = Math.floor(at * broken.length);
          broken = broken.slice(0, start) + broken.slice(start + length);
        }
        expectGuarantees(broken.toWellFormed(), file, options);
      }),
      { numRuns: 300 },
    );
  });

  test("files of one language under the name of another", () => {
    fc.assert(
      fc.property(anyFixture, anyFixture, anyOptions, ({ text }, { file }, options) =>
        expectGuarantees(text, file, options),
      ),
      { numRuns: 150 },
    );
  });

  test("random bytes taken for Latin-1", () => {
    const bytes = fc
      .uint8Array({ minLength: 1, maxLength: 600 })
      .map((each) => Buffer.from(each).toString("latin1").replaceAll("\0", ""));
    fc.assert(
      fc.property(bytes, anyFixture, anyOptions, (text, { file }, options) => expectGuarantees(text, file, options)),
      { numRuns: 150 },
    );
  });

  test("the same text gives the same chunks, whatever came between", () => {
    fc.assert(
      fc.property(anyFixture, anyFixture, anyOptions, (one, other, options) => {
        const first = chunk(one.text, one.file, options);
        chunk(other.text.slice(0, other.text.length / 2).toWellFormed(), other.file, options);
        expect(chunk(one.text, one.file, options)).toEqual(first);
      }),
      { numRuns: 60 },
    );
  });
});

/** What a chunk's id is made from. */
function identities(text: string, file: string): string[] {
  return chunk(text, file, { maxSize: 600 }).chunks.map((each) =>
    JSON.stringify([each.headingPath, each.context, each.text]),
  );
}

test.each(["typescript", "python", "go", "java", "rust", "ruby"])(
  "a line more at the top of %s leaves the chunks below alone",
  (language) => {
    const { text, file } = fixtures.find((fixture) => fixture.language === language)!;
    const comment = language === "python" || language === "ruby" ? "#" : "//";
    // Ten files in one: enough for a change to run on, if it did.
    const long = Array.from({ length: 10 }, (_, index) =>
      text.replaceAll(/\b([Hh]arbour|[Dd]ock|Tide|Berth|Ship|Sample)\b/g, `$1${index}`),
    ).join("\n");
    const before = identities(long, file);
    const after = new Set(identities(`${comment} One line more.\n${long}`, file));
    const gone = before.filter((identity) => !after.has(identity));
    expect(before.length).toBeGreaterThan(25);
    expect(gone.length).toBeLessThanOrEqual(3);
  },
);
