import assert from "node:assert/strict";
import type { Chunker, ChunkOptions, Document } from "@docsearch/spec";
import { assertChunks } from "./chunker-invariants.js";
import { createRandom, type Random } from "./random.js";
import type { TestFunction } from "./test-function.js";

/** A document that the chunker supports. */
export interface ChunkerSample {
  readonly document: Document;
  /** UTF-16 offset behind the front matter, which need not be in a chunk. Default 0. */
  readonly frontMatterEnd?: number;
}

export interface ChunkerConformanceOptions {
  readonly test: TestFunction;
  readonly load: () => Promise<Chunker>;
  /** At least one. Hostile and random texts are tried under the media type and path of each kind of sample. */
  readonly samples: readonly ChunkerSample[];
}

const utf16Units = (text: string): number => text.length;
const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;

const OPTIONS: Readonly<Record<string, ChunkOptions>> = {
  "1,500 characters": { maxSize: 1500, overlap: 0, measure: utf16Units },
  "120 characters": { maxSize: 120, overlap: 0, measure: utf16Units },
  "400 characters, 60 of overlap": { maxSize: 400, overlap: 60, measure: utf16Units },
  "300 bytes": { maxSize: 300, overlap: 0, measure: utf8Bytes },
};

/** Lines end in `\n` or `\r\n`; no text begins with what could be front matter. */
const HOSTILE: Readonly<Record<string, string>> = {
  empty: "",
  "one blank": " ",
  "blank lines": "\n\r\n \t\n\u00a0\n",
  "one character": "x",
  "no line end": "first line\nlast line",
  "line ends of both kinds": "# One\r\n\r\ntext\r\nmore\n\n## Two\r\nend\r\n",
  "byte order mark": "\ufeff# Title\n\ntext\n",
  "long line": "word ".repeat(20_000),
  "long line without blanks": "x".repeat(60_000),
  "long lines of emoji": `${"👩‍💻".repeat(3000)}\n${"😀".repeat(5000)}\n`,
  "scripts without blanks": `${"黑豹队的防守只丢了三百零八分".repeat(300)}\n\n${"ภาษาไทยดีมาก".repeat(300)}\n`,
  "combining marks": `e${"\u0301".repeat(5000)}\n`,
  "open fence": `text\n\n\`\`\`js\n${"const a = 1;\n".repeat(300)}`,
  "open comment": `text\n\n<!-- ${"never closed ".repeat(500)}\n`,
  "open string": `a = "never closed\n${"b = 1\n".repeat(500)}`,
  "open brackets": `${"(".repeat(3000)}\n${"[".repeat(3000)}\n${"{".repeat(3000)}\n`,
  "nested quotes": `${">".repeat(300)} deep\n`,
  "nested lists": Array.from({ length: 100 }, (_, depth) => `${"  ".repeat(depth)}- item ${depth}`).join("\n"),
  "nested blocks of code": `${"if (a) {\n".repeat(300)}${"}\n".repeat(300)}`,
  "many headings": Array.from({ length: 2000 }, (_, i) => `${"#".repeat((i % 6) + 1)} Same\n`).join(""),
  "headings alone": "# A\n\n## B\n\n### C\n\n# D\n",
  "wide table": `| ${"column | ".repeat(200)}\n| ${"--- | ".repeat(200)}\n| ${"cell | ".repeat(200)}\n`,
  "long table": `| a | b |\n| --- | --- |\n${"| cell one | cell two |\n".repeat(500)}`,
  punctuation: "*_`~[]()<>{}|\\#-+.!\"'$&;:/?=@^%,".repeat(200),
  "link without end": "[a](".repeat(3000),
  "control characters": "a\u0001b\u0008c\u000bd\u000ce\u001bf\u007fg\u0085h\u2028i\u2029j\n".repeat(50),
};

/**
 * Defines tests of a chunker's invariants, under several sizes: text equals the slice at the span, all text is
 * covered (once, without overlap), the ceiling holds, lines agree with offsets, the outline is a tree; the same
 * input gives the same output whatever came before; and no text makes it throw.
 *
 * @throws Error when there is no sample.
 */
export function chunkerConformance({ test, load, samples }: ChunkerConformanceOptions): void {
  if (samples.length === 0) throw new Error("chunkerConformance needs at least one sample");
  const kinds = [...new Map(samples.map(({ document }) => [kindOf(document), document])).values()];

  test("chunker: version and id are set, and the samples are supported", async () => {
    const chunker = await load();
    assert.equal(chunker.specVersion, 1);
    assert.ok(typeof chunker.id === "string" && chunker.id !== "");
    for (const { document } of samples) assert.equal(chunker.supports(document), true, document.id);
  });

  for (const [size, options] of Object.entries(OPTIONS)) {
    test(`chunker: the invariants hold for the samples, ${size}`, async () => {
      const chunker = await load();
      for (const sample of samples) check(chunker, options, sample);
    });

    for (const kind of kinds) {
      test(`chunker: the invariants hold for hostile texts as ${kindOf(kind)}, ${size}`, async () => {
        const chunker = await load();
        for (const [name, text] of Object.entries(HOSTILE))
          check(chunker, options, { document: { ...kind, id: name, text } });
      });

      test(`chunker: the invariants hold for random texts as ${kindOf(kind)}, ${size}`, async () => {
        const chunker = await load();
        const random = createRandom(1);
        for (let n = 0; n < 60; n++) {
          // The first word keeps the rest from being front matter.
          const text = `text\n${random.pick([randomBytes, randomMarks, randomCodePoints])(random)}`;
          check(chunker, options, { document: { ...kind, id: `random text ${n}`, text } });
        }
      });
    }
  }

  test("chunker: the same input gives the same output, whatever came before", async () => {
    const chunker = await load();
    const options = OPTIONS["400 characters, 60 of overlap"]!;
    const run = (chunker: Chunker): unknown[] => samples.map(({ document }) => chunker.chunk(document, options));
    const first = structuredClone(run(chunker));
    for (const kind of kinds) {
      for (const text of Object.values(HOSTILE)) chunker.chunk({ ...kind, text }, OPTIONS["120 characters"]!);
    }
    assert.deepEqual(run(chunker), first);
    assert.deepEqual(run(await load()), first);
  });
}

function check(chunker: Chunker, options: ChunkOptions, { document, frontMatterEnd = 0 }: ChunkerSample): void {
  const frozen = Object.freeze({ ...document, metadata: Object.freeze({ ...document.metadata }) });
  try {
    assertChunks({ document: frozen, options, result: chunker.chunk(frozen, options), frontMatterEnd });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${document.id}: ${message}\n${JSON.stringify(document.text.slice(0, 300))}`, { cause: error });
  }
}

/** Media type and the ending of the path: what a chunker tells documents apart by. */
function kindOf({ mediaType, path }: Document): string {
  const ending = path?.match(/\.[^./]+$/u)?.[0];
  return ending === undefined ? mediaType : `${mediaType} ${ending}`;
}

/** Bytes taken for Latin-1, without NUL and carriage return. */
function randomBytes(random: Random): string {
  return randomText(random, 2000, () =>
    String.fromCharCode(random.pick([1 + random.below(12), 14 + random.below(242)])),
  );
}

const MARKS =
  "# ## ### ``` ~~~ ` --- === - * + 1. > | : [ ] ( ) < > </div> <p> <!-- --> { } ${ ' \" \\ / // /* */ ; , = => $ @ ! ? & % a Word def class function if".split(
    " ",
  );

/** Pieces of markup and code in any order. */
function randomMarks(random: Random): string {
  return randomText(random, 600, () =>
    random.chance(0.3)
      ? random.pick(["\n", "\n\n", "\r\n", "    ", "\t"])
      : random.pick(MARKS) + random.pick(["", " "]),
  );
}

/** Code points from all of Unicode. */
function randomCodePoints(random: Random): string {
  return randomText(random, 1000, () => {
    const point = random.below(0x10_f7ff) + 1;
    // Over the gap of the surrogates.
    const character = String.fromCodePoint(point < 0xd800 ? point : point + 0x800);
    return character === "\r" ? "\n" : character;
  });
}

function randomText(random: Random, most: number, piece: () => string): string {
  return Array.from({ length: random.below(most) }, piece).join("");
}
