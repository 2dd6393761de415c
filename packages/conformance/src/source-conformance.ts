import assert from "node:assert/strict";
import type { CallOptions, Document, DocumentSource, SourceItem } from "@docsearch/spec";
import { rejectsWithAbort } from "./assertions.js";
import type { TestFunction } from "./test-function.js";

export interface SourceConformanceOptions {
  readonly test: TestFunction;
  /** A source with at least two documents. Called once in each test; what it reads must not change meanwhile. */
  readonly open: () => Promise<DocumentSource>;
  /** Ids of the documents that it holds. */
  readonly documentIds: readonly string[];
}

/** Defines one test for each behaviour that the contract asks of a source of documents. */
export function sourceConformance({ test, open, documentIds }: SourceConformanceOptions): void {
  test("source: every document comes once", async () => {
    const documents = documentsIn(await readAll(await open()));
    assert.deepEqual(documents.map(({ id }) => id).sort(), [...documentIds].sort());
  });

  test("source: documents are well-formed", async () => {
    const source = await open();
    assert.notEqual(source.collection, "");
    for (const document of documentsIn(await readAll(source))) assertDocument(document, source.collection);
  });

  test("source: what is left out or cannot be read says why", async () => {
    for (const item of await readAll(await open())) {
      if (item.type === "skip") assert.ok(item.path !== "" && item.reason !== "", JSON.stringify(item));
      if (item.type !== "failure") continue;
      assert.ok(item.documentId !== "" && item.path !== "" && item.error !== undefined, JSON.stringify(item));
    }
  });

  test("source: a second reading gives the same documents", async () => {
    const source = await open();
    const byId = (items: readonly SourceItem[]): Document[] =>
      documentsIn(items).sort((a, b) => (a.id < b.id ? -1 : 1));
    const first = byId(await readAll(source));
    assert.deepEqual(byId(await readAll(source)), first);
    assert.deepEqual(byId(await readAll(await open())), first);
  });

  test("source: two readings at once do not disturb each other", async () => {
    const source = await open();
    const readings = await Promise.all([readAll(source), readAll(source)]);
    for (const items of readings) {
      assert.deepEqual(
        documentsIn(items)
          .map(({ id }) => id)
          .sort(),
        [...documentIds].sort(),
      );
    }
  });

  test("source: a reading that is left early ends, and the next one is whole", async () => {
    const source = await open();
    for await (const item of source.read()) if (isDocument(item)) break;
    assert.equal(documentsIn(await readAll(source)).length, documentIds.length);
  });

  test("source: an aborted signal rejects with AbortError", async () => {
    await rejectsWithAbort(readAll(await open(), { signal: AbortSignal.abort() }));
  });

  test("source: a signal that is aborted on the way ends the reading with AbortError", async () => {
    const controller = new AbortController();
    const source = await open();
    await rejectsWithAbort(
      (async (): Promise<void> => {
        for await (const item of source.read({ signal: controller.signal })) {
          if (isDocument(item)) controller.abort();
        }
      })(),
    );
  });
}

async function readAll(source: DocumentSource, options?: CallOptions): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  for await (const item of source.read(options)) items.push(item.type === "unread" ? await readUnread(item) : item);
  return items;
}

function isDocument({ type }: SourceItem): boolean {
  return type === "document" || type === "unread";
}

/** What a document without its text says of itself must hold once it is read. */
async function readUnread({ document, read }: Extract<SourceItem, { type: "unread" }>): Promise<SourceItem> {
  const item = await read();
  assert.ok(item.type === "document", `${document.id}: came up unread, and is no document when it is read`);
  const { text: _, ...record } = item.document;
  assert.deepEqual(record, document);
  return item;
}

function documentsIn(items: readonly SourceItem[]): Document[] {
  return items.flatMap((item) => (item.type === "document" ? [item.document] : []));
}

function assertDocument(document: Document, collection: string): void {
  const { id, text, contentHash, mediaType, path, title, metadata } = document;
  assert.notEqual(id, "");
  assert.equal(document.collection, collection, id);
  assert.ok(!/\p{Surrogate}|\0/u.test(text), `${id}: the text holds a lone surrogate or NUL`);
  assert.notEqual(contentHash, "", id);
  assert.match(mediaType, /^[a-z]+\/[a-z0-9.+-]+$/u, id);
  if (path !== undefined) assert.ok(path !== "" && !path.split("/").includes(".."), `${id}: path ${path}`);
  if (title !== undefined) assert.notEqual(title, "", id);
  for (const [key, value] of Object.entries(metadata)) {
    const flat = typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
    assert.ok(flat, `${id}: metadata ${key} is ${String(value)}`);
  }
}
