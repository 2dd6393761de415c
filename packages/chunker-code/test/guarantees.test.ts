import type { ChunkOptions } from "@docsearch/spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checked } from "./check.js";
import { CHARACTERS, chunk } from "./chunk.js";
import { readFixtures } from "./fixtures.js";

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

/** A place in a text, as a share of it. */
const place = fc.double({ min: 0, max: 1, noNaN: true });
const STRANGE =
  '\ufeff|\r\n|\r|\t|\f|\u2028|😀|👩‍💻|é\u0301|\u0000|"|\'|`|"""|/*|*/|{-|<!--|-->|<<EOF\n|$|{|}|(|)|[|]|;|\\|#|//|@|::|=>|<T>|\n\n\n|end\n|\u001b[0m'.split(
    "|",
  );
/** A change of a text; `other` is where spliced text comes from. */
const mutation: fc.Arbitrary<(text: string, other: string) => string> = fc.oneof(
  fc.tuple(place, fc.nat(200)).map(([at, length]) => (text: string) => {
    const start = Math.floor(at * text.length);
    return text.slice(0, start) + text.slice(start + length);
  }),
  place.map((at) => (text: string) => text.slice(0, Math.floor(at * text.length))),
  fc.tuple(place, place, fc.nat(200)).map(([from, to, length]) => (text: string) => {
    const start = Math.floor(from * text.length);
    const at = Math.floor(to * text.length);
    return text.slice(0, at) + text.slice(start, start + length) + text.slice(at);
  }),
  fc.tuple(place, place, fc.nat(300)).map(([from, to, length]) => (text: string, other: string) => {
    const start = Math.floor(from * other.length);
    const at = Math.floor(to * text.length);
    return text.slice(0, at) + other.slice(start, start + length) + text.slice(at);
  }),
  fc.tuple(place, fc.constantFrom(...STRANGE)).map(([to, strange]) => (text: string) => {
    const at = Math.floor(to * text.length);
    return text.slice(0, at) + strange + text.slice(at);
  }),
  fc.constantFrom(
    (text: string) => text.replaceAll("\n", "\r\n"),
    (text: string) => `\ufeff${text}`,
    (text: string) => text.replaceAll("    ", "\t"),
    (text: string) => text.replaceAll("\n", " "),
    (text: string) => text + text,
  ),
);

describe("for every language", () => {
  test.each(fixtures)("$language with parts of it cut out, doubled, moved, and others put in", ({ text, file }) => {
    fc.assert(
      fc.property(
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        anyFixture,
        anyOptions,
        (mutations, other, options) => {
          const changed = mutations.reduce((each, mutate) => mutate(each, other.text), text);
          checked(changed.toWellFormed(), file, options);
        },
      ),
      { numRuns: 20 },
    );
  });

  test.each(fixtures)("$language that is empty, blank, one line, all brackets or a string without end", ({ file }) => {
    for (const text of [
      "",
      "\ufeff",
      " \n\t\r\n",
      "x",
      "a ".repeat(30_000),
      "(".repeat(3000),
      "{[(".repeat(1000),
      `x = "${"never closed ".repeat(200)}`,
      `/* ${"never closed\n".repeat(200)}`,
    ])
      checked(text, file, { maxSize: 400 });
  });

  test("files of one language under the name of another", () => {
    fc.assert(
      fc.property(anyFixture, anyFixture, anyOptions, ({ text }, { file }, options) => {
        checked(text, file, options);
      }),
      { numRuns: 150 },
    );
  });

  test("random bytes taken for Latin-1", () => {
    const bytes = fc
      .uint8Array({ minLength: 1, maxLength: 600 })
      .map((each) => Buffer.from(each).toString("latin1").replaceAll("\0", ""));
    fc.assert(
      fc.property(bytes, anyFixture, anyOptions, (text, { file }, options) => {
        checked(text, file, options);
      }),
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
