import assert from "node:assert/strict";
import type { Embedder, EmbedResult } from "@docsearch/spec";
import { assertNear, rejectsWith, rejectsWithAbort } from "./assertions.js";
import type { TestFunction } from "./test-function.js";

export interface EmbedderConformanceOptions {
  readonly test: TestFunction;
  /** Loads the embedder. Called once in each test. */
  readonly load: () => Promise<Embedder>;
  /** A text longer than the model takes, which it has to report as truncated. Absent: the model takes any length. */
  readonly longText?: string;
  /** The model has nothing to say about texts in other scripts than Latin: they have no vector. Default false. */
  readonly knowsOnlyLatin?: boolean;
}

/** Largest difference in a component between two embeddings of one text. */
const SAME = 1e-4;

const LATIN: readonly string[] = [
  "Boats keep to the right inside the harbour.",
  "The function returns a promise that resolves when the file has been written.",
  "const answer = await fetch(url, { signal });",
  "Wie richte ich einen Proxy ein?",
];
/** Of another script. */
const FOREIGN = "黑豹队的防守只丢了308分";

const UNUSUAL: readonly string[] = [
  "👩‍💻👩‍💻",
  "!!! ??? ---",
  "\u0301",
  "\u202eabc",
  "x".repeat(5000),
  "a\r\nb\tc",
  "0",
];

/**
 * Defines one test for each behaviour that the contract asks of an embedder. The rule for blank text is that of
 * `EmbedResult`: each input has its place in `vectors`, with a valid vector or, where the model has nothing to
 * say, `undefined`; and it leaves its neighbours alone.
 */
export function embedderConformance(options: EmbedderConformanceOptions): void {
  const { test, load, longText, knowsOnlyLatin = false } = options;
  const texts = knowsOnlyLatin ? LATIN : [...LATIN, FOREIGN];
  const embedderTest = (name: string, body: (embedder: Embedder) => Promise<void>): void => {
    test(`embedder: ${name}`, async () => {
      const embedder = await load();
      try {
        await body(embedder);
      } finally {
        await embedder.close();
      }
    });
  };

  embedderTest("version, id, dimensions and limits are set", async (embedder) => {
    assert.equal(embedder.specVersion, 1);
    assert.ok(typeof embedder.id === "string" && embedder.id !== "");
    for (const name of ["dimensions", "maxBatchSize", "maxParallelCalls"] as const) {
      const value = embedder[name];
      assert.ok(value >= 1 && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY), `${name}: ${value}`);
    }
    assert.ok(Number.isInteger(embedder.dimensions));
  });

  embedderTest("vectors are as long as `dimensions`, finite and of unit length", async (embedder) => {
    assertValid(await embed(embedder, texts), texts.length, embedder);
    for (const text of texts) assertValid(await embedder.embedQuery(text), 1, embedder);
    for (const text of texts) assert.ok((await embedder.embedQuery(text)).vectors[0] !== undefined, text);
    assert.ok((await embed(embedder, texts)).vectors.every((vector) => vector !== undefined));
  });

  embedderTest("a text in another script has a vector, or leaves its neighbours alone", async (embedder) => {
    const { vectors } = await embed(embedder, [LATIN[0]!, FOREIGN, LATIN[1]!]);
    assert.equal(vectors[1] === undefined, knowsOnlyLatin);
    assert.equal((await embedder.embedQuery(FOREIGN)).vectors[0] === undefined, knowsOnlyLatin);
    assertSame([vectors[0], vectors[2]], (await embed(embedder, [LATIN[0]!, LATIN[1]!])).vectors);
  });

  embedderTest("the same text has the same vector each time", async (embedder) => {
    const [text] = texts;
    const first = await embedder.embedDocuments([text!]);
    await embed(embedder, texts);
    assertSame((await embedder.embedDocuments([text!])).vectors, first.vectors);
    const query = await embedder.embedQuery(text!);
    await embedder.embedQuery(texts[1]!);
    assertSame((await embedder.embedQuery(text!)).vectors, query.vectors);
  });

  embedderTest("a vector belongs to the caller and later calls leave it alone", async (embedder) => {
    const { vectors } = await embed(embedder, texts);
    const copies = vectors.map((vector) => vector?.slice());
    await embed(embedder, [...texts].reverse());
    await embedder.embedQuery(texts[2]!);
    assert.deepEqual(vectors, copies);
    for (const vector of vectors) vector?.fill(0);
    assertSame((await embed(embedder, texts)).vectors, copies);
  });

  embedderTest("a batch gives what its texts give one by one, in order", async (embedder) => {
    const batch = await embed(embedder, texts);
    const single = [];
    for (const text of texts) single.push(...(await embedder.embedDocuments([text])).vectors);
    assertSame(batch.vectors, single);
    const reversed = await embed(embedder, [...texts].reverse());
    assertSame([...reversed.vectors].reverse(), single);
  });

  embedderTest("a full batch keeps its order", async (embedder) => {
    const size = Math.min(embedder.maxBatchSize, 256);
    const batch = Array.from({ length: size }, (_, i) => texts[i % texts.length]!);
    const expected: (Float32Array | undefined)[] = [];
    for (const text of texts) expected.push(...(await embedder.embedDocuments([text])).vectors);
    const { vectors } = await embedder.embedDocuments(batch);
    assertSame(
      vectors,
      batch.map((_, i) => expected[i % texts.length]),
    );
  });

  embedderTest("parallel calls give what they give one after the other", async (embedder) => {
    const expected = (await embed(embedder, texts)).vectors;
    const calls = Math.min(embedder.maxParallelCalls, 8);
    const results = await Promise.all(
      Array.from({ length: calls }, (_, i) => embedder.embedDocuments([texts[i % texts.length]!])),
    );
    results.forEach((result, i) => {
      assertSame(result.vectors, [expected[i % texts.length]]);
    });
  });

  embedderTest("texts of different meaning have different vectors", async (embedder) => {
    const { vectors } = await embed(embedder, texts);
    vectors.forEach((a, i) => {
      for (const b of vectors.slice(i + 1))
        assert.ok(dotProduct(a!, b!) < 0.999, `text ${i} has the vector of another`);
    });
  });

  embedderTest("an empty batch has an empty result", async (embedder) => {
    assert.deepEqual(await embedder.embedDocuments([]), { vectors: [], truncated: [] });
  });

  embedderTest("blank texts keep their place and leave their neighbours alone", async (embedder) => {
    const blanks = ["", texts[0]!, " ", "\n\t\u00a0", texts[1]!, ""];
    const result = await embed(embedder, blanks);
    assertValid(result, blanks.length, embedder);
    assert.deepEqual(result.truncated, []);
    const expected = await embed(embedder, [texts[0]!, texts[1]!]);
    assertSame([result.vectors[1], result.vectors[4]], expected.vectors);
    for (const text of ["", " \n"]) {
      assertValid(await embedder.embedQuery(text), 1, embedder);
      const alone = await embedder.embedDocuments([text]);
      assertValid(alone, 1, embedder);
      // Blank means the same in a batch as alone.
      const again = await embed(embedder, [texts[0]!, text]);
      assertSame([again.vectors[1]], alone.vectors);
    }
  });

  embedderTest("unusual texts give valid results", async (embedder) => {
    assertValid(await embed(embedder, UNUSUAL), UNUSUAL.length, embedder);
    for (const text of UNUSUAL) assertValid(await embedder.embedQuery(text), 1, embedder);
  });

  if (longText === undefined) {
    embedderTest("a text of 100,000 words is embedded whole", async (embedder) => {
      const result = await embed(embedder, ["harbour", "boats keep right ".repeat(33_334)]);
      assertValid(result, 2, embedder);
      assert.ok(result.vectors[1] !== undefined);
      assert.deepEqual(result.truncated, []);
    });
  } else {
    embedderTest("a text that is too long is cut and reported", async (embedder) => {
      const result = await embed(embedder, [texts[0]!, longText, texts[1]!]);
      assertValid(result, 3, embedder);
      assert.ok(result.vectors[1] !== undefined);
      assert.deepEqual(result.truncated, [1]);
      const expected = await embed(embedder, [texts[0]!, texts[1]!]);
      assertSame([result.vectors[0], result.vectors[2]], expected.vectors);
      assert.deepEqual((await embedder.embedQuery(longText)).truncated, [0]);
    });
  }

  embedderTest("an aborted signal rejects with AbortError, and the embedder goes on", async (embedder) => {
    const signal = AbortSignal.abort();
    await rejectsWithAbort(embedder.embedDocuments([texts[0]!], { signal }));
    await rejectsWithAbort(embedder.embedQuery(texts[0]!, { signal }));
    assertValid(await embedder.embedQuery(texts[0]!, { signal: new AbortController().signal }), 1, embedder);
  });

  embedderTest("close is idempotent, and every later call rejects with CLOSED", async (embedder) => {
    await embedder.embedQuery(texts[0]!);
    await embedder.close();
    await embedder.close();
    await rejectsWith(embedder.embedDocuments([texts[0]!]), "CLOSED");
    await rejectsWith(embedder.embedQuery(texts[0]!), "CLOSED");
  });

  test("embedder: two loads agree", async () => {
    const [first, second] = [await load(), await load()];
    try {
      assert.deepEqual([first.id, first.dimensions], [second.id, second.dimensions]);
      assertSame((await first.embedDocuments(texts)).vectors, (await second.embedDocuments(texts)).vectors);
    } finally {
      await first.close();
      await second.close();
    }
  });
}

/** Embeds any number of documents, in batches as large as the embedder takes. */
async function embed(embedder: Embedder, texts: readonly string[]): Promise<EmbedResult> {
  const vectors: (Float32Array | undefined)[] = [];
  const truncated: number[] = [];
  for (let start = 0; start < texts.length; start += embedder.maxBatchSize) {
    const result = await embedder.embedDocuments(texts.slice(start, start + embedder.maxBatchSize));
    vectors.push(...result.vectors);
    truncated.push(...result.truncated.map((index) => start + index));
  }
  return { vectors, truncated };
}

/** Asserts what holds of every result: one place for each input, valid vectors, ascending indices of cut inputs. */
function assertValid({ vectors, truncated }: EmbedResult, inputs: number, { dimensions }: Embedder): void {
  assert.equal(vectors.length, inputs);
  for (const vector of vectors) {
    if (vector === undefined) continue;
    assert.ok(vector instanceof Float32Array);
    assert.equal(vector.length, dimensions);
    assertNear(Math.sqrt(dotProduct(vector, vector)), 1, SAME, "length of the vector");
  }
  truncated.forEach((index, i) => {
    assert.ok(Number.isInteger(index) && index >= 0 && index < inputs, `truncated: ${index}`);
    assert.ok(i === 0 || truncated[i - 1]! < index, "truncated indices ascend");
  });
}

function assertSame(
  actual: readonly (Float32Array | undefined)[],
  expected: readonly (Float32Array | undefined)[],
): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((vector, i) => {
    const other = expected[i];
    if (vector === undefined || other === undefined) {
      assert.equal(vector, other, `vector ${i}`);
      return;
    }
    const difference = vector.reduce((most, value, at) => Math.max(most, Math.abs(value - other[at]!)), 0);
    assertNear(difference, 0, SAME, `difference in vector ${i}`);
  });
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
