import type { ChunkerFactory } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { createDocsearch, type Docsearch } from "../src/docsearch.js";
import { memoryStore } from "../src/memory-store/memory-store.js";
import { captured, type FakeEmbedder, paragraphs, textDocument, topicEmbedder } from "./support.js";

async function open(texts: Record<string, string>): Promise<{
  docsearch: Docsearch;
  embedder: FakeEmbedder;
  store: ReturnType<typeof captured>["store"];
}> {
  const { factory, embedder } = topicEmbedder();
  const { factory: storeFactory, store } = captured(memoryStore());
  const docsearch = await createDocsearch({ store: storeFactory, embedder: factory, chunkers: [paragraphs] });
  await docsearch.index({ documents: Object.entries(texts).map(([id, text]) => textDocument(id, text)) });
  return { docsearch, embedder, store };
}

const ids = (response: { readonly results: readonly { readonly document: { readonly id: string } }[] }): string[] =>
  response.results.map(({ document }) => document.id);

const PETS = { one: "feline friends", two: "a loyal hound", three: "salmon swim" };

describe("modes", () => {
  test("keyword finds words, semantic finds meanings, hybrid finds both", async () => {
    const { docsearch } = await open(PETS);
    expect(ids(await docsearch.search({ query: "cat", mode: "keyword" }))).toEqual([]);
    expect(ids(await docsearch.search({ query: "cat", mode: "semantic", limit: 1 }))).toEqual(["one"]);
    expect(ids(await docsearch.search({ query: "loyal cat", limit: 2 })).sort()).toEqual(["one", "two"]);
  });

  test("without an embedder hybrid is keyword, and semantic is refused", async () => {
    const docsearch = await createDocsearch({ store: memoryStore() });
    await docsearch.index({ documents: [textDocument("a", "cats")] });
    const response = await docsearch.search({ query: "cats" });
    expect(ids(response)).toEqual(["a"]);
    expect(response.warnings).toEqual([]);
    await expect(docsearch.search({ query: "cats", mode: "semantic" })).rejects.toMatchObject({ code: "UNSUPPORTED" });
  });
});

test("a hit whose score is no number is left out, and takes no other its place", async () => {
  const { factory } = topicEmbedder();
  const inner = memoryStore();
  const spoilt = {
    ...inner,
    open: async (...args: Parameters<typeof inner.open>) => {
      const store = await inner.open(...args);
      const spoil = <T extends { readonly documentId: string }>(hits: readonly T[]): T[] =>
        hits.map((hit) => (hit.documentId === "two" ? { ...hit, score: Number.NaN } : hit));
      const { searchText, searchVector } = store;
      store.searchText = async (request) => {
        const answer = await searchText.call(store, request);
        return { ...answer, chunks: spoil(answer.chunks), documents: spoil(answer.documents) };
      };
      store.searchVector = async (request) => spoil(await searchVector.call(store, request));
      return store;
    },
  };
  const docsearch = await createDocsearch({ store: spoilt, embedder: factory, chunkers: [paragraphs] });
  await docsearch.index({ documents: Object.entries(PETS).map(([id, text]) => textDocument(id, text)) });
  for (const mode of ["keyword", "semantic", "hybrid"] as const) {
    const { results } = await docsearch.search({ query: "feline hound salmon", mode });
    expect(results.map(({ document }) => document.id).sort()).toEqual(["one", "three"]);
    expect(results.every(({ score }) => Number.isFinite(score))).toBe(true);
  }
});

describe("what a result carries", () => {
  test("the breakdown adds up to the score", async () => {
    const { docsearch } = await open(PETS);
    const [first] = (await docsearch.search({ query: "loyal hound" })).results;
    expect(first?.breakdown.fusion).toEqual({ method: "convex", score: first?.score, rank: 1 });
    const sum = first?.breakdown.retrievers.reduce((total, { contribution }) => total + contribution, 0);
    expect(sum).toBeCloseTo(first?.score ?? 0, 12);
    expect(first?.breakdown.retrievers.map(({ retriever, rank, weight }) => [retriever, rank, weight])).toEqual([
      ["lexical", 1, 0.6],
      ["vector", 1, 0.5],
    ]);
  });

  test("the lexical score says how much of the query was found: unknown words make it smaller", async () => {
    const { docsearch } = await open(PETS);
    const scoreOf = async (query: string): Promise<number> =>
      (await docsearch.search({ query, mode: "keyword" })).results[0]?.score ?? 0;
    const all = await scoreOf("loyal");
    const half = await scoreOf("loyal zebra");
    const third = await scoreOf("loyal zebra giraffe");
    expect(all).toBeGreaterThan(2 * half);
    expect(half).toBeGreaterThan(1.4 * third);
  });

  test("reciprocal rank fusion by one option", async () => {
    const { docsearch } = await open(PETS);
    const [first] = (await docsearch.search({ query: "loyal hound", fusion: { method: "rrf", k: 10 } })).results;
    expect(first?.breakdown.fusion).toEqual({ method: "rrf", k: 10, score: 2 / 11, rank: 1 });
  });

  test("the snippet marks the words that were found", async () => {
    const { docsearch } = await open(PETS);
    const [first] = (await docsearch.search({ query: "hounds" })).results;
    expect(first?.snippet).toEqual({ text: "a loyal hound", startLine: 1, highlights: [[8, 13]] });
  });
});

describe("limits and filters", () => {
  test("a filter applies before the limit, to both retrievers", async () => {
    const noise = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`n${i}`, "cat cat cat"]));
    const { docsearch } = await open({ ...noise, target: "a cat among other words" });
    for (const mode of ["keyword", "semantic", "hybrid"] as const) {
      const filter = { op: "in", field: "path", values: ["target"] } as const;
      expect(ids(await docsearch.search({ query: "cat", mode, limit: 1, candidates: 2, filter }))).toEqual(["target"]);
    }
  });

  test("grouped by document, each document comes once", async () => {
    const { docsearch } = await open({ a: "cat one\ncat two", b: "cat three" });
    expect(ids(await docsearch.search({ query: "cat" }))).toHaveLength(3);
    expect(ids(await docsearch.search({ query: "cat", groupBy: "document" })).sort()).toEqual(["a", "b"]);
  });

  test.each([
    [{ limit: 0 }, "limit is 0; expected a whole number of at least 1"],
    [{ limit: 1.5 }, "limit is 1.5; expected a whole number of at least 1"],
    [{ candidates: -1 }, "candidates is -1; expected a whole number of at least 1"],
    [{ fusion: { weights: { vector: -1 } } }, "fusion.weights.vector is -1; expected a number of at least 0"],
    [
      { rules: { sorting: false } as never },
      /^rules is sorting; expected names among heading, linked, fileName, definition/,
    ],
    [{ offset: -1 }, "offset is -1; expected a whole number of at least 0"],
    [{ maxChars: 0 }, "maxChars is 0; expected a whole number of at least 1"],
    [
      { maxTokens: { most: 0.5, count: (): number => 1 } },
      "maxTokens.most is 0.5; expected a whole number of at least 1",
    ],
    [{ maxChars: 9, maxTokens: { most: 1, count: (): number => 1 } }, "maxChars is 9; expected no maxTokens beside it"],
    [{ cursor: "7" }, "cursor is 7; expected what `next` of the same search says"],
    [{ query: 5 as never }, "query is 5; expected a string"],
    [{ query: undefined as never }, "query is undefined; expected a string"],
    [{ fusion: { method: "best" as never } }, "fusion.method is best; expected convex or rrf"],
    [{ mode: "fuzzy" as never }, "mode is fuzzy; expected hybrid, keyword or semantic"],
  ])("%j is refused", async (over, message) => {
    const { docsearch } = await open(PETS);
    await expect(docsearch.search({ query: "cat", ...over })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
  });
});

test("a definition of the name that is asked for is found by its name alone, but not in a semantic search", async () => {
  const symbol = { name: "openDen", kind: "function", qualifiedName: "openDen", line: 1, endLine: 1 };
  const code: ChunkerFactory = {
    ...paragraphs,
    load: async () => {
      const chunker = await paragraphs.load();
      return {
        ...chunker,
        chunk: (document, options) => {
          const result = chunker.chunk(document, options);
          const define = (text: string): object => (text.startsWith("def") ? { symbols: [symbol], language: "x" } : {});
          return { ...result, chunks: result.chunks.map((chunk) => ({ ...chunk, ...define(chunk.text) })) };
        },
      };
    },
  };
  const { factory } = topicEmbedder();
  const docsearch = await createDocsearch({ store: memoryStore(), embedder: factory, chunkers: [code] });
  const uses = Array.from({ length: 20 }, (_, i) => textDocument(`use${i}`, "openDen openDen openDen cat"));
  await docsearch.index({
    documents: [...uses, textDocument("den", "def den(): a long text that says nothing of it")],
  });
  const found = async (mode: "hybrid" | "keyword" | "semantic"): Promise<string[]> =>
    ids(await docsearch.search({ query: "openDen", mode, limit: 1, candidates: 5 }));
  expect(await found("keyword")).toEqual(["den"]);
  expect(await found("hybrid")).toEqual(["den"]);
  expect((await docsearch.search({ query: "openDen", mode: "semantic" })).results).toEqual([]);
});

test("what has less than a twentieth of the best score is no answer, but of a semantic search", async () => {
  const others = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`o${i}`, "the salmon"]));
  const { docsearch } = await open({ ...others, kelp: "the loyal hound" });
  for (const mode of ["keyword", "hybrid"] as const) {
    expect(ids(await docsearch.search({ query: "the loyal hound", mode }))).toEqual(["kelp"]);
    expect(ids(await docsearch.search({ query: "the", mode }))).toHaveLength(9);
  }
  expect(ids(await docsearch.search({ query: "the loyal hound", mode: "semantic" }))).toHaveLength(9);
});

describe("quoted phrases", () => {
  test("the words must stand together", async () => {
    const { docsearch } = await open({ a: "the loyal old hound", b: "the old loyal hound", c: "hound, loyal; old" });
    expect(ids(await docsearch.search({ query: '"loyal hound"', mode: "keyword" }))).toEqual(["b"]);
    expect(ids(await docsearch.search({ query: '"loyal hound" fish' }))).toEqual(["b"]);
    expect(ids(await docsearch.search({ query: '"no such words"' }))).toEqual([]);
  });
});

describe("degraded answers are said", () => {
  test("an unknown word is replaced by the nearest known ones, with a warning", async () => {
    const { docsearch } = await open({ a: "receive mail", b: "receive more", c: "other" });
    const response = await docsearch.search({ query: "recieve", mode: "keyword" });
    expect(ids(response).sort()).toEqual(["a", "b"]);
    expect(response.warnings).toEqual([
      { code: "WORD_REPLACED", message: 'no text has "recieve"; searched for receive instead' },
    ]);
  });

  test("hybrid says nothing found rather than what is not near", async () => {
    const { docsearch } = await open(PETS);
    expect(ids(await docsearch.search({ query: "cat", mode: "semantic" }))).toEqual(["one", "three", "two"]);
    expect(ids(await docsearch.search({ query: "cat" }))).toEqual(["one"]);
    expect(ids(await docsearch.search({ query: "zebra" }))).toEqual([]);
  });

  test("a query without a vector is answered by words", async () => {
    const { docsearch } = await open(PETS);
    const response = await docsearch.search({ query: "swim" });
    expect(ids(response)).toEqual(["three"]);
    expect(response.warnings.map(({ code }) => code)).toEqual(["NO_QUERY_VECTOR"]);
  });

  test("a query without words is answered with a reason, not an error", async () => {
    const { docsearch } = await open(PETS);
    for (const query of ["", "   ", "?!", '""', "(", "*"]) {
      const response = await docsearch.search({ query, mode: "keyword" });
      expect(response.results).toEqual([]);
      expect(response.warnings.map(({ code }) => code)).toEqual(["NO_QUERY_TERMS"]);
    }
  });

  test("a failing embedder leaves keyword answers and a warning", async () => {
    const { docsearch, embedder } = await open(PETS);
    embedder.failOn = "salmon";
    const response = await docsearch.search({ query: "salmon" });
    expect(ids(response)).toEqual(["three"]);
    expect(response.warnings).toEqual([
      { code: "RETRIEVER_FAILED", message: "vector search failed and was left out: cannot embed salmon" },
    ]);
    await expect(docsearch.search({ query: "salmon", mode: "semantic" })).rejects.toThrow("cannot embed salmon");
  });

  test("a failing text search leaves the answers of vectors, and a warning", async () => {
    const { docsearch, store } = await open(PETS);
    store().searchText = async () => {
      throw new Error("no text");
    };
    const response = await docsearch.search({ query: "createSalmon" });
    expect(ids(response)).toEqual(["three"]);
    expect(response.warnings).toEqual([
      { code: "RETRIEVER_FAILED", message: "lexical search failed and was left out: no text" },
    ]);
    await expect(docsearch.search({ query: "salmon", mode: "keyword" })).rejects.toThrow("no text");
  });

  test("where the words of the index cannot be listed, none is replaced and none suggested", async () => {
    const { docsearch, store } = await open(PETS);
    store().listTerms = async () => {
      throw new Error("no list");
    };
    const response = await docsearch.search({ query: "salmon" });
    expect(ids(response)).toEqual(["three"]);
    const message = "whether the index has the words of the query could not be read: no list";
    expect(response.warnings).toEqual([{ code: "WORDS_UNCHECKED", message }]);
    const nothing = await docsearch.search({ query: "lojal", mode: "keyword" });
    expect(nothing.results).toEqual([]);
    expect(nothing).not.toHaveProperty("suggestions");
  });

  test("when both retrievers fail the search fails", async () => {
    const { docsearch, embedder, store } = await open(PETS);
    embedder.failOn = "salmon";
    store().searchText = async () => {
      throw new Error("no text");
    };
    await expect(docsearch.search({ query: "salmon" })).rejects.toThrow("no text");
  });
});

test("a chunk comes with those around it", async () => {
  const { docsearch } = await open({ a: "one cat\ntwo cats\nthree cats\nfour cats" });
  const [hit] = (await docsearch.search({ query: "two" })).results;
  const around = await docsearch.getChunk(hit?.chunk.id ?? "", { before: 5, after: 1 });
  expect(around?.chunks.map(({ text }) => text)).toEqual(["one cat", "two cats", "three cats"]);
  expect(await docsearch.getChunk("no such id")).toBeUndefined();
});

test("after close every call is refused", async () => {
  const { docsearch } = await open(PETS);
  await docsearch.close();
  await docsearch.close();
  await expect(docsearch.search({ query: "cat" })).rejects.toMatchObject({ code: "CLOSED" });
});
