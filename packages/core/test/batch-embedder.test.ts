import { DocsearchError, type Embedder } from "@docsearch/spec";
import { expect, test } from "vitest";
import { BatchEmbedder } from "../src/embedding/batch-embedder.js";

/** Two texts a call; a text fails as `fail` says, and one of more than five characters is cut. */
function embedder(fail: (text: string) => Error | undefined, calls: string[][] = []): Embedder {
  return {
    specVersion: 1,
    id: "m",
    dimensions: 1,
    maxBatchSize: 2,
    maxParallelCalls: 1,
    async embedDocuments(texts) {
      calls.push([...texts]);
      for (const text of texts) {
        const error = fail(text);
        if (error !== undefined) throw error;
      }
      return {
        vectors: texts.map((text) => (text === "" ? undefined : Float32Array.of(text.length))),
        truncated: texts.flatMap((text, index) => (text.length > 5 ? [index] : [])),
      };
    },
    embedQuery: async () => ({ vectors: [], truncated: [] }),
    close: async () => {},
  };
}

const failed = (retryable: boolean) => new DocsearchError("EMBEDDER_FAILED", "no", { model: "m", retryable });

test("equal texts are embedded once, and every text has its outcome", async () => {
  const calls: string[][] = [];
  const batches = new BatchEmbedder(
    embedder(() => undefined, calls),
    {},
  );
  const outcomes = await batches.embed(["a", undefined, "bb", "a", "", "longer"]);
  expect(calls).toEqual([
    ["a", "bb"],
    ["", "longer"],
  ]);
  expect([...outcomes]).toEqual([
    ["a", { kind: "vector", vector: Float32Array.of(1) }],
    ["bb", { kind: "vector", vector: Float32Array.of(2) }],
    ["", { kind: "none" }],
    ["longer", { kind: "vector", vector: Float32Array.of(6) }],
  ]);
  expect([batches.isCut("longer"), batches.isCut("a")]).toEqual([true, false]);
});

test("without a model there is no outcome", async () => {
  expect((await new BatchEmbedder(null, {}).embed(["a"])).size).toBe(0);
});

test("of a batch that fails, the text is found that fails", async () => {
  const error = failed(true);
  const batches = new BatchEmbedder(
    embedder((text) => (text === "bad" ? error : undefined)),
    {},
  );
  const outcomes = await batches.embed(["a", "b", "bad", "c", "d"]);
  expect([...outcomes].map(([text, { kind }]) => [text, kind])).toEqual([
    ["a", "vector"],
    ["b", "vector"],
    ["bad", "failed"],
    ["c", "vector"],
    ["d", "vector"],
  ]);
});

test("a model that refuses the first batch for good is asked once; later it may refuse a text", async () => {
  const calls: string[][] = [];
  const wrongKey = new BatchEmbedder(
    embedder(() => failed(false), calls),
    {},
  );
  await expect(wrongKey.embed(["a", "b", "c"])).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
  expect(calls).toHaveLength(1);

  const refused = new BatchEmbedder(
    embedder((text) => (text === "bad" ? failed(false) : undefined)),
    {},
  );
  const outcomes = await refused.embed(["a", "b", "bad", "c", "d"]);
  expect(outcomes.get("bad")?.kind).toBe("failed");
  expect(outcomes.get("d")?.kind).toBe("vector");
});

test("a model that fails for three texts in a row is gone", async () => {
  const calls: string[][] = [];
  const batches = new BatchEmbedder(
    embedder((text) => (text < "c" ? undefined : new Error("connection refused")), calls),
    {},
  );
  await expect(batches.embed(["a", "b", "c", "d", "e", "f", "g", "h", "i"])).rejects.toThrow("connection refused");
  expect(calls.slice(1)).toEqual([["c", "d"], ["c"], ["d"], ["e", "f"], ["e"]]);
});

test("a vector that cannot be compared is the failure of its text alone", async () => {
  const broken: Readonly<Record<string, Float32Array>> = {
    nan: Float32Array.of(Number.NaN),
    infinite: Float32Array.of(Number.POSITIVE_INFINITY),
    zero: Float32Array.of(0),
    long: Float32Array.of(1, 0),
    empty: Float32Array.of(),
  };
  const calls: string[][] = [];
  const sound = embedder(() => undefined, calls);
  const batches = new BatchEmbedder(
    {
      ...sound,
      embedDocuments: async (texts, call) => {
        const { vectors } = await sound.embedDocuments(texts, call);
        return { vectors: texts.map((text, index) => broken[text] ?? vectors[index]), truncated: [] };
      },
    },
    {},
  );
  const outcomes = await batches.embed(["a", ...Object.keys(broken), "b"]);
  expect([...outcomes]).toMatchObject([
    ["a", { kind: "vector" }],
    ["nan", { kind: "failed", error: { code: "VECTOR_INVALID", details: { reason: "not-finite" } } }],
    ["infinite", { kind: "failed", error: { code: "VECTOR_INVALID", details: { reason: "not-finite" } } }],
    ["zero", { kind: "failed", error: { code: "VECTOR_INVALID", details: { reason: "zero" } } }],
    ["long", { kind: "failed", error: { code: "VECTOR_INVALID", details: { reason: "dimensions", actual: 2 } } }],
    ["empty", { kind: "failed", error: { code: "VECTOR_INVALID", details: { reason: "dimensions", actual: 0 } } }],
    ["b", { kind: "vector" }],
  ]);
  expect(calls).toHaveLength(4);
});
