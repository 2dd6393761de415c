import type { Document, DocumentRecord, ReadItem, SourceItem } from "@docsearch/spec";
import { expect, test } from "vitest";
import { createDocsearch, type Docsearch } from "../src/docsearch.js";
import { memoryStore } from "../src/memory-store/memory-store.js";
import { paragraphs, textDocument, topicEmbedder } from "./support.js";

async function open(): Promise<Docsearch> {
  return createDocsearch({ store: memoryStore(), embedder: topicEmbedder().factory, chunkers: [paragraphs] });
}

function recordOf({ text: _, ...record }: Document): DocumentRecord {
  return record;
}

/** A document that comes up without its text, and what reading it gives. */
function unread(document: Document, item: ReadItem = { type: "document", document }): SourceItem & { reads: number } {
  const arrival = {
    type: "unread" as const,
    document: recordOf(document),
    reads: 0,
    async read() {
      arrival.reads++;
      return item;
    },
  };
  return arrival;
}

test("a document that the index has as it is is not read", async () => {
  const docsearch = await open();
  const document = textDocument("a", "cats");
  await docsearch.index({ documents: [document] });
  const arrival = unread(document);
  const report = await docsearch.index({ documents: [arrival], prune: { collections: ["test"] } });
  expect(report).toMatchObject({ scanned: 1, unchanged: 1, replaced: 0, deleted: 0, failures: [] });
  expect(arrival.reads).toBe(0);
});

test.each([
  ["new", undefined],
  ["of other content", textDocument("a", "dogs")],
  ["of another collection", textDocument("a", "cats", { collection: "other" })],
  ["of another media type", textDocument("a", "cats", { mediaType: "text/markdown" })],
])("a document that is %s is read and indexed", async (_name, before) => {
  const docsearch = await open();
  if (before !== undefined) await docsearch.index({ documents: [before] });
  const arrival = unread(textDocument("a", "cats"));
  expect(await docsearch.index({ documents: [arrival] })).toMatchObject({ scanned: 1, unchanged: 0, replaced: 1 });
  expect(arrival.reads).toBe(1);
  expect((await docsearch.search({ query: "cats", mode: "keyword" })).results).toHaveLength(1);
});

test("what it is by the time it is read is what is indexed", async () => {
  const docsearch = await open();
  const now = textDocument("a", "fish");
  await docsearch.index({ documents: [unread(textDocument("a", "cats"), { type: "document", document: now })] });
  expect(await docsearch.getDocument("a")).toMatchObject({ contentHash: "fish" });
});

test("one that cannot be read after all is a failure and keeps what the index has", async () => {
  const docsearch = await open();
  await docsearch.index({ documents: [textDocument("a", "cats"), textDocument("b", "dogs")] });
  const error = new Error("it is gone");
  const failing = unread(textDocument("a", "fish"), { type: "failure", documentId: "a", path: "a", error });
  const documents = [failing, textDocument("b", "dogs")];
  const report = await docsearch.index({ documents, prune: { collections: ["test"] } });
  expect(report).toMatchObject({ scanned: 2, unchanged: 1, replaced: 0, deleted: 0 });
  expect(report.failures).toEqual([{ documentId: "a", error }]);
  expect(await docsearch.getDocument("a")).toMatchObject({ contentHash: "cats" });
});

test("one that is left out after all leaves the index", async () => {
  const docsearch = await open();
  await docsearch.index({ documents: [textDocument("a", "cats"), textDocument("b", "dogs")] });
  const skipped = unread(textDocument("a", "fish"), { type: "skip", path: "a", reason: "binary" });
  const documents = [skipped, textDocument("b", "dogs")];
  const report = await docsearch.index({ documents, prune: { collections: ["test"] } });
  expect(report).toMatchObject({ scanned: 1, unchanged: 1, deleted: 1, skipped: { binary: 1 }, failures: [] });
  expect(await docsearch.getDocument("a")).toBeUndefined();
});
