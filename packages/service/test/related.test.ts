import { createDocsearch, type Docsearch, memoryStore } from "@docsearch/core";
import type { ChunkerFactory, Document } from "@docsearch/spec";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createService, type Service } from "../src/index.js";
import { outsideOfQuotes } from "./support.js";

/** A file of code is one chunk that defines the name behind `def`. */
const oneDefinition: ChunkerFactory = {
  specVersion: 1,
  name: "one",
  id: "one@1",
  load: async () => ({
    specVersion: 1,
    id: "one@1",
    supports: ({ path }) => path?.endsWith(".code") ?? false,
    chunk({ text }) {
      const name = /def (\w+)/.exec(text)?.[1] ?? "none";
      const symbol = { name, kind: "function", qualifiedName: name, line: 1, endLine: 1 };
      const span = { startOffset: 0, endOffset: text.length, startLine: 1, endLine: 1 };
      const chunk = { text, span, headingPath: [name], language: "code", symbols: [symbol], metadata: {} };
      return { chunks: [chunk], outline: [], diagnostics: [] };
    },
  }),
};

const file = (path: string, text: string): Document => {
  return { id: path, path, collection: "c", text, contentHash: text, mediaType: "text/plain", metadata: {} };
};

let docsearch: Docsearch;
let service: Service;

beforeAll(async () => {
  docsearch = await createDocsearch({ store: memoryStore(), chunkers: [oneDefinition] });
  await docsearch.index({
    documents: [
      file("src/retry.code", "def retryJob"),
      file("docs/jobs.txt", "A job that failed runs again by `retryJob(id)`."),
    ],
  });
  service = createService({
    open: async () => docsearch,
    resolvePath: (path) => path,
    runJob: () => Promise.reject(new Error("not here")),
  });
});
afterAll(() => docsearch.close());

async function chunkOf(path: string): Promise<string> {
  return (await docsearch.getDocumentChunks(path))[0]!.id;
}

test("a chunk of text says where the code is that it names, and the code where it is explained", async () => {
  const [text, code] = [await chunkOf("docs/jobs.txt"), await chunkOf("src/retry.code")];
  const ofText = await service.getChunk({ chunk_id: text, before: 0, after: 0 });
  expect(ofText.data.related).toEqual([
    { relation: "definition", name: "retryJob", path: "src/retry.code", line: 1, chunkId: code },
  ]);
  expect(ofText.text.split("\n")).toContain(`Defined: retryJob in src/retry.code:1 (id ${code})`);
  expect(outsideOfQuotes(ofText.text)).not.toContain("retryJob");

  const ofCode = await service.getChunk({ chunk_id: code, before: 0, after: 0 });
  expect(ofCode.data.related).toEqual([{ relation: "mention", path: "docs/jobs.txt", line: 1, chunkId: text }]);
  expect(ofCode.text.split("\n")).toContain(`Explained in docs/jobs.txt:1 (id ${text})`);
});
