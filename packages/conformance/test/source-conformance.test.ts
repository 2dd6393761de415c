import type { CallOptions, Document, DocumentSource, SourceItem } from "@docsearch/spec";
import { expect, test } from "vitest";
import { sourceConformance } from "../src/index.js";
import { redTests } from "./doubles/collect.js";

const DOCUMENTS: readonly Document[] = ["a.md", "x/b.md", "x/c.txt"].map((path) => ({
  id: path,
  collection: "docs",
  text: `text of ${path}`,
  contentHash: `hash of ${path}`,
  mediaType: path.endsWith(".md") ? "text/markdown" : "text/plain",
  path,
  metadata: {},
}));

const ITEMS: readonly SourceItem[] = [
  ...DOCUMENTS.map((document) => ({ type: "document", document }) as const),
  { type: "skip", path: "secret.pem", reason: "looks like a secret" },
  { type: "failure", documentId: "x/d.md", path: "x/d.md", error: new Error("EACCES") },
];

function listSource(items: readonly SourceItem[] = ITEMS): DocumentSource {
  return {
    collection: "docs",
    async *read(options?: CallOptions) {
      for (const item of items) {
        options?.signal?.throwIfAborted();
        yield item;
      }
    },
  };
}

function run(open: () => DocumentSource = () => listSource()): Promise<string[]> {
  const documentIds = DOCUMENTS.map(({ id }) => id);
  return redTests((collect) => sourceConformance({ test: collect, open: async () => open(), documentIds }));
}

/** A source whose first document differs. */
const withFirst = (different: Partial<Document>) => (): DocumentSource =>
  listSource([{ type: "document", document: { ...DOCUMENTS[0]!, ...different } }, ...ITEMS.slice(1)]);

test("every test is green for a right source", async () => {
  expect(await run()).toEqual([]);
});

let readings = 0;

test.each<[fault: string, open: () => DocumentSource, red: string]>([
  ["a document comes twice", () => listSource([...ITEMS, ITEMS[0]!]), "every document comes once"],
  ["a document is missing", () => listSource(ITEMS.slice(1)), "every document comes once"],
  ["another collection", withFirst({ collection: "other" }), "documents are well-formed"],
  ["a lone surrogate", withFirst({ text: "a\ud800b" }), "documents are well-formed"],
  ["NUL", withFirst({ text: "a\0b" }), "documents are well-formed"],
  ["no hash", withFirst({ contentHash: "" }), "documents are well-formed"],
  ["a file's ending as its media type", withFirst({ mediaType: "md" }), "documents are well-formed"],
  ["a path that leaves the root", withFirst({ path: "../a.md" }), "documents are well-formed"],
  ["nested metadata", withFirst({ metadata: { tags: ["a"] as unknown as string } }), "documents are well-formed"],
  [
    "a skip without a reason",
    () => listSource([...ITEMS, { type: "skip", path: "b", reason: "" }]),
    "what is left out or cannot be read says why",
  ],
  [
    "a failure without an error",
    () => listSource([...ITEMS, { type: "failure", documentId: "b", path: "b", error: undefined }]),
    "what is left out or cannot be read says why",
  ],
  [
    "a hash that changes",
    () => ({ collection: "docs", read: () => withFirst({ contentHash: `${readings++}` })().read() }),
    "a second reading gives the same documents",
  ],
  [
    "one cursor for all readings",
    () => {
      const rest = [...ITEMS];
      return {
        collection: "docs",
        async *read() {
          while (rest.length > 0) yield rest.shift()!;
        },
      };
    },
    "two readings at once do not disturb each other",
  ],
  [
    "a reading that is left early blocks the next",
    () => {
      let busy = false;
      return {
        collection: "docs",
        async *read(options) {
          if (busy) return;
          busy = true;
          yield* listSource().read(options);
          busy = false;
        },
      };
    },
    "a reading that is left early ends, and the next one is whole",
  ],
  [
    "the signal is ignored",
    () => ({ collection: "docs", read: () => listSource().read() }),
    "an aborted signal rejects with AbortError",
  ],
  [
    "an abort on the way ends the reading as if it were whole",
    () => ({
      collection: "docs",
      async *read(options) {
        options?.signal?.throwIfAborted();
        for (const item of ITEMS) {
          if (options?.signal?.aborted) return;
          yield item;
        }
      },
    }),
    "a signal that is aborted on the way ends the reading with AbortError",
  ],
])("caught: %s", async (_, open, red) => {
  expect(await run(open)).toContain(`source: ${red}`);
});
