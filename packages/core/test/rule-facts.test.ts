import type { VectorStore } from "@docsearch/spec";
import { expect, test } from "vitest";
import type { FusedHit } from "../src/ranking/fusion.js";
import { readFacts } from "../src/ranking/rule-facts.js";
import { ChunkReader } from "../src/search/chunk-reader.js";
import { definition, fact } from "./rule-support.js";

/** Hits of as many documents, `0.py` first; what was read of them is counted. */
function candidates(count: number, ending: string) {
  const hits = Array.from({ length: count }, (_, i): FusedHit => {
    return { chunkId: `${i}.${ending}`, documentId: `${i}.${ending}`, score: count - i, contributions: [] };
  });
  const read = { chunks: 0, documents: 0 };
  const store = {
    getChunks: async (ids: readonly string[]) => {
      read.chunks += ids.length;
      return ids.map((id) => fact(id, id, { symbols: id === "3.py" ? [definition("Store", "class")] : [] }).chunk);
    },
    getDocuments: async (ids: readonly string[]) => {
      read.documents += ids.length;
      return ids.map((id) => fact(id, id).document);
    },
  } as unknown as VectorStore;
  return { hits, read, parts: { store, reader: new ChunkReader(store, {}) } };
}

const nothing = { defining: new Set<string>(), names: [] };

test("of prose the best 50 are read and no more", async () => {
  const { hits, read, parts } = candidates(300, "md");
  const facts = await readFacts(hits, nothing, parts, {});
  expect([facts.size, read]).toEqual([50, { chunks: 50, documents: 50 }]);
});

test("of code the documents of the best 200, and the chunks of 50", async () => {
  const { hits, read, parts } = candidates(300, "py");
  const facts = await readFacts(hits, nothing, parts, {});
  expect([facts.size, read]).toEqual([200, { chunks: 50, documents: 200 }]);
  expect([facts.get("49.py")?.chunk?.id, facts.get("50.py")?.chunk?.id]).toEqual(["49.py", undefined]);
});

test("a chunk that defines a name is read wherever it stands", async () => {
  const { hits, parts } = candidates(300, "py");
  const facts = await readFacts(hits, { ...nothing, defining: new Set(["280.py"]) }, parts, {});
  expect(facts.get("280.py")?.chunk?.id).toBe("280.py");
});

test.each([
  ["Store", 50],
  ["Unknown", 200],
])("where %s is asked for, %d chunks are read: all where nothing defines the name", async (name, chunks) => {
  const { hits, read, parts } = candidates(300, "py");
  await readFacts(hits, { ...nothing, names: [name] }, parts, {});
  expect(read).toEqual({ chunks, documents: 200 });
});
