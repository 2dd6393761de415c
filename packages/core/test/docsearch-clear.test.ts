import { isDocsearchError } from "@docsearch/spec";
import { expect, test } from "vitest";
import { createDocsearch, type Docsearch } from "../src/docsearch.js";
import { memoryStore } from "../src/memory-store/memory-store.js";
import { paragraphs, textDocument, topicEmbedder } from "./support.js";

async function animals(): Promise<Docsearch> {
  const { factory } = topicEmbedder();
  const docsearch = await createDocsearch({ store: memoryStore(), embedder: factory, chunkers: [paragraphs] });
  await docsearch.index({
    documents: [textDocument("cats", "a cat"), textDocument("dogs", "a dog", { collection: "other" })],
  });
  return docsearch;
}

test("nothing of any collection is left, and the index is what it was made as", async () => {
  const docsearch = await animals();
  const { schema } = await docsearch.status();
  await docsearch.clear();
  expect(await docsearch.status()).toMatchObject({ schema, stats: { documents: 0, chunks: 0, vectors: 0 } });
  expect((await docsearch.search({ query: "cat" })).results).toEqual([]);
  expect(await docsearch.check()).toEqual({ faults: [] });
});

test("what is indexed afterwards is new: no document is unchanged, no vector kept", async () => {
  const docsearch = await animals();
  await docsearch.clear();
  const report = await docsearch.index({ documents: [textDocument("cats", "a cat")] });
  expect(report).toMatchObject({ scanned: 1, unchanged: 0, replaced: 1, embedded: 1, kept: 0 });
});

test("an aborted call removes nothing, a closed index rejects", async () => {
  const docsearch = await animals();
  await expect(docsearch.clear({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
  expect((await docsearch.status()).stats.documents).toBe(2);
  await docsearch.close();
  const error: unknown = await docsearch.clear().catch((reason: unknown) => reason);
  expect(isDocsearchError(error, "CLOSED")).toBe(true);
});
