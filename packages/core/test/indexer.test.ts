import {
  type ChunkerFactory,
  DocsearchError,
  type DocumentChange,
  type EmbedderFactory,
  type SourceItem,
} from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { createDocsearch, type Docsearch } from "../src/docsearch.js";
import type { IndexEvent } from "../src/indexing/indexer.js";
import { memoryStore } from "../src/memory-store/memory-store.js";
import { captured, type FakeEmbedder, paragraphs, textDocument, topicEmbedder } from "./support.js";

async function open(): Promise<{
  docsearch: Docsearch;
  embedder: FakeEmbedder;
  store: ReturnType<typeof captured>["store"];
}> {
  const { factory, embedder } = topicEmbedder();
  const { factory: storeFactory, store } = captured(memoryStore());
  const docsearch = await createDocsearch({ store: storeFactory, embedder: factory, chunkers: [paragraphs] });
  return { docsearch, embedder, store };
}

const counts = (report: object): object => {
  const { skipped: _skipped, failures: _failures, ...rest } = report as Record<string, unknown>;
  return rest;
};
const none = { scanned: 0, unchanged: 0, empty: 0, replaced: 0, deleted: 0, chunks: 0, embedded: 0, kept: 0 };

describe("a run of the indexer", () => {
  test("says what it did, and the same run again does nothing", async () => {
    const { docsearch, embedder } = await open();
    const documents = [textDocument("a", "cats\n\ndogs"), textDocument("b", "fish"), textDocument("c", " \n ")];
    expect(counts(await docsearch.index({ documents }))).toEqual({
      ...none,
      scanned: 3,
      empty: 1,
      replaced: 2,
      chunks: 3,
      embedded: 3,
    });
    embedder.embedded.length = 0;
    expect(counts(await docsearch.index({ documents }))).toEqual({ ...none, scanned: 3, unchanged: 3 });
    expect(embedder.embedded).toEqual([]);
  });

  test("a changed document embeds only the chunks that are new", async () => {
    const { docsearch, embedder } = await open();
    await docsearch.index({ documents: [textDocument("a", "cats\ndogs\nfish")] });
    embedder.embedded.length = 0;
    const report = await docsearch.index({ documents: [textDocument("a", "a new hound\ncats\ndogs\nfish")] });
    expect(counts(report)).toEqual({ ...none, scanned: 1, replaced: 1, chunks: 4, embedded: 1, kept: 3 });
    expect(embedder.embedded).toEqual(["a new hound"]);
    const found = await docsearch.search({ query: "salmon", mode: "semantic", limit: 1 });
    expect(found.results[0]?.chunk.text).toBe("fish");
    expect(found.results[0]?.score).toBeCloseTo(0.5 * (1 / 2 + 1 / 6), 6);
  });

  test("equal texts of several documents are embedded once", async () => {
    const { docsearch, embedder } = await open();
    await docsearch.index({ documents: [textDocument("a", "cats"), textDocument("b", "cats")] });
    expect(embedder.embedded).toEqual(["cats"]);
    expect((await docsearch.status()).stats).toEqual({ documents: 2, chunks: 2, vectors: 2 });
  });

  test("a moved document is indexed under its new path, though its bytes are the same", async () => {
    const { docsearch } = await open();
    await docsearch.index({ documents: [textDocument("a", "cats")] });
    const report = await docsearch.index({ documents: [textDocument("a", "cats", { path: "moved/a" })] });
    expect(report.replaced).toBe(1);
    expect((await docsearch.getDocument("a"))?.path).toBe("moved/a");
  });

  test("of two documents with one id the later one stays", async () => {
    const { docsearch } = await open();
    const report = await docsearch.index({ documents: [textDocument("a", "cats"), textDocument("a", "dogs")] });
    expect(report.scanned).toBe(2);
    expect((await docsearch.search({ query: "dogs" })).results.map(({ chunk }) => chunk.text)).toEqual(["dogs"]);
    expect((await docsearch.status()).stats).toEqual({ documents: 1, chunks: 1, vectors: 1 });
    expect((await docsearch.check()).faults).toEqual([]);
  });

  test("prune deletes what did not come up in the collection, and nothing else", async () => {
    const { docsearch } = await open();
    await docsearch.index({
      documents: [
        textDocument("a", "cats"),
        textDocument("b", "dogs"),
        textDocument("c", "fish", { collection: "other" }),
      ],
    });
    const report = await docsearch.index({ documents: [textDocument("b", "dogs")], prune: { collections: ["test"] } });
    expect(counts(report)).toEqual({ ...none, scanned: 1, unchanged: 1, deleted: 1 });
    expect((await docsearch.listDocuments({ limit: 10 })).map(({ id }) => id)).toEqual(["b", "c"]);
  });

  test("a pruned collection of which nothing comes up is kept and reported, unless the request says otherwise", async () => {
    const { docsearch } = await open();
    const documents = ["a", "b", "c"].map((id) =>
      textDocument(id, "cats", { collection: id === "c" ? "other" : "test" }),
    );
    await docsearch.index({ documents });
    const prune = { collections: ["test", "other"] };
    const report = await docsearch.index({ documents: documents.slice(2), prune });
    expect(report).toMatchObject({ ...none, scanned: 1, unchanged: 1 });
    expect(report.spared).toEqual([{ collection: "test", documents: 2 }]);
    expect((await docsearch.listDocuments({ limit: 9 })).map(({ id }) => id)).toEqual(["a", "b", "c"]);
    const second = await docsearch.index({ documents: [], prune: { ...prune, emptied: "delete" } });
    expect(counts(second)).toEqual({ ...none, deleted: 3 });
    expect(second.spared).toBeUndefined();
    expect(await docsearch.listDocuments({ limit: 9 })).toEqual([]);
  });

  test("skips and failures of a source are reported, and a failed document is kept", async () => {
    const { docsearch } = await open();
    await docsearch.index({ documents: [textDocument("a", "cats")] });
    const items: SourceItem[] = [
      { type: "skip", path: "x.png", reason: "binary" },
      { type: "skip", path: "y.png", reason: "binary" },
      { type: "failure", documentId: "a", path: "a", error: new Error("unreadable") },
    ];
    const report = await docsearch.index({ documents: items, prune: { collections: ["test"] } });
    expect(counts(report)).toEqual({ ...none, scanned: 1 });
    expect(report.skipped).toEqual({ binary: 2 });
    expect(report.failures).toEqual([{ documentId: "a", error: new Error("unreadable") }]);
    expect((await docsearch.search({ query: "cats" })).results).toHaveLength(1);
  });

  test("a folder that cannot be read keeps its documents, and only those", async () => {
    const { docsearch } = await open();
    await docsearch.index({ documents: ["sub/a", "sub/deep/b", "subway"].map((id) => textDocument(id, "cats")) });
    const failure = { type: "failure", documentId: "sub/", path: "sub/", error: new Error("no access") } as const;
    const report = await docsearch.index({ documents: [failure], prune: { collections: ["test"] } });
    expect(counts(report)).toEqual({ ...none, deleted: 1 });
    expect((await docsearch.listDocuments({ limit: 9 })).map(({ id }) => id)).toEqual(["sub/a", "sub/deep/b"]);
  });

  test("lone surrogates and NUL become U+FFFD, and offsets stay", async () => {
    const { docsearch } = await open();
    await docsearch.index({ documents: [textDocument("a", "cats \ud800 and \u0000 dogs")] });
    const { results } = await docsearch.search({ query: "cats" });
    expect(results[0]?.chunk.text).toBe("cats \ufffd and \ufffd dogs");
    expect(results[0]?.chunk.span).toEqual({ startOffset: 0, endOffset: 17, startLine: 1, endLine: 1 });
  });

  test("a title and headings of a megabyte are cut short: every chunk would carry them", async () => {
    const long = "x".repeat(1_000_000);
    const chunkers: ChunkerFactory[] = [
      {
        ...paragraphs,
        load: async () => ({
          ...(await paragraphs.load()),
          chunk: ({ text }) => ({
            title: long,
            chunks: [
              {
                text,
                span: { startOffset: 0, endOffset: text.length, startLine: 1, endLine: 1 },
                headingPath: ["short", long],
                metadata: {},
              },
            ],
            outline: [],
            diagnostics: [],
          }),
        }),
      },
    ];
    const docsearch = await createDocsearch({ store: memoryStore(), chunkers });
    await docsearch.index({ documents: [textDocument("a", "cats")] });
    const [result] = (await docsearch.search({ query: "cats" })).results;
    expect(result?.document.title).toBe("x".repeat(200));
    expect(result?.chunk.headingPath).toEqual(["short", "x".repeat(200)]);
  });

  test("what a chunker has to say and what the model had to cut are told, and the documents are indexed", async () => {
    const cutting: EmbedderFactory = {
      specVersion: 1,
      name: "cutting",
      load: async () => ({
        specVersion: 1,
        id: "cutting@1",
        dimensions: 1,
        maxBatchSize: 8,
        maxParallelCalls: 1,
        embedDocuments: async (texts) => ({
          vectors: texts.map(() => Float32Array.of(1)),
          truncated: texts.flatMap((text, index) => (text.length > 12 ? [index] : [])),
        }),
        embedQuery: async () => ({ vectors: [Float32Array.of(1)], truncated: [] }),
        close: async () => {},
      }),
    };
    const complaining: ChunkerFactory = {
      ...paragraphs,
      load: async () => {
        const chunker = await paragraphs.load();
        return {
          ...chunker,
          supports: (document) => chunker.supports(document),
          chunk(document, options) {
            const result = chunker.chunk(document, options);
            const span = { startOffset: 0, endOffset: 1, startLine: 1, endLine: 1 };
            return { ...result, diagnostics: [{ message: "odd", span }, { message: "very odd" }] };
          },
        };
      },
    };
    const docsearch = await createDocsearch({ store: memoryStore(), embedder: cutting, chunkers: [complaining] });
    const events: IndexEvent[] = [];
    const report = await docsearch.index({
      documents: [textDocument("a", "short\na text too long for it")],
      onEvent: (event) => events.push(event),
    });
    expect(counts(report)).toEqual({ ...none, scanned: 1, replaced: 1, chunks: 2, embedded: 2, truncated: 1 });
    expect(events.filter(({ type }) => type === "diagnostic" || type === "truncation")).toEqual([
      { type: "diagnostic", documentId: "a", message: "odd", line: 1 },
      { type: "diagnostic", documentId: "a", message: "very odd" },
      { type: "truncation", documentId: "a", line: 1 },
    ]);
  });

  test("events tell of every document, in order", async () => {
    const { docsearch } = await open();
    const events: IndexEvent[] = [];
    await docsearch.index({
      documents: [textDocument("a", "cats"), textDocument("b", "")],
      onEvent: (e) => events.push(e),
    });
    expect(events).toEqual([
      { type: "document", documentId: "a", outcome: "replaced" },
      { type: "document", documentId: "b", outcome: "empty" },
      { type: "write", chunks: 1, embedded: 1 },
    ]);
  });
});

describe("faults", () => {
  test("a text that cannot be embedded costs its chunk the vector, not the run; the next run makes it good", async () => {
    const { docsearch, embedder } = await open();
    embedder.failOn = "bad";
    const documents = Array.from({ length: 12 }, (_, i) => textDocument(`d${String(i).padStart(2, "0")}`, `cat ${i}`));
    documents[5] = textDocument("d05", "bad dog");
    const report = await docsearch.index({ documents });
    expect(report.failures.map(({ documentId }) => documentId)).toEqual(["d05"]);
    expect(report).toMatchObject({ replaced: 12, chunks: 12, embedded: 11 });
    embedder.failOn = undefined;
    expect(counts(await docsearch.index({ documents }))).toMatchObject({ unchanged: 11, replaced: 1, embedded: 1 });
  });

  test("in-partial-embed-failure: what failed is found by its words, and alone is embedded in the next run", async () => {
    const { factory, embedder } = topicEmbedder();
    const docsearch = await createDocsearch({ store: memoryStore(), embedder: factory, chunkers: [paragraphs] });
    const documents = [textDocument("m", "alpha cat\n\nbravo cat\n\ncharlie cat")];
    embedder.failOn = "bravo";
    const first = await docsearch.index({ documents });
    expect(first).toMatchObject({ replaced: 1, chunks: 3, embedded: 2, failures: [{ documentId: "m" }] });
    const { results } = await docsearch.search({ query: "bravo", mode: "keyword" });
    expect(results.map(({ chunk }) => chunk.text)).toEqual(["bravo cat"]);
    expect((await docsearch.status()).stats).toEqual({ documents: 1, chunks: 3, vectors: 2 });
    embedder.failOn = undefined;
    embedder.embedded.length = 0;
    expect(await docsearch.index({ documents })).toMatchObject({ replaced: 1, embedded: 1, kept: 2, failures: [] });
    expect(embedder.embedded).toEqual(["bravo cat"]);
    expect(await docsearch.index({ documents })).toMatchObject({ unchanged: 1, embedded: 0, failures: [] });
    expect((await docsearch.check()).faults).toEqual([]);
  });

  test("a vector that cannot be compared costs its chunk the vector, not the document; the next run makes it good", async () => {
    const { factory, embedder } = topicEmbedder();
    const docsearch = await createDocsearch({ store: memoryStore(), embedder: factory, chunkers: [paragraphs] });
    const documents = [textDocument("m", "alpha cat\n\nbravo cat\n\ncharlie cat")];
    const embedSoundly = embedder.embedDocuments;
    embedder.embedDocuments = async (texts) => {
      const { vectors } = await embedSoundly(texts);
      return {
        vectors: vectors.map((sound, i) => (texts[i] === "bravo cat" ? new Float32Array(3) : sound)),
        truncated: [],
      };
    };
    expect(await docsearch.index({ documents })).toMatchObject({
      replaced: 1,
      embedded: 2,
      failures: [{ documentId: "m", error: { code: "VECTOR_INVALID" } }],
    });
    const { results } = await docsearch.search({ query: "bravo", mode: "keyword" });
    expect(results.map(({ chunk }) => chunk.text)).toEqual(["bravo cat"]);
    embedder.embedDocuments = embedSoundly;
    expect(await docsearch.index({ documents })).toMatchObject({ replaced: 1, embedded: 1, kept: 2, failures: [] });
  });

  test("an embedder that is gone ends the run, and what was written stays", async () => {
    const { docsearch, embedder } = await open();
    await docsearch.index({ documents: [textDocument("a", "cats")] });
    embedder.failOn = "cat";
    const documents = Array.from({ length: 40 }, (_, i) => textDocument(`d${i}`, `cat ${i}`));
    await expect(docsearch.index({ documents })).rejects.toThrow("cannot embed");
    expect((await docsearch.status()).stats.documents).toBe(1);
  });

  test("a document whose vector the store refuses is reported, the others are written", async () => {
    const { docsearch, store } = await open();
    const write = store().write.bind(store());
    store().write = async (changes: readonly DocumentChange[], options) => {
      if (changes.some((change) => change.type === "replace" && change.document.id === "b")) {
        throw new DocsearchError("VECTOR_INVALID", "no", { reason: "zero", expected: 3, actual: 3 });
      }
      return write(changes, options);
    };
    const report = await docsearch.index({ documents: ["a", "b", "c"].map((id) => textDocument(id, "cats")) });
    expect(report.failures.map(({ documentId }) => documentId)).toEqual(["b"]);
    expect((await docsearch.listDocuments({ limit: 9 })).map(({ id }) => id)).toEqual(["a", "c"]);
  });

  test("an abort rejects with AbortError", async () => {
    const { docsearch } = await open();
    const documents = [textDocument("a", "cats")];
    await expect(docsearch.index({ documents, signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect((await docsearch.status()).stats.documents).toBe(0);
  });

  test("chunking options that make no sense are refused", async () => {
    const make = (chunking: object): Promise<Docsearch> => createDocsearch({ store: memoryStore(), chunking });
    await expect(make({ maxSize: 50 })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(make({ maxSize: 200, overlap: 101 })).rejects.toMatchObject({
      message: "chunking.overlap is 101; expected a whole number from 0 to half of maxSize (100)",
    });
  });
});
