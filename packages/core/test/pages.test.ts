import { isDocsearchError } from "@docsearch/spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDocsearch, type Docsearch } from "../src/docsearch.js";
import { memoryStore } from "../src/memory-store/memory-store.js";
import type { SearchRequest } from "../src/search/search-request.js";
import { captured, paragraphs, textDocument, topicEmbedder } from "./support.js";

/** Documents whose rank for "kelp" is that of their number. */
async function open(count: number): Promise<Docsearch> {
  const docsearch = await createDocsearch({ store: memoryStore() });
  const documents = Array.from({ length: count }, (_, i) => textDocument(`d${i}`, `kelp${" word".repeat(i)}`));
  await docsearch.index({ documents });
  return docsearch;
}

async function allPages(docsearch: Docsearch, request: SearchRequest): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const response = await docsearch.search({ ...request, ...(cursor !== undefined && { cursor }) });
    pages.push(response.results.map(({ rank, document }) => `${rank} ${document.id}`));
    cursor = response.next;
  } while (cursor !== undefined);
  return pages;
}

describe("pages", () => {
  test("join to the whole list, with ranks that go on", async () => {
    const docsearch = await open(7);
    expect(await allPages(docsearch, { query: "kelp", limit: 3 })).toEqual([
      ["1 d0", "2 d1", "3 d2"],
      ["4 d3", "5 d4", "6 d5"],
      ["7 d6"],
    ]);
    const { results, next } = await docsearch.search({ query: "kelp", limit: 7 });
    expect([results.length, next]).toEqual([7, undefined]);
  });

  test("by offset; behind the last there is nothing, and no more", async () => {
    const docsearch = await open(4);
    const page = async (offset: number): Promise<unknown> => {
      const { results, next, suggestions } = await docsearch.search({ query: "kelp", limit: 2, offset });
      return [results.map(({ document }) => document.id), next !== undefined, suggestions];
    };
    expect(await page(1)).toEqual([["d1", "d2"], true, undefined]);
    expect(await page(2)).toEqual([["d2", "d3"], false, undefined]);
    expect(await page(9)).toEqual([[], false, undefined]);
  });

  test("reach behind the candidates of a search that asks for no page", async () => {
    const docsearch = await open(9);
    const pages = await allPages(docsearch, { query: "kelp", limit: 4, candidates: 1 });
    expect(pages.flat()).toHaveLength(9);
  });

  test.each([
    ["chunk", "convex"],
    ["document", "convex"],
    ["chunk", "rrf"],
    ["document", "rrf"],
  ] as const)("look the same whatever is asked for with them: %s, %s", async (groupBy, method) => {
    const docsearch = await createDocsearch({ store: memoryStore(), embedder: topicEmbedder().factory });
    const words = ["kelp", "tide", "feline", "cat", "word"];
    const documents = Array.from({ length: 90 }, (_, i) => {
      const text = Array.from({ length: 1 + (i % 7) }, (_, at) => words[(i * (at + 3) + at * at) % words.length]);
      return textDocument(`d${i}`, `${text.join(" ")}\n\n# Part\n\n${text.reverse().join(" ")} tide`);
    });
    await docsearch.index({ documents });
    const search = async (limit: number): Promise<string[]> => {
      const request = { query: "kelp tide feline", limit, candidates: 10, groupBy, fusion: { method } };
      return (await docsearch.search(request)).results.map(({ chunk }) => chunk.id);
    };
    const all = await search(90);
    expect(all.length).toBeGreaterThan(60);
    for (const limit of [1, 5, 9, 10, 11, 19, 20, 21, 33, 60]) expect(await search(limit)).toEqual(all.slice(0, limit));
  });

  test("a cursor goes on behind the last result, also where others have come before it", async () => {
    const docsearch = await open(4);
    const first = await docsearch.search({ query: "kelp", limit: 2 });
    await docsearch.index({ documents: [textDocument("new", "kelp kelp kelp")] });
    const second = await docsearch.search({ query: "kelp", limit: 2, cursor: first.next as string });
    expect(second.results.map(({ rank, document }) => [rank, document.id])).toEqual([
      [4, "d2"],
      [5, "d3"],
    ]);
  });

  test("where the last result is gone, a cursor goes on at the same place", async () => {
    const docsearch = await open(4);
    const first = await docsearch.search({ query: "kelp", limit: 2 });
    await docsearch.remove(["d1"]);
    const second = await docsearch.search({ query: "kelp", limit: 2, cursor: first.next as string });
    expect(second.results.map(({ document }) => document.id)).toEqual(["d3"]);
  });

  test("a cursor is of one search, with pages of any size", async () => {
    const docsearch = await open(4);
    const cursor = (await docsearch.search({ query: "kelp", limit: 2 })).next as string;
    expect((await docsearch.search({ query: "kelp", limit: 1, cursor })).results).toHaveLength(1);
    for (const other of [{ query: "word" }, { mode: "keyword" }, { groupBy: "document" }] as const) {
      const search = docsearch.search({ query: "kelp", cursor, ...other });
      await expect(search).rejects.toThrow(
        /^cursor is 2\.[\w-]{8}\.\S+; expected what `next` of the same search says$/,
      );
    }
    await expect(docsearch.search({ query: "kelp", cursor, offset: 1 })).rejects.toThrow(
      "offset is 1; expected no cursor beside it",
    );
  });
});

test("any text as a cursor is a page or refused", async () => {
  const docsearch = await open(2);
  const real = (await docsearch.search({ query: "kelp", limit: 1 })).next as string;
  const near = fc.nat(real.length).chain((at) => fc.string({ maxLength: 3 }).map((part) => real.slice(0, at) + part));
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), near), async (cursor) => {
      const outcome = await docsearch.search({ query: "kelp", cursor }).catch((error: unknown) => error);
      if (isDocsearchError(outcome)) expect(outcome.code).toBe("CONFIG_INVALID");
      else expect(outcome).toMatchObject({ warnings: [] });
    }),
  );
});

describe("passages", () => {
  const lines = (count: number, at: number): string =>
    Array.from({ length: count }, (_, i) => (i === at ? "here is kelp" : `line ${i} of other things`)).join("\n");

  test("without a budget there are none", async () => {
    const { results } = await (await open(1)).search({ query: "kelp" });
    expect(results[0]).not.toHaveProperty("passage");
  });

  test("whole lines around the best one, short texts whole", async () => {
    const docsearch = await createDocsearch({ store: memoryStore() });
    await docsearch.index({ documents: [textDocument("long", lines(40, 20)), textDocument("short", "kelp")] });
    const { results } = await docsearch.search({ query: "kelp", maxChars: 400 });
    expect(results.map(({ document, passage }) => [document.id, passage])).toEqual([
      ["short", { text: "kelp", startLine: 1, endLine: 1, isCut: false }],
      [
        "long",
        {
          text: expect.stringMatching(
            /^line 15 of other things\n(?:line.*\n)*here is kelp\n(?:line.*\n)*line 30 of other things$/,
          ),
          startLine: 16,
          endLine: 31,
          isCut: true,
        },
      ],
    ]);
  });

  test("results without room come with the next page", async () => {
    const docsearch = await createDocsearch({ store: memoryStore() });
    const documents = Array.from({ length: 6 }, (_, i) => textDocument(`d${i}`, lines(30, i)));
    await docsearch.index({ documents });
    const pages = await allPages(docsearch, { query: "kelp", limit: 4, maxChars: 500 });
    expect(pages.map(({ length }) => length)).toEqual([3, 3]);
    expect(new Set(pages.flat().map((shown) => shown.split(" ")[1]))).toHaveLength(6);
  });

  const text = fc.array(fc.constantFrom("kelp", "a b c", "", "x".repeat(70), "漢字"), { minLength: 1, maxLength: 40 });
  test("never more than the budget, in characters or tokens, and no line is cut in silence", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 20, max: 3000 }),
        fc.boolean(),
        async (texts, most, isTokens) => {
          const docsearch = await createDocsearch({ store: memoryStore() });
          const documents = texts.map((own, i) => textDocument(`d${i}`, `kelp\n${own.join("\n")}`));
          await docsearch.index({ documents });
          // Text that is longer as a whole than its lines added up.
          const count = (all: string): number => Math.ceil(all.length / 4) + Math.floor(all.length / 50);
          const budget = isTokens ? { maxTokens: { most, count } } : { maxChars: most };
          const { results } = await docsearch.search({ query: "kelp", ...budget });
          expect(results.length).toBeGreaterThan(0);
          const size = isTokens ? count : (all: string): number => all.length;
          const total = results.reduce((sum, { passage }) => sum + size(passage?.text ?? ""), 0);
          expect(total).toBeLessThanOrEqual(most);
          for (const { passage, document } of results) {
            const own = `kelp\n${texts[Number(document.id.slice(1))]?.join("\n")}`.split("\n");
            const { text: shown = "", startLine = 0 } = passage ?? {};
            if (shown === "" || shown.includes("[line cut]")) continue;
            expect(own.slice(startLine - 1, startLine - 1 + shown.split("\n").length)).toEqual(shown.split("\n"));
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("adjacent results", () => {
  const open = async (texts: Record<string, string>): Promise<Docsearch> => {
    const docsearch = await createDocsearch({ store: memoryStore(), chunkers: [paragraphs] });
    await docsearch.index({ documents: Object.entries(texts).map(([id, own]) => textDocument(id, own)) });
    return docsearch;
  };
  const shown = async (docsearch: Docsearch, over: Partial<SearchRequest> = {}): Promise<string[][]> =>
    (await docsearch.search({ query: "kelp", mergeAdjacent: true, ...over })).results.map(
      ({ chunk, adjacent = [] }) => [chunk.text, ...adjacent.map(({ text: own }) => own)],
    );

  test("become one, at the rank of the best, and leave their places to others", async () => {
    const docsearch = await open({ a: "one kelp\nkelp\nother\nthree words and kelp", b: "a kelp of two words" });
    expect(await shown(docsearch)).toEqual([["kelp", "one kelp"], ["a kelp of two words"], ["three words and kelp"]]);
    expect(await shown(docsearch, { limit: 2 })).toEqual([["kelp", "one kelp"], ["a kelp of two words"]]);
    expect(await shown(docsearch, { mergeAdjacent: false })).toHaveLength(4);
    expect(await shown(docsearch, { groupBy: "document" })).toEqual([["kelp"], ["a kelp of two words"]]);
  });

  test("a chunk between two stretches joins them", async () => {
    const docsearch = await open({ a: "kelp\nkelp and many other words that say nothing\nkelp kelp" });
    expect(await shown(docsearch)).toEqual([["kelp kelp", "kelp", "kelp and many other words that say nothing"]]);
  });

  test("pages join to the whole list, and the passage is the whole stretch", async () => {
    const docsearch = await open({ a: "kelp one\nkelp\nother\nkelp two three", b: "kelp four five six\nkelp seven" });
    const pages = await allPages(docsearch, { query: "kelp", mergeAdjacent: true, limit: 1 });
    expect(pages.map(([first]) => first)).toEqual(["1 a", "2 b", "3 a"]);
    const { results } = await docsearch.search({ query: "kelp", mergeAdjacent: true, limit: 1, maxChars: 500 });
    expect(results[0]?.passage?.text.replaceAll(/\s+/g, " ")).toBe("kelp one kelp");
  });
});

describe("documents that another process replaces between ranking and reading", () => {
  const texts = { a: "kelp", b: "kelp here", c: "kelp and more" };
  const open = async (writes: number): Promise<{ docsearch: Docsearch; indexed: () => number }> => {
    const { factory, store } = captured(memoryStore());
    const docsearch = await createDocsearch({ store: factory, embedder: topicEmbedder().factory });
    const documents = Object.entries(texts).map(([id, own]) => textDocument(id, own));
    await docsearch.index({ documents });
    const { searchText } = store();
    let written = 0;
    // The writer comes in once the words were searched.
    store().searchText = async (search) => {
      const hits = await searchText.call(store(), search);
      if (written < writes) {
        written++;
        await docsearch.index({ documents: [textDocument("b", `kelp here ${written}`)] });
      }
      return hits;
    };
    return { docsearch, indexed: () => written };
  };

  test("the search is done again", async () => {
    const { docsearch, indexed } = await open(1);
    const { results, warnings } = await docsearch.search({ query: "kelp", mode: "keyword" });
    expect(indexed()).toBe(1);
    expect(results.map(({ chunk }) => chunk.text)).toEqual(["kelp", "kelp here 1", "kelp and more"]);
    expect(warnings).toEqual([]);
  });

  test("where they are replaced again, the answer says what is missing", async () => {
    const { docsearch } = await open(Number.POSITIVE_INFINITY);
    const { results, warnings } = await docsearch.search({ query: "kelp", mode: "keyword" });
    expect(results.map(({ rank, chunk }) => [rank, chunk.text])).toEqual([
      [1, "kelp"],
      [2, "kelp and more"],
    ]);
    const message = "1 result was replaced while it was read and left out; search again";
    expect(warnings).toEqual([{ code: "RESULTS_CHANGED", message }]);
  });
});
