import type { Hit, TextHits } from "@docsearch/spec";
import { ALL, type Saboteur, saboteur, writeChanged, writeEach } from "./saboteur.js";

const NUL = "\0";

/** Faults that database servers and their clients bring along. */
export const DATABASE_SABOTEURS: readonly Saboteur[] = [
  saboteur("an approximate index applies the filter to its first hits", "HNSW without an iterative scan.", (inner) => ({
    capabilities: { ...inner.capabilities, vector: "approximate" },
    searchVector: async (search) => {
      const { filter, ...rest } = search;
      if (filter === undefined) return await inner.searchVector(search);
      const ids = new Set((await inner.listDocuments({ limit: ALL, filter })).map(({ id }) => id));
      return (await inner.searchVector(rest)).filter(({ documentId }) => ids.has(documentId));
    },
  })),
  saboteur(
    "an approximate index gives up under a filter that few documents pass",
    "hnsw.max_scan_tuples.",
    (inner) => ({
      capabilities: { ...inner.capabilities, vector: "approximate" },
      searchVector: async (search) => {
        const { filter, ...rest } = search;
        if (filter === undefined) return await inner.searchVector(search);
        const ids = new Set((await inner.listDocuments({ limit: ALL, filter })).map(({ id }) => id));
        const scanned = await inner.searchVector({ ...rest, limit: search.limit * 3 });
        return scanned.filter(({ documentId }) => ids.has(documentId)).slice(0, search.limit);
      },
    }),
  ),
  saboteur("a list is as long as that of the search before", "SET hnsw.ef_search, without LOCAL.", (inner) => {
    let shortest = Number.POSITIVE_INFINITY;
    return {
      searchVector: async (search) => {
        if (search.limit > 0) shortest = Math.min(shortest, search.limit);
        return await inner.searchVector({ ...search, limit: Math.min(search.limit, shortest) });
      },
    };
  }),
  saboteur(
    "the filter of one search holds for the next",
    "A setting of the session instead of a parameter.",
    (inner) => {
      let last: Parameters<typeof inner.searchText>[0]["filter"];
      return {
        searchText: async (search) => {
          last = search.filter ?? last;
          return await inner.searchText(last === undefined ? search : { ...search, filter: last });
        },
      };
    },
  ),
  saboteur("a prepared statement keeps the first limit", "A named statement whose text differs.", (inner) => {
    let first: number | undefined;
    return {
      listDocuments: async (page) => {
        first ??= page.limit;
        return await inner.listDocuments({ ...page, limit: first });
      },
    };
  }),
  saboteur("chunk ids are looked up without regard to case", "citext, or a collation that folds.", (inner) => {
    const written: string[] = [];
    return {
      write: writeChanged(inner, (change) => {
        written.push(...change.chunks.map(({ chunk }) => chunk.id));
        return change;
      }),
      getChunks: async (ids, options) =>
        await inner.getChunks(
          ids.map((id) => written.find((other) => other.toLowerCase() === id.toLowerCase()) ?? id),
          options,
        ),
    };
  }),
  saboteur("terms are looked up without regard to case", "citext, or a collation that folds.", (inner) => ({
    listTerms: async (page) => {
      const all = await inner.listTerms({ ...page, prefix: "", limit: ALL });
      return all.filter(({ term }) => term.toLowerCase().startsWith(page.prefix.toLowerCase())).slice(0, page.limit);
    },
  })),
  saboteur("ids are listed in the order of the database's collation", "ORDER BY id, in en_US.", (inner) => ({
    listDocuments: async (page) => {
      const { after, ...rest } = page;
      const { compare } = new Intl.Collator("en");
      const all = [...(await inner.listDocuments({ ...rest, limit: ALL }))].sort((a, b) => compare(a.id, b.id));
      return all.filter(({ id }) => after === undefined || compare(id, after) > 0).slice(0, page.limit);
    },
  })),
  saboteur("an empty title is none", "Some databases take the empty string for null.", (inner) => ({
    getDocuments: async (ids, options) =>
      (await inner.getDocuments(ids, options)).map((record) => {
        if (record?.title !== "") return record;
        const { title: _, ...rest } = record;
        return rest;
      }),
  })),
  saboteur("an empty path is none", "Some databases take the empty string for null.", (inner) => ({
    listDocuments: async (page) =>
      (await inner.listDocuments(page)).map((record) => {
        if (record.path !== "") return record;
        const { path: _, ...rest } = record;
        return rest;
      }),
  })),
  saboteur("numbers come back with 15 digits", "extra_float_digits = 0.", (inner) => ({
    getDocuments: async (ids, options) =>
      (await inner.getDocuments(ids, options)).map(
        (record) =>
          record && {
            ...record,
            metadata: Object.fromEntries(
              Object.entries(record.metadata).map(([key, value]) => [
                key,
                typeof value === "number" ? Number(value.toPrecision(15)) : value,
              ]),
            ),
          },
      ),
  })),
  saboteur("a byte order mark at the beginning of a text is lost", "TextDecoder leaves it out.", (inner) => ({
    getChunks: async (ids, options) =>
      (await inner.getChunks(ids, options)).map(
        (chunk) => chunk && { ...chunk, text: chunk.text.replace(/^\ufeff/u, "") },
      ),
  })),
  saboteur(
    "NUL in a filter is an error",
    "A text that Postgres does not store cannot be a parameter either.",
    (inner) => ({
      listDocuments: async (page) => {
        if (JSON.stringify(page.filter ?? {}).includes("\\u0000")) throw new Error("invalid byte sequence");
        return await inner.listDocuments(page);
      },
    }),
  ),
  saboteur(
    "NUL in an id is an error",
    "A text that Postgres does not store cannot be a parameter either.",
    (inner) => ({
      getDocuments: async (ids, options) => {
        if (ids.some((id) => id.includes(NUL))) throw new Error("invalid byte sequence");
        return await inner.getDocuments(ids, options);
      },
    }),
  ),
  saboteur(
    "what was found is remembered for longer than it is true",
    "A cache that a write does not empty.",
    (inner) => {
      const found = new Map<string, TextHits>();
      return {
        searchText: async (search) => {
          const { signal: _, ...rest } = search;
          const key = JSON.stringify(rest);
          const hits = found.get(key) ?? (await inner.searchText(search));
          found.set(key, hits);
          return hits;
        },
      };
    },
  ),
  saboteur("a chunk without a vector has that of the chunk that is gone", "A slot is used again.", (inner) => {
    const gone: Float32Array[] = [];
    const vectors = new Map<string, Float32Array[]>();
    return {
      write: writeEach(inner, async (change) => {
        if (change.type === "delete") {
          gone.push(...(vectors.get(change.documentId) ?? []));
          vectors.delete(change.documentId);
          return await inner.write([change]);
        }
        const chunks = change.chunks.map((each) => {
          const vector = each.embedding.kind === "none" ? gone.pop() : undefined;
          return vector === undefined ? each : { ...each, embedding: { kind: "vector" as const, vector } };
        });
        const result = await inner.write([{ ...change, chunks }]);
        vectors.set(
          change.document.id,
          chunks.flatMap(({ embedding }) => (embedding.kind === "vector" ? [embedding.vector] : [])),
        );
        return result;
      }),
    };
  }),
  saboteur(
    "hits of a removed document stay until the table is vacuumed",
    "An index that still has its rows.",
    (inner) => {
      const removed: Hit[] = [];
      return {
        write: writeEach(inner, async (change) => {
          if (change.type === "delete") {
            for (const chunkId of await inner.getChunkIds(change.documentId)) {
              removed.push({ chunkId, documentId: change.documentId, score: -1 });
            }
          }
          return await inner.write([change]);
        }),
        searchVector: async (search) => [...(await inner.searchVector(search)), ...removed].slice(0, search.limit),
      };
    },
  ),
];
