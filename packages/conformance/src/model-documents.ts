import type {
  DocumentChange,
  DocumentRecord,
  LexicalField,
  LexicalFieldName,
  LexicalFields,
  Metadata,
  OutlineEntry,
} from "@docsearch/spec";
import { lexicalFields, type Piece, page, removal } from "./builders.js";
import type { Random } from "./random.js";

// Few values of everything, so that steps meet the same documents, ties are frequent and failing sequences short.
export const DOCUMENTS: readonly string[] = ["a", "A", "b", "b ", "é", "e\u0301", "\u{1f600}", "\uff21", "it's"];
export const TERMS: readonly string[] = ["red", "Red", "blue", "green", "=red", "re_", "\u{1f600}", "\uff21"];
export const COLLECTIONS: readonly string[] = ["docs", "Docs", "api"];
export const MEDIA_TYPES: readonly string[] = ["text/plain", "text/markdown"];
export const PATHS: readonly string[] = ["x/a.md", "x/b.md", "X/a.md", "x_/a.md", "y/%.md", ""];
export const METADATA_KEYS: readonly string[] = ["n", "N", "a.b", "it's"];
export const METADATA_VALUES: readonly (string | number | boolean)[] = [0, 1, 0.1, -2, "1", "", "true", true, false];

/** Ids of the chunks that documents have if every change so far has succeeded. */
export type ExpectedChunks = Map<string, readonly string[]>;

/** A change that most often succeeds: it knows which chunks it can keep. */
export function randomChange(random: Random, expected: ExpectedChunks): DocumentChange {
  const id = random.pick(DOCUMENTS);
  if (random.chance(0.2)) {
    expected.delete(id);
    return removal(id);
  }
  const before = expected.get(id) ?? [];
  const numbers = random.chance(0.1) ? [] : [...new Set(random.list(4, () => random.below(5)))];
  const chunkIds = numbers.map((number) => `${id}#${number}`);
  // A change fails in one way at most: by a vector that has to be refused, or by a chunk that is not there to keep.
  const fault = random.next();
  const badVector = fault < 0.04;
  const keepsUnknown = !badVector && fault < 0.08;
  if (!badVector && !keepsUnknown) expected.set(id, chunkIds);
  // Every chunk repeats the title and the path of its document.
  const repeated = randomFields(random, ["title", "path"], 0.5);
  const pieces = chunkIds.map((chunkId): Piece => {
    const vector =
      badVector && random.chance(0.5)
        ? random.pick([
            [0, 0, 0, 0],
            [1, 0, 0],
            [1, Number.NaN, 0, 0],
          ])
        : !badVector && random.chance(0.4) && (keepsUnknown || before.includes(chunkId))
          ? "keep"
          : random.chance(0.7)
            ? [...randomVector(random)]
            : undefined;
    return {
      words: `text ${random.below(100)}`,
      fields: {
        ...repeated,
        ...(random.chance(0.3)
          ? lexicalFields({ body: "red" })
          : randomFields(random, ["ancestors", "heading", "body", "code"], 0.6)),
      },
      ...(vector !== undefined && { vector }),
      chunk: { id: chunkId },
    };
  });
  return page(id, pieces, randomRecord(random));
}

/** Small whole numbers: many vectors are equal, parallel or at right angles. */
export function randomVector(random: Random): Float32Array {
  if (random.chance(0.3)) return Float32Array.of(1, 0, 0, 0);
  const vector = Float32Array.from({ length: 4 }, () => random.below(5) - 2);
  return vector.every((component) => component === 0) ? Float32Array.of(0, 1, 0, 0) : vector;
}

function randomFields(random: Random, names: readonly LexicalFieldName[], probability: number): LexicalFields {
  const present = names.filter(() => random.chance(probability));
  return Object.fromEntries(present.map((name) => [name, randomField(random)]));
}

function randomField(random: Random): LexicalField {
  const terms = new Map(random.list(4, () => [random.pick(TERMS), (1 + random.below(6)) / 2] as const));
  return { terms, length: (1 + random.below(16)) / 2 };
}

function randomRecord(random: Random): Partial<DocumentRecord> & { readonly outline: readonly OutlineEntry[] } {
  const metadata: Metadata = Object.fromEntries(
    METADATA_KEYS.filter(() => random.chance(0.5)).map((key) => [key, random.pick(METADATA_VALUES)]),
  );
  return {
    collection: random.pick(COLLECTIONS),
    mediaType: random.pick(MEDIA_TYPES),
    metadata,
    outline: random.chance(0.5) ? [] : randomOutline(random),
    ...(random.chance(0.3) && { title: random.pick(TERMS) }),
    ...(random.chance(0.8) && { path: random.pick(PATHS) }),
  };
}

function randomOutline(random: Random): OutlineEntry[] {
  const headings = random.list(3, () => random.pick(TERMS));
  return headings.map((heading, i) => ({
    heading,
    level: Math.min(i + 1, 2),
    anchor: `heading-${i}`,
    line: i + 1,
    ...(i > 0 && { parent: 0 }),
  }));
}
