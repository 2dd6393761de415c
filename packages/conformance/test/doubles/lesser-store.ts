import { DocsearchError, type IndexSchema, type VectorStore } from "@docsearch/spec";
import { delegate, openMemory, type Replace, writeChanged } from "../saboteurs/saboteur.js";

/** Stores that can do less than the memory store, and say so. */
export const LESSER_STORES: Readonly<Record<string, (schema: IndexSchema) => Promise<VectorStore>>> = {
  "a store with weights of its own": (schema) => lesser(schema, withoutDocuments("bm25")),
  "a store that only orders": (schema) => lesser(schema, withoutDocuments("other")),
  "a store without text search": (schema) =>
    lesser(schema, (inner) => ({
      capabilities: { ...inner.capabilities, lexical: "none" },
      write: writeChanged(inner, withoutTerms),
      searchText: async (search) => {
        await inner.stats(search);
        throw new DocsearchError("UNSUPPORTED", "There is no text search.", { operation: "searchText" });
      },
    })),
  "a store without vector search": (schema) =>
    lesser(schema, (inner) => ({
      capabilities: { ...inner.capabilities, vector: "none" },
      write: writeChanged(inner, withoutVectors),
      searchVector: async (search) => {
        await inner.stats(search);
        throw new DocsearchError("UNSUPPORTED", "There is no vector search.", { operation: "searchVector" });
      },
    })),
  "a store with an approximate index": (schema) =>
    lesser(schema, (inner) => ({ capabilities: { ...inner.capabilities, vector: "approximate" } })),
  "a store with vectors of 8 bits": (schema) =>
    lesser(schema, (inner) => ({
      capabilities: { ...inner.capabilities, vectorTolerance: 0.01 },
      searchVector: async (search) => {
        const all = await inner.searchVector({ ...search, limit: 1_000_000 });
        return all
          .map((hit) => ({ ...hit, score: Math.round(hit.score * 100) / 100 }))
          .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
          .slice(0, search.limit);
      },
    })),
};

async function lesser(
  schema: IndexSchema,
  override: (inner: VectorStore) => Partial<VectorStore>,
): Promise<VectorStore> {
  const inner = await openMemory(schema);
  return { ...delegate(inner), ...override(inner) };
}

function withoutDocuments(lexical: "bm25" | "other"): (inner: VectorStore) => Partial<VectorStore> {
  return (inner) => ({
    capabilities: { ...inner.capabilities, lexical },
    searchText: async (search) => ({ chunks: (await inner.searchText(search)).chunks, documents: [] }),
  });
}

function withoutTerms(change: Replace): Replace {
  return { ...change, chunks: change.chunks.map((write) => ({ ...write, fields: {} })) };
}

function withoutVectors(change: Replace): Replace {
  const chunks = change.chunks.map((write) =>
    write.embedding.kind === "vector" ? { ...write, embedding: { kind: "none" } as const } : write,
  );
  return { ...change, chunks };
}
