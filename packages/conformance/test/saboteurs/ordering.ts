import type { Hit, VectorStore } from "@docsearch/spec";
import { ALL, openMemory, type Saboteur, saboteur } from "./saboteur.js";

type Compare = (a: string, b: string) => number;

const byUtf8Bytes: Compare = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const byLocale: Compare = (a, b) => a.localeCompare(b);
const backwards: Compare = (a, b) => (a < b ? 1 : -1);

/** Hits sorted by score, and equal scores by another order of ids. */
function reordered<T extends { readonly score: number }>(
  hits: readonly T[],
  idOf: (hit: T) => string,
  compare: Compare,
  limit: number,
): T[] {
  return [...hits].sort((a, b) => b.score - a.score || compare(idOf(a), idOf(b))).slice(0, limit);
}

function textTies(name: string, reason: string, compare: Compare): Saboteur {
  return saboteur(name, reason, (inner) => ({
    searchText: async (search) => {
      const answer = await inner.searchText(search);
      const all = await inner.searchText({ ...search, limit: ALL });
      return { ...answer, chunks: reordered(all.chunks, (hit) => hit.chunkId, compare, search.limit) };
    },
  }));
}

function documentTies(name: string, reason: string, compare: Compare): Saboteur {
  return saboteur(name, reason, (inner) => ({
    searchText: async (search) => {
      const answer = await inner.searchText(search);
      const all = await inner.searchText({ ...search, limit: ALL });
      return { ...answer, documents: reordered(all.documents, (hit) => hit.documentId, compare, search.limit) };
    },
  }));
}

function vectorTies(name: string, reason: string, compare: Compare): Saboteur {
  return saboteur(name, reason, (inner) => ({
    searchVector: async (search) => {
      const all = await inner.searchVector({ ...search, limit: ALL });
      return reordered(all, (hit) => hit.chunkId, compare, search.limit);
    },
  }));
}

/** Order in which ids were first written. */
function insertionOrder(inner: VectorStore): { readonly write: VectorStore["write"]; readonly compare: Compare } {
  const order = new Map<string, number>();
  return {
    write: async (changes, options) => {
      const result = await inner.write(changes, options);
      for (const change of changes) {
        for (const { chunk } of change.type === "replace" ? change.chunks : []) order.set(chunk.id, order.size);
      }
      return result;
    },
    compare: (a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0),
  };
}

export const ORDERING_SABOTEURS: readonly Saboteur[] = [
  saboteur("text ties by insertion order", "Rows come in the order of their keys.", (inner) => {
    const { write, compare } = insertionOrder(inner);
    return {
      write,
      searchText: async (search) => {
        const answer = await inner.searchText(search);
        const all = await inner.searchText({ ...search, limit: ALL });
        return { ...answer, chunks: reordered(all.chunks, (hit) => hit.chunkId, compare, search.limit) };
      },
    };
  }),
  saboteur("vector ties by insertion order", "Rows come in the order of their keys.", (inner) => {
    const { write, compare } = insertionOrder(inner);
    return {
      write,
      searchVector: async (search) =>
        reordered(await inner.searchVector({ ...search, limit: ALL }), (hit) => hit.chunkId, compare, search.limit),
    };
  }),
  textTies("text ties backwards", "The heap keeps the last of equals.", backwards),
  textTies("text ties by locale", "The database has a collation.", byLocale),
  textTies("text ties by UTF-8 bytes", "SQLite compares bytes.", byUtf8Bytes),
  documentTies("document ties backwards", "The heap keeps the last of equals.", backwards),
  documentTies("document ties by UTF-8 bytes", "SQLite compares bytes.", byUtf8Bytes),
  vectorTies("vector ties backwards", "The heap keeps the last of equals.", backwards),
  vectorTies("vector ties by UTF-8 bytes", "SQLite compares bytes.", byUtf8Bytes),
  saboteur("ties are broken after the limit", "The best are taken first, then put in order.", (inner) => {
    const { write, compare } = insertionOrder(inner);
    return {
      write,
      searchVector: async (search) => {
        const all = await inner.searchVector({ ...search, limit: ALL });
        const cut = reordered(all, (hit) => hit.chunkId, compare, search.limit);
        return reordered(
          cut,
          (hit) => hit.chunkId,
          (a, b) => (a < b ? -1 : 1),
          search.limit,
        );
      },
    };
  }),
  saboteur("text hits worst first", "SQLite's rank is sorted the wrong way.", (inner) => ({
    searchText: async (search) => {
      const answer = await inner.searchText(search);
      return { ...answer, chunks: [...answer.chunks].reverse() };
    },
  })),
  saboteur("the limit on chunks is ignored", "A backend without LIMIT.", (inner) => ({
    searchText: async (search) => {
      const answer = await inner.searchText(search);
      return { ...answer, chunks: (await inner.searchText({ ...search, limit: ALL })).chunks };
    },
  })),
  saboteur("the limit on documents is ignored", "The limit is on chunks alone.", (inner) => ({
    searchText: async (search) => {
      const answer = await inner.searchText(search);
      return { ...answer, documents: (await inner.searchText({ ...search, limit: ALL })).documents };
    },
  })),
  saboteur("documents are those of the listed chunks", "Documents are collected from the best chunks.", (inner) => ({
    searchText: async (search) => {
      const answer = await inner.searchText(search);
      const listed = new Set(answer.chunks.map((hit) => hit.documentId));
      return { ...answer, documents: answer.documents.filter((hit) => listed.has(hit.documentId)) };
    },
  })),
  saboteur("a limit of 0 means no limit", "0 is tested for truth.", (inner) => ({
    searchText: (search) => inner.searchText({ ...search, limit: search.limit || ALL }),
  })),
  saboteur("a vector limit of 0 gives one hit", "The limit is raised to 1.", (inner) => ({
    searchVector: (search) => inner.searchVector({ ...search, limit: Math.max(1, search.limit) }),
  })),
  saboteur("the limit is at most 1,000", "A cap of the backend.", (inner) => ({
    searchText: (search) => inner.searchText({ ...search, limit: Math.min(1000, search.limit) }),
  })),
  saboteur("the vector limit is at most 4,096", "A cap of sqlite-vec.", (inner) => ({
    searchVector: (search) => inner.searchVector({ ...search, limit: Math.min(4096, search.limit) }),
  })),
  saboteur("a large limit throws", "A cap of sqlite-vec.", (inner) => ({
    searchVector: async (search): Promise<readonly Hit[]> => {
      if (search.limit > 4096) throw new Error("k value in knn query too large");
      return await inner.searchVector(search);
    },
  })),
  saboteur("there is no ceiling", "The field is optional.", (inner) => ({
    searchText: async (search) => {
      const { chunks, documents } = await inner.searchText(search);
      return { chunks, documents };
    },
  })),
  saboteur("the ceiling is that of the filtered part", "N and n are counted after the filter.", (inner) => ({
    searchText: async (search) => {
      const answer = await inner.searchText(search);
      if (search.filter === undefined) return answer;
      const part = await openMemory(inner.schema);
      await part.write(
        (await inner.listDocuments({ limit: ALL, filter: search.filter })).map((document) => ({
          type: "replace",
          document,
          outline: [],
          chunks: [],
        })),
      );
      const { ceiling } = await part.searchText(search);
      return { ...answer, ceiling: ceiling! };
    },
  })),
  saboteur("the ceiling is the best score", "The first hit is taken for a full answer.", (inner) => ({
    searchText: async (search) => {
      const answer = await inner.searchText(search);
      const { chunks, documents } = await inner.searchText({ ...search, limit: 1 });
      return { ...answer, ceiling: { chunks: chunks[0]?.score ?? 0, documents: documents[0]?.score ?? 0 } };
    },
  })),
  saboteur("documents are empty", "The second list was never made.", (inner) => ({
    searchText: async (search) => ({ ...(await inner.searchText(search)), documents: [] }),
  })),
];
