import { describe, expect, test } from "vitest";
import { createDocsearch, type Docsearch } from "../src/docsearch.js";
import { memoryStore } from "../src/memory-store/memory-store.js";
import type { FusionOptions } from "../src/search/search-request.js";
import { vectorWeight } from "../src/search/vector-weight.js";
import { textDocument, topicEmbedder } from "./support.js";

describe("weight of the vectors", () => {
  test.each([
    [0.9, 0.5],
    [0.53, 0.5],
    [0.424, 0.2048],
    [0.265, 0.03125],
    [0, 0],
    [-0.2, 0],
  ])("prose, nearest %f: %f", (nearest, expected) => {
    expect(vectorWeight(nearest, false, {})).toBeCloseTo(expected, 12);
  });

  test.each<[number, boolean, FusionOptions, number]>([
    [0.265, true, {}, 0.5],
    [0.265, true, { weights: { vector: 0.2 } }, 0.2],
    [0.265, false, { weights: { vector: 0.8 } }, 0.05],
    [0.265, false, { weights: { vector: 0.8 }, nearCosine: 0 }, 0.8],
    [0.4, false, { nearCosine: 0.8 }, 0.03125],
  ])("nearest %f, code %s, %j: %f", (nearest, isCode, options, expected) => {
    expect(vectorWeight(nearest, isCode, options)).toBeCloseTo(expected, 12);
  });
});

describe("in a search", () => {
  const open = async (mediaTypes: readonly string[]): Promise<Docsearch> => {
    const docsearch = await createDocsearch({ store: memoryStore(), embedder: topicEmbedder().factory });
    const texts = ["cat and hound words", "salmon words", "a hound and salmon"];
    const documents = texts.map((text, i) => textDocument(`d${i}`, text, { mediaType: mediaTypes[i] as string }));
    await docsearch.index({ documents });
    return docsearch;
  };
  const [prose, code] = ["text/markdown", "text/x-python"];
  const weightIn = async (docsearch: Docsearch, mode: "hybrid" | "semantic", query: string): Promise<number> => {
    const [first] = (await docsearch.search({ query, mode })).results;
    return first?.breakdown.retrievers.find(({ retriever }) => retriever === "vector")?.weight ?? Number.NaN;
  };

  test("prose: .5 by how near the nearest is; most of the documents code: .5", async () => {
    const docs = await open([prose, prose, code]);
    expect(await weightIn(docs, "hybrid", "words fish")).toBeCloseTo(0.5, 12);
    // A chunk with one of two topics, alone of its document: cosine .707, half of it a mean with two that are absent.
    expect(await weightIn(docs, "hybrid", "words cat")).toBeCloseTo(0.5 * (0.4714 / 0.53) ** 4, 4);
    expect(await weightIn(await open([prose, code, code]), "hybrid", "words cat")).toBe(0.5);
  });

  test("alone, they have their whole weight", async () => {
    expect(await weightIn(await open([prose, prose, prose]), "semantic", "words cat")).toBe(0.5);
  });
});

test.each([-1, Number.NaN])("nearCosine %d is refused", async (nearCosine) => {
  const docsearch = await createDocsearch({ store: memoryStore() });
  await expect(docsearch.search({ query: "x", fusion: { nearCosine } })).rejects.toThrow(
    `fusion.nearCosine is ${nearCosine}; expected a number of at least 0`,
  );
});
