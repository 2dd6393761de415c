import {
  type ChunkWrite,
  type DocumentChange,
  type EmbeddingWrite,
  isDocsearchError,
  type OutlineEntry,
  type VectorStore,
} from "@docsearch/spec";
import { pause, type Replace, type Saboteur, saboteur, writeChanged, writeEach } from "./saboteur.js";

/** Chunks as they were last written, by document. */
function tracked(
  inner: VectorStore,
  change: (replacement: Replace, old: readonly ChunkWrite[]) => Replace,
): VectorStore["write"] {
  const written = new Map<string, readonly ChunkWrite[]>();
  return writeEach(inner, async (each) => {
    if (each.type === "delete") {
      written.delete(each.documentId);
      return await inner.write([each]);
    }
    const id = each.document.id;
    const changed = change(each, written.get(id) ?? []);
    const result = await inner.write([changed]);
    written.set(id, each.chunks);
    return { ...result, chunks: each.chunks.length };
  });
}

function embeddings(
  inner: VectorStore,
  change: (write: ChunkWrite, known: boolean) => EmbeddingWrite,
): VectorStore["write"] {
  return writeEach(inner, async (each) => {
    if (each.type === "delete") return await inner.write([each]);
    const stored = await inner.getChunks(each.chunks.map(({ chunk }) => chunk.id));
    const chunks = each.chunks.map((write, i) => ({ ...write, embedding: change(write, stored[i] !== undefined) }));
    return await inner.write([{ ...each, chunks }]);
  });
}

export const WRITING_SABOTEURS: readonly Saboteur[] = [
  saboteur("keep drops the vector", "The row is written anew without it.", (inner) => ({
    write: embeddings(inner, ({ embedding }, known) =>
      embedding.kind === "keep" && known ? { kind: "none" } : embedding,
    ),
  })),
  saboteur("keep invents a chunk", "A missing row is taken for one without a vector.", (inner) => ({
    write: embeddings(inner, ({ embedding }, known) =>
      embedding.kind === "keep" && !known ? { kind: "none" } : embedding,
    ),
  })),
  saboteur("keep takes the vector at the same place", "Old and new chunks are matched by ordinal.", (inner) => ({
    write: tracked(inner, (change, old) => ({
      ...change,
      chunks: change.chunks.map((write, i) =>
        write.embedding.kind === "keep" && old[i]?.embedding.kind === "vector"
          ? { ...write, embedding: old[i].embedding }
          : write,
      ),
    })),
  })),
  saboteur("keep leaves the old terms", "A kept chunk is skipped.", (inner) => ({
    write: tracked(inner, (change, old) => ({
      ...change,
      chunks: change.chunks.map((write) => {
        const before = old.find(({ chunk }) => chunk.id === write.chunk.id);
        return write.embedding.kind === "keep" && before !== undefined ? { ...write, fields: before.fields } : write;
      }),
    })),
  })),
  saboteur("keep leaves the old row", "A kept chunk is skipped.", (inner) => ({
    write: tracked(inner, (change, old) => ({
      ...change,
      chunks: change.chunks.map((write) => {
        const before = old.find(({ chunk }) => chunk.id === write.chunk.id);
        return write.embedding.kind === "keep" && before !== undefined ? { ...write, chunk: before.chunk } : write;
      }),
    })),
  })),
  saboteur("a chunk written without a vector keeps the old one", "The row of the vector is not deleted.", (inner) => ({
    write: embeddings(inner, ({ embedding }, known) =>
      embedding.kind === "none" && known ? { kind: "keep" } : embedding,
    ),
  })),
  saboteur("replace leaves chunks that are gone", "Rows are inserted or updated, never deleted.", (inner) => ({
    write: tracked(inner, (change, old) => {
      const ids = new Set(change.chunks.map(({ chunk }) => chunk.id));
      const gone = old
        .filter(({ chunk }) => !ids.has(chunk.id))
        .map((write) => ({ ...write, embedding: { kind: "keep" } as const }));
      return { ...change, chunks: [...change.chunks, ...gone] };
    }),
  })),
  saboteur("replace deletes first and validates then", "No transaction.", (inner) => ({
    write: writeEach(inner, async (change) => {
      if (change.type === "delete") return await inner.write([change]);
      if (!change.chunks.some(({ embedding }) => embedding.kind === "keep")) {
        await inner.write([{ type: "delete", documentId: change.document.id }]);
      }
      return await inner.write([change]);
    }),
  })),
  saboteur("a failed replacement leaves its document record", "The record is written before the chunks.", (inner) => ({
    write: writeEach(inner, async (change) => {
      try {
        return await inner.write([change]);
      } catch (error) {
        if (change.type === "replace") {
          const ids = await inner.getChunkIds(change.document.id);
          const chunks = await inner.getChunks(ids);
          await inner.write([
            { ...change, chunks: chunks.map((chunk) => ({ chunk: chunk!, fields: {}, embedding: { kind: "keep" } })) },
          ]);
        }
        throw error;
      }
    }),
  })),
  saboteur("a failing batch is rolled back as a whole", "One transaction for all changes.", (inner) => {
    const done: DocumentChange[] = [];
    return {
      write: async (changes, options) => {
        try {
          const result = await inner.write(changes, options);
          done.push(...structuredClone(changes));
          return result;
        } catch (error) {
          if (isDocsearchError(error) && !isDocsearchError(error, "CLOSED")) {
            await inner.clear();
            await inner.write(done);
          }
          throw error;
        }
      },
      clear: async (options) => {
        await inner.clear(options);
        done.length = 0;
      },
    };
  }),
  saboteur("a failing batch goes on behind the failure", "Errors are collected.", (inner) => ({
    write: async (changes, options) => {
      const errors: unknown[] = [];
      const sum = { replaced: 0, deleted: 0, chunks: 0 };
      await inner.stats(options);
      for (const change of changes) {
        try {
          const result = await inner.write([change]);
          sum.replaced += result.replaced;
          sum.deleted += result.deleted;
          sum.chunks += result.chunks;
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw errors[0];
      return sum;
    },
  })),
  saboteur("deletions of a batch come first", "Changes are grouped by kind.", (inner) => ({
    write: (changes, options) =>
      inner.write(
        [...changes].sort((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0)),
        options,
      ),
  })),
  saboteur("of several replacements in a batch the first wins", "Changes are grouped by document.", (inner) => ({
    write: async (changes, options) => {
      const seen = new Set<string>();
      const first = changes.filter((change) => {
        if (change.type === "delete") return true;
        const known = seen.has(change.document.id);
        seen.add(change.document.id);
        return !known;
      });
      return await inner.write(first, options);
    },
  })),
  saboteur("a batch ends after 1,000 changes", "A limit of the backend.", (inner) => ({
    write: (changes, options) => inner.write(changes.slice(0, 1000), options),
  })),
  saboteur("errors of a write are swallowed", "A failed change is logged.", (inner) => ({
    write: async (changes, options) => {
      try {
        return await inner.write(changes, options);
      } catch (error) {
        if (!isDocsearchError(error, "STORE_FAILED")) throw error;
        return { replaced: 1, deleted: 0, chunks: 1 };
      }
    },
  })),
  saboteur("a chunk id moves to the document that wrote it last", "INSERT OR REPLACE.", (inner) => ({
    write: writeEach(inner, async (change) => {
      if (change.type === "replace") {
        const stored = await inner.getChunks(change.chunks.map(({ chunk }) => chunk.id));
        for (const chunk of stored) {
          if (chunk !== undefined && chunk.documentId !== change.document.id) {
            await inner.write([{ type: "delete", documentId: chunk.documentId }]);
          }
        }
      }
      return await inner.write([change]);
    }),
  })),
  saboteur("a chunk id that comes twice is taken once", "INSERT OR REPLACE.", (inner) => ({
    write: writeChanged(inner, (change) => ({
      ...change,
      chunks: [...new Map(change.chunks.map((write) => [write.chunk.id, write])).values()],
    })),
  })),
  saboteur(
    "a chunk belongs to the document it is written with",
    "The chunk's own document id is not looked at.",
    (inner) => ({
      write: writeChanged(inner, (change) => ({
        ...change,
        chunks: change.chunks.map((write) => ({ ...write, chunk: { ...write.chunk, documentId: change.document.id } })),
      })),
    }),
  ),
  saboteur("deleting what is absent is an error", "The number of changed rows is checked.", (inner) => ({
    write: writeEach(inner, async (change) => {
      const result = await inner.write([change]);
      if (change.type === "delete" && result.deleted === 0) throw new Error("no such document");
      return result;
    }),
  })),
  saboteur("deleting what is absent counts", "Changes are counted, not rows.", (inner) => ({
    write: writeEach(inner, async (change) => {
      const result = await inner.write([change]);
      return change.type === "delete" ? { ...result, deleted: 1 } : result;
    }),
  })),
  saboteur("the result counts chunks that are new", "Upserts are counted by inserts.", (inner) => ({
    write: async (changes, options) => {
      const before = (await inner.stats(options)).chunks;
      const result = await inner.write(changes, options);
      return { ...result, chunks: Math.max(0, (await inner.stats()).chunks - before) };
    },
  })),
  saboteur("delete leaves the outline", "A table without a foreign key.", (inner) => {
    const outlines = new Map<string, readonly OutlineEntry[]>();
    return {
      write: async (changes, options) => {
        const result = await inner.write(changes, options);
        for (const change of changes) if (change.type === "replace") outlines.set(change.document.id, change.outline);
        return result;
      },
      clear: async (options) => {
        await inner.clear(options);
        outlines.clear();
      },
      getOutline: async (id, options) => {
        const outline = await inner.getOutline(id, options);
        return outline.length > 0 ? outline : (outlines.get(id) ?? []);
      },
    };
  }),
  saboteur("clear leaves the outlines", "A table was forgotten.", (inner) => {
    const cleared = new Map<string, readonly OutlineEntry[]>();
    return {
      clear: async (options) => {
        for (const { id } of await inner.listDocuments({ limit: 1_000_000 }))
          cleared.set(id, await inner.getOutline(id));
        await inner.clear(options);
      },
      getOutline: async (id, options) => {
        const outline = await inner.getOutline(id, options);
        return outline.length > 0 ? outline : (cleared.get(id) ?? []);
      },
    };
  }),
  saboteur("clear leaves the terms", "A table was forgotten.", (inner) => {
    const cleared = new Map<string, number>();
    return {
      clear: async (options) => {
        for (const { term, chunks } of await inner.listTerms({ prefix: "", limit: 1_000_000 }))
          cleared.set(term, chunks);
        await inner.clear(options);
      },
      listTerms: async (page) => {
        const counts = await inner.listTerms(page);
        return counts.length > 0
          ? counts
          : [...cleared].map(([term, chunks]) => ({ term, chunks })).slice(0, page.limit);
      },
    };
  }),
  saboteur("clear ends the store", "The file is removed.", (inner) => ({
    clear: async (options) => {
      await inner.clear(options);
      await inner.close();
    },
  })),
  saboteur("arguments are retained", "Objects are kept, not copied.", (inner) => {
    const retained: DocumentChange[] = [];
    return {
      write: async (changes, options) => {
        const result = await inner.write(changes, options);
        retained.push(...changes);
        return result;
      },
      searchText: async (search) => {
        await inner.clear();
        await inner.write(retained);
        return await inner.searchText(search);
      },
    };
  }),
  saboteur("document records are retained", "Objects are kept, not copied.", (inner) => {
    const retained = new Map<string, Replace["document"]>();
    return {
      write: async (changes, options) => {
        const result = await inner.write(changes, options);
        for (const change of changes) if (change.type === "replace") retained.set(change.document.id, change.document);
        return result;
      },
      getDocuments: async (ids, options) =>
        (await inner.getDocuments(ids, options)).map((record) => record && retained.get(record.id)),
    };
  }),
  saboteur("a document without chunks is left out", "Documents are known by their chunks.", (inner) => ({
    write: writeEach(inner, async (change) => {
      if (change.type === "delete" || change.chunks.length > 0) return await inner.write([change]);
      await inner.write([{ type: "delete", documentId: change.document.id }]);
      return { replaced: 1, deleted: 0, chunks: 0 };
    }),
  })),
  saboteur("a replacement is a deletion and an insertion", "Two transactions, and readers between them.", (inner) => ({
    write: writeEach(inner, async (change) => {
      // Written at once first, so that a change that fails leaves everything as it was.
      const result = await inner.write([change]);
      if (change.type === "replace" && change.chunks.every(({ embedding }) => embedding.kind === "none")) {
        await inner.write([{ type: "delete", documentId: change.document.id }]);
        await pause();
        await inner.write([change]);
      }
      return result;
    }),
  })),
  saboteur("chunks are written one by one", "One transaction for each row.", (inner) => ({
    write: writeEach(inner, async (change) => {
      if (
        change.type === "replace" &&
        change.chunks.length === 3 &&
        change.chunks.every(({ embedding }) => embedding.kind === "none")
      ) {
        const ids = await inner.getChunkIds(change.document.id);
        const stored = (await inner.getChunks(ids)).map(
          (chunk): ChunkWrite => ({ chunk: chunk!, fields: change.chunks[0]!.fields, embedding: { kind: "keep" } }),
        );
        const known = new Set(change.chunks.map(({ chunk }) => chunk.id));
        const rest = stored.filter(({ chunk }) => !known.has(chunk.id)).slice(1);
        await inner.write([{ ...change, chunks: [change.chunks[0]!, ...rest] }]);
        await pause();
      }
      return await inner.write([change]);
    }),
  })),
  saboteur("a write during another is lost", "A flag that says busy.", (inner) => {
    let busy = false;
    return {
      write: async (changes, options) => {
        await inner.stats(options);
        if (busy) return { replaced: changes.length, deleted: 0, chunks: 2 };
        busy = true;
        try {
          await pause();
          return await inner.write(changes);
        } finally {
          busy = false;
        }
      },
    };
  }),
];
