import { DocsearchError, type EmbedderFactory } from "@docsearch/spec";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDocsearch, type Docsearch } from "../src/docsearch.js";
import type { IndexEvent } from "../src/indexing/indexer.js";
import { memoryStore } from "../src/memory-store/memory-store.js";
import { type FakeEmbedder, paragraphs, textDocument, topicEmbedder } from "./support.js";

interface Slow {
  readonly docsearch: Docsearch;
  readonly embedder: FakeEmbedder;
  /** Lets calls of the model end: those that wait, and all that come. */
  open(error?: Error): void;
}

/** An index whose model answers when it is told to. */
async function slow(): Promise<Slow> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { factory, embedder } = topicEmbedder(10_000);
  let open: (error?: Error) => void = () => {};
  const gate = new Promise<void>((resolve, reject) => {
    open = (error) => (error === undefined ? resolve() : reject(error));
  });
  gate.catch(() => {});
  const slowly: EmbedderFactory = {
    ...factory,
    load: async () => ({
      ...embedder,
      async embedDocuments(texts, { signal } = {}) {
        const aborted = new Promise<never>((_, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason)),
        );
        await Promise.race([gate, aborted]);
        return embedder.embedDocuments(texts);
      },
    }),
  };
  const docsearch = await createDocsearch({ store: memoryStore(), embedder: slowly, chunkers: [paragraphs] });
  return { docsearch, embedder, open };
}

const found = async ({ docsearch }: Slow, query: string): Promise<string[]> =>
  (await docsearch.search({ query, mode: "keyword" })).results.map(({ document }) => document.id);

/** Waits until a search for a word finds these documents; the clock goes on meanwhile. */
async function expectFound(index: Slow, query: string, ids: readonly string[]): Promise<void> {
  await vi.waitFor(async () => expect(await found(index, query)).toEqual(ids), 10_000);
}

test("words are found while the model is at work, and the run ends as with a fast one", async () => {
  const index = await slow();
  const events: IndexEvent[] = [];
  const documents = [textDocument("a", "cats\ndogs"), textDocument("b", "fish")];
  const running = index.docsearch.index({ documents, onEvent: (event) => events.push(event) });
  await expectFound(index, "cats", ["a"]);
  expect((await index.docsearch.status()).stats).toEqual({ documents: 2, chunks: 3, vectors: 0 });
  expect(events).toEqual([{ type: "write", chunks: 3, embedded: 0 }]);
  index.open();
  await vi.runAllTimersAsync();
  expect(await running).toMatchObject({ scanned: 2, replaced: 2, chunks: 3, embedded: 3, kept: 0, failures: [] });
  expect((await index.docsearch.status()).stats).toEqual({ documents: 2, chunks: 3, vectors: 3 });
  expect(events.filter(({ type }) => type === "document")).toHaveLength(2);
  expect(await index.docsearch.index({ documents })).toMatchObject({ unchanged: 2, embedded: 0 });
});

test("a run that ends meanwhile is taken up by the next one, which embeds what is missing and no more", async () => {
  const index = await slow();
  const documents = [textDocument("a", "cats\ndogs"), textDocument("b", "fish")];
  const end = new AbortController();
  const running = index.docsearch.index({ documents, signal: end.signal });
  const rejected = expect(running).rejects.toMatchObject({ name: "AbortError" });
  await expectFound(index, "fish", ["b"]);
  end.abort();
  await vi.runAllTimersAsync();
  await rejected;
  expect(index.embedder.embedded).toEqual([]);
  index.open();
  expect(await index.docsearch.index({ documents })).toMatchObject({ unchanged: 0, replaced: 2, embedded: 3 });
  expect(index.embedder.embedded).toEqual(["cats", "dogs", "fish"]);
});

test("a model that is gone ends the run, and the words stay found", async () => {
  const index = await slow();
  const running = index.docsearch.index({ documents: [textDocument("a", "cats")] });
  const rejected = expect(running).rejects.toThrow("no such model");
  await expectFound(index, "cats", ["a"]);
  index.open(new DocsearchError("EMBEDDER_FAILED", "no such model", { model: "topics@1", retryable: false }));
  await vi.runAllTimersAsync();
  await rejected;
  expect(await found(index, "cats")).toEqual(["a"]);
});

test("words run ahead by a few batches and not without end", async () => {
  const index = await slow();
  let read = 0;
  function* documents(): Generator<ReturnType<typeof textDocument>> {
    for (; read < 20; read++)
      yield textDocument(`d${read}`, Array.from({ length: 1024 }, (_, i) => `cats ${read} ${i}`).join("\n"));
  }
  const running = index.docsearch.index({ documents: documents() });
  await vi.waitFor(async () => expect((await index.docsearch.status()).stats.documents).toBe(10), 20_000);
  await vi.advanceTimersByTimeAsync(60_000);
  // All twenty fit into a look-up; ten batches of two documents would be twenty thousand chunks.
  expect((await index.docsearch.status()).stats).toEqual({ documents: 10, chunks: 10_240, vectors: 0 });
  index.open();
  expect(await vi.waitFor(() => running)).toMatchObject({ replaced: 20, embedded: 20_480 });
}, 30_000);

test("of two documents with one id the later one stays, though the first waits for its vectors", async () => {
  const index = await slow();
  const others = Array.from({ length: 2050 }, (_, i) => `fish ${i}`).join("\n");
  const documents = [textDocument("a", "cats"), textDocument("b", others), textDocument("a", "dogs")];
  const running = index.docsearch.index({ documents });
  await expectFound(index, "cats", ["a"]);
  index.open();
  await vi.waitFor(() => running);
  expect(await index.docsearch.getDocument("a")).toMatchObject({ contentHash: "dogs" });
  expect(await found(index, "cats")).toEqual([]);
});
