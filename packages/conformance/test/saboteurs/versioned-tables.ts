import type { Hit, TextHits, VectorStore } from "@docsearch/spec";
import { ALL, openMemory, pause, type Saboteur, saboteur, writeEach } from "./saboteur.js";

/** The hits of these documents alone. */
function ofDocuments(hits: TextHits, ids: ReadonlySet<string>, limit: number): TextHits {
  const isOne = ({ documentId }: { readonly documentId: string }): boolean => ids.has(documentId);
  return {
    ...hits,
    chunks: hits.chunks.filter(isOne).slice(0, limit),
    documents: hits.documents.filter(isOne).slice(0, limit),
  };
}

/** Writes to the store, and all but deletes to a second one: what is left of it where deletes only mark. */
function withoutDeletes(inner: VectorStore): {
  readonly write: VectorStore["write"];
  readonly everything: () => Promise<VectorStore> | undefined;
} {
  let everything: Promise<VectorStore> | undefined;
  const write = writeEach(inner, async (change) => {
    everything ??= openMemory(inner.schema);
    const result = await inner.write([change]);
    if (change.type === "replace") {
      const chunks = change.chunks.map((each) => ({ ...each, embedding: { kind: "none" as const } }));
      await (await everything).write([{ ...change, chunks }]);
    }
    return result;
  });
  return { write, everything: () => everything };
}

/** Faults of stores that keep versions of tables, and indexes over them that are brought up to date later. */
export const VERSIONED_TABLE_SABOTEURS: readonly Saboteur[] = [
  saboteur(
    "vectors written after the index was built are not found",
    "A fast search reads the index and leaves out the rows behind it.",
    (inner) => {
      const covered = new Set<string>();
      let isBuilt = false;
      return {
        write: writeEach(inner, async (change) => {
          if (change.type === "replace" && !isBuilt) covered.add(change.document.id);
          return await inner.write([change]);
        }),
        searchVector: async (search) => {
          isBuilt = true;
          const hits = await inner.searchVector({ ...search, limit: ALL });
          return hits.filter(({ documentId }) => covered.has(documentId)).slice(0, search.limit);
        },
      };
    },
  ),
  saboteur(
    "text written after the index was built is not found",
    "The rows behind the index are read when it is optimized.",
    (inner) => {
      const covered = new Set<string>();
      let isBuilt = false;
      return {
        write: writeEach(inner, async (change) => {
          if (change.type === "replace" && !isBuilt) covered.add(change.document.id);
          return await inner.write([change]);
        }),
        searchText: async (search) => {
          isBuilt = true;
          return ofDocuments(await inner.searchText({ ...search, limit: ALL }), covered, search.limit);
        },
      };
    },
  ),
  saboteur(
    "chunks of a document that was replaced are found by vector until the table is compacted",
    "Rows that are marked as deleted, in an index that does not know it.",
    (inner) => {
      const replaced: Hit[] = [];
      return {
        write: writeEach(inner, async (change) => {
          if (change.type === "replace") {
            const { id } = change.document;
            const kept = new Set(change.chunks.map(({ chunk }) => chunk.id));
            for (const chunkId of await inner.getChunkIds(id)) {
              if (!kept.has(chunkId)) replaced.push({ chunkId, documentId: id, score: -1 });
            }
          }
          return await inner.write([change]);
        }),
        searchVector: async (search) => [...(await inner.searchVector(search)), ...replaced].slice(0, search.limit),
      };
    },
  ),
  saboteur(
    "terms count chunks of documents that were deleted",
    "The count stands beside the postings, which stay until they are merged.",
    (inner) => {
      const { write, everything } = withoutDeletes(inner);
      return {
        write,
        listTerms: async (page) => {
          const there = new Set((await inner.listTerms({ ...page, limit: ALL })).map(({ term }) => term));
          const counts = await (await everything())?.listTerms({ ...page, limit: ALL });
          return (counts ?? []).filter(({ term }) => there.has(term)).slice(0, page.limit);
        },
      };
    },
  ),
  saboteur(
    "scores count documents that were deleted",
    "Statistics of an index that still has their postings.",
    (inner) => {
      const { write, everything } = withoutDeletes(inner);
      return {
        write,
        searchText: async (search) => {
          const there = new Set((await inner.listDocuments({ limit: ALL })).map(({ id }) => id));
          const found = await (await everything())?.searchText({ ...search, limit: ALL });
          if (found === undefined) return await inner.searchText(search);
          return ofDocuments(found, there, search.limit);
        },
      };
    },
  ),
  saboteur(
    "a search goes on with the state of the one before",
    "A handle that is not told to look for the latest version.",
    (inner) => {
      let writes = 0;
      let seen = -1;
      let ids = new Set<string>();
      return {
        write: async (changes, options) => {
          const result = await inner.write(changes, options);
          writes++;
          return result;
        },
        searchText: async (search) => {
          // Every second state is skipped.
          if (seen < 0 || writes - seen > 1) {
            seen = writes;
            ids = new Set((await inner.listDocuments({ limit: ALL })).map(({ id }) => id));
          }
          return ofDocuments(await inner.searchText({ ...search, limit: ALL }), ids, search.limit);
        },
      };
    },
  ),
  saboteur(
    "a document is there before its vectors",
    "Text and vectors are two tables, with a commit each.",
    (inner) => ({
      write: writeEach(inner, async (change) => {
        if (change.type === "delete" || change.chunks.some(({ embedding }) => embedding.kind !== "vector")) {
          return await inner.write([change]);
        }
        await inner.write([
          { ...change, chunks: change.chunks.map((each) => ({ ...each, embedding: { kind: "none" } })) },
        ]);
        await pause();
        return await inner.write([change]);
      }),
    }),
  ),
  saboteur(
    "a document's vectors of before stay until the new ones are there as well",
    "The old rows are removed by a commit of their own, and no search leaves them out.",
    (inner) => {
      let between: Hit[] = [];
      return {
        write: writeEach(inner, async (change) => {
          const id = change.type === "replace" ? change.document.id : change.documentId;
          const before = await inner.getChunkIds(id);
          const result = await inner.write([change]);
          between = before.map((chunkId) => ({ chunkId, documentId: id, score: -1 }));
          await pause();
          between = [];
          return result;
        }),
        searchVector: async (search) => [...(await inner.searchVector(search)), ...between].slice(0, search.limit),
      };
    },
  ),
  saboteur(
    "only the nearest partitions are searched, however few hits they give",
    "nprobes, without another look when the list is short.",
    (inner) => ({
      capabilities: { ...inner.capabilities, vector: "approximate" },
      searchVector: async (search) => {
        const { vectors } = await inner.stats();
        return (await inner.searchVector(search)).slice(0, Math.max(1, Math.ceil(vectors / 2)));
      },
    }),
  ),
  saboteur("a quote in a value ends the condition", "Conditions are text, and the quote was not doubled.", (inner) => ({
    listDocuments: async (page) => {
      if (/'/u.test(JSON.stringify(page.filter ?? {}))) throw new Error("unterminated string literal");
      return await inner.listDocuments(page);
    },
  })),
  saboteur("a long list of clauses ends the search", "A tree of conditions as deep as the list is long.", (inner) => ({
    listDocuments: async (page) => {
      if (JSON.stringify(page.filter ?? {}).split('"op"').length > 500) throw new Error("stack overflow");
      return await inner.listDocuments(page);
    },
    searchText: async (search) => {
      if (JSON.stringify(search.filter ?? {}).split('"op"').length > 500) throw new Error("stack overflow");
      return await inner.searchText(search);
    },
  })),
];
