import { afterEach, describe, expect, test } from "vitest";
import { type EvalQuery, evaluate } from "../src/index.js";
import { indexOf, petEmbedder, textDocument } from "./support.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function index(...[documents, parts]: Parameters<typeof indexOf>) {
  const docsearch = await indexOf(documents, parts);
  open.push(docsearch);
  return docsearch;
}

const documents = [
  textDocument("a.txt", "intro words\nretry a failed job\nretry again"),
  textDocument("b.txt", "retry is told in a.txt\nother text"),
  textDocument("c.txt", "nothing of that kind"),
];

const query = (over: Partial<EvalQuery>): EvalQuery => ({
  id: over.query ?? "retry",
  query: "retry",
  relevant: [{ path: "a.txt" }],
  ...over,
});

describe("evaluate", () => {
  test("an index of words gets the keyword arm, with its figures and records", async () => {
    const docsearch = await index(documents);
    const run = await evaluate(docsearch, [
      query({ query: "failed job", kind: "question" }),
      query({ query: "kind", kind: "word", relevant: [{ path: "a.txt" }] }),
      query({ query: "zebra", kind: "word" }),
    ]);
    expect(run.arms.map(({ name }) => name)).toEqual(["keyword"]);
    expect(run.index).toMatchObject({ store: "memory", documents: 3, chunks: 6, vectors: 0, embedder: null });
    const [arm] = run.arms;
    expect(arm?.metrics).toEqual({
      "ndcg@10": 1 / 3,
      "mrr@10": 1 / 3,
      "recall@10": 1 / 3,
      "hit@1": 1 / 3,
      "hit@3": 1 / 3,
      "hit@5": 1 / 3,
    });
    expect(arm?.zeroHitRate).toBe(1 / 3);
    expect(arm?.kinds.map(({ kind, queries, metrics }) => [kind, queries, metrics["mrr@10"]])).toEqual([
      ["question", 1, 1],
      ["word", 2, 0],
    ]);
    expect(arm?.queries[0]).toMatchObject({ id: "failed job", results: 1, top: ["a.txt"], metrics: { "mrr@10": 1 } });
    expect(arm?.queries[2]).toMatchObject({ results: 0, top: [] });
    expect(JSON.parse(JSON.stringify(run))).toEqual(run);
  });

  test("a section is found when a chunk starts inside it", async () => {
    const docsearch = await index(documents);
    const within = (startLine: number, endLine: number) => query({ relevant: [{ path: "a.txt", startLine, endLine }] });
    const sectionHit = async (one: EvalQuery) => {
      const run = await evaluate(docsearch, [one], { metrics: ["section-hit@5", "section-mrr@10", "hit@5"] });
      return run.arms[0]?.metrics;
    };
    expect(await sectionHit(within(3, 3))).toMatchObject({ "section-hit@5": 1, "hit@5": 1 });
    // The chunk of line 1 does not hold the word: nothing that is found starts there.
    expect(await sectionHit(within(1, 1))).toEqual({ "section-hit@5": 0, "section-mrr@10": 0, "hit@5": 1 });
    const offsets = query({ relevant: [{ documentId: "a.txt", startOffset: 12, endOffset: 13 }] });
    expect(await sectionHit(offsets)).toMatchObject({ "section-hit@5": 1 });
    const behind = query({ relevant: [{ documentId: "a.txt", startOffset: 13, endOffset: 14 }] });
    expect(await sectionHit(behind)).toMatchObject({ "section-hit@5": 0 });
  });

  test("a chunk named by its id", async () => {
    const docsearch = await index(documents);
    const { results } = await docsearch.search({ query: "failed" });
    const chunkId = results[0]?.chunk.id as string;
    const run = await evaluate(docsearch, [query({ query: "failed", relevant: [{ chunkId }] })], {
      metrics: ["hit@1", "section-hit@1"],
    });
    expect(run.arms[0]?.metrics).toEqual({ "hit@1": 1, "section-hit@1": 1 });
    const gone = await evaluate(docsearch, [query({ relevant: [{ path: "a.txt", chunkId: "gone" }] })], {
      metrics: ["hit@1", "section-hit@5"],
    });
    expect(gone.missing).toEqual(["gone"]);
    expect(gone.arms[0]?.metrics["section-hit@5"]).toBe(0);
  });

  test("a page that does not count takes no place", async () => {
    const docsearch = await index(documents);
    const told = { query: "retry told", relevant: [{ path: "a.txt" }] };
    const run = await evaluate(docsearch, [query(told), query({ ...told, id: "without", exclude: ["b.txt"] })], {
      metrics: ["mrr@10"],
    });
    expect(run.arms[0]?.queries.map(({ top, metrics }) => [top, metrics["mrr@10"]])).toEqual([
      [["b.txt", "a.txt"], 0.5],
      [["a.txt"], 1],
    ]);
  });

  test("all arms of an index with vectors; settings of an arm's own", async () => {
    const pets = [textDocument("cat.txt", "a cat"), textDocument("dog.txt", "a dog")];
    const docsearch = await index(pets, { embedder: petEmbedder });
    const feline = query({ query: "feline", relevant: [{ path: "cat.txt" }] });
    const run = await evaluate(docsearch, [feline], { metrics: ["mrr@10"] });
    expect(run.arms.map(({ name, metrics }) => [name, metrics["mrr@10"]])).toEqual([
      ["keyword", 0],
      ["semantic", 1],
      ["hybrid", 1],
      ["rrf", 1],
    ]);
    const filtered = await evaluate(docsearch, [feline], {
      metrics: ["mrr@10"],
      arms: [{ name: "dogs", request: { mode: "semantic", filter: { op: "in", field: "path", values: ["dog.txt"] } } }],
    });
    expect(filtered.arms[0]?.metrics["mrr@10"]).toBe(0);
  });

  test("targets that are not there are named and count as not found", async () => {
    const docsearch = await index(documents);
    const run = await evaluate(docsearch, [query({ relevant: [{ path: "a.txt" }, { path: "gone.txt" }] })], {
      metrics: ["recall@10"],
    });
    expect(run.missing).toEqual(["gone.txt"]);
    expect(run.arms[0]?.metrics["recall@10"]).toBe(0.5);
  });

  test("a set for another index is an error, not a table of zeros", async () => {
    const docsearch = await index(documents);
    await expect(evaluate(docsearch, [query({ relevant: [{ path: "docs/a.txt" }] })])).rejects.toThrow(
      "none of the targets is among the 3 documents of the index: found docs/a.txt; expected paths as the index has them, such as a.txt",
    );
  });

  test("wrong metrics and arms are refused", async () => {
    const docsearch = await index(documents);
    await expect(evaluate(docsearch, [query({})], { metrics: ["map@10"] })).rejects.toThrow(
      'there is no metric "map@10"',
    );
    await expect(evaluate(docsearch, [query({})], { metrics: ["mrr@0"] })).rejects.toThrow(
      'there is no metric "mrr@0"',
    );
    const arm = { name: "same", request: {} };
    await expect(evaluate(docsearch, [query({})], { arms: [arm, arm] })).rejects.toThrow("each with a name of its own");
    await expect(evaluate(docsearch, [query({})], { arms: [] })).rejects.toThrow("arms are none");
  });

  test("progress is told and a signal ends the run", async () => {
    const docsearch = await index(documents);
    const seen: unknown[] = [];
    await evaluate(docsearch, [query({}), query({ id: "2" })], { onQuery: (progress) => seen.push(progress) });
    expect(seen).toEqual([
      { arm: "keyword", done: 1, total: 2 },
      { arm: "keyword", done: 2, total: 2 },
    ]);
    await expect(evaluate(docsearch, [query({})], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});
