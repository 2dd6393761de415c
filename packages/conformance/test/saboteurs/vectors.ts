import { type Hit, isDocsearchError } from "@docsearch/spec";
import { pause, type Saboteur, saboteur, writeChanged } from "./saboteur.js";

function scores(name: string, reason: string, change: (score: number) => number): Saboteur {
  return saboteur(name, reason, (inner) => ({
    searchVector: async (search): Promise<readonly Hit[]> =>
      (await inner.searchVector(search)).map((hit) => ({ ...hit, score: change(hit.score) })),
  }));
}

function normOf(vector: Float32Array): number {
  return Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
}

export const VECTOR_SABOTEURS: readonly Saboteur[] = [
  scores("vector scores are distances", "Backends return distance.", (score) => 1 - score),
  scores("vector scores are clamped at 0", "A similarity is taken to be from 0 to 1.", (score) => Math.max(0, score)),
  scores("vector scores are mapped to 0..1", "A similarity is taken to be from 0 to 1.", (score) => (score + 1) / 2),
  scores(
    "vector scores are off by more than is declared",
    "int8 vectors, and the tolerance of 32-bit ones.",
    (score) => Math.round(score * 127) / 127,
  ),
  saboteur("stored vectors are not normalised", "The inner product is taken for cosine similarity.", (inner) => {
    const norms = new Map<string, number>();
    return {
      write: (changes, options) => {
        for (const change of changes) {
          for (const { chunk, embedding } of change.type === "replace" ? change.chunks : []) {
            if (embedding.kind === "vector") norms.set(chunk.id, normOf(embedding.vector));
          }
        }
        return inner.write(changes, options);
      },
      searchVector: async (search) =>
        (await inner.searchVector({ ...search, limit: 1_000_000 }))
          .map((hit) => ({ ...hit, score: hit.score * (norms.get(hit.chunkId) ?? 1) }))
          .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
          .slice(0, search.limit),
    };
  }),
  saboteur("the query is not normalised", "The inner product is taken for cosine similarity.", (inner) => ({
    searchVector: async (search) =>
      (await inner.searchVector(search)).map((hit) => ({ ...hit, score: hit.score * normOf(search.vector) })),
  })),
  saboteur("vectors are normalised in single precision", "Squares overflow and vanish.", (inner) => ({
    searchVector: async (search) => {
      const norm = Math.fround(Math.sqrt(search.vector.reduce((sum, x) => Math.fround(sum + Math.fround(x * x)), 0)));
      return await inner.searchVector({ ...search, vector: search.vector.map((x) => x / norm) });
    },
  })),
  saboteur("the query vector is normalised in place", "The caller's array is used as a buffer.", (inner) => ({
    searchVector: async (search) => {
      const hits = await inner.searchVector(search);
      const norm = normOf(search.vector);
      for (const [i, x] of search.vector.entries()) search.vector[i] = x / norm;
      return hits;
    },
  })),
  saboteur("a stored vector is normalised in place", "The caller's array is used as a buffer.", (inner) => ({
    write: (changes, options) => {
      for (const change of changes) {
        for (const { embedding } of change.type === "replace" ? change.chunks : []) {
          if (embedding.kind !== "vector") continue;
          const norm = normOf(embedding.vector);
          if (norm > 0 && Number.isFinite(norm))
            for (const [i, x] of embedding.vector.entries()) embedding.vector[i] = x / norm;
        }
      }
      return inner.write(changes, options);
    },
  })),
  saboteur("chunks without a vector are hits of score 0", "An outer join.", (inner) => ({
    searchVector: async (search) => {
      const hits = [...(await inner.searchVector(search))];
      const seen = new Set(hits.map((hit) => hit.chunkId));
      for (const { id: documentId } of await inner.listDocuments({
        limit: 1_000_000,
        ...(search.filter && { filter: search.filter }),
      })) {
        for (const chunkId of await inner.getChunkIds(documentId)) {
          if (!seen.has(chunkId) && hits.length < search.limit) hits.push({ chunkId, documentId, score: -1 });
        }
      }
      return hits;
    },
  })),
  saboteur("an invalid query finds nothing", "Errors become empty lists.", (inner) => ({
    searchVector: async (search) => {
      try {
        return await inner.searchVector(search);
      } catch (error) {
        if (isDocsearchError(error, "VECTOR_INVALID")) return [];
        throw error;
      }
    },
  })),
  saboteur("a zero query is taken", "Cosine distance to a zero vector is null.", (inner) => ({
    searchVector: async (search) =>
      search.vector.length === 4 && search.vector.every((x) => x === 0)
        ? await inner.searchVector({ ...search, vector: Float32Array.of(1, 0, 0, 0) })
        : await inner.searchVector(search),
  })),
  saboteur("a query of a wrong length is cut or padded", "The shorter of two arrays is compared.", (inner) => ({
    searchVector: (search) => {
      const vector = new Float32Array(inner.schema.embedding?.dimensions ?? 0);
      vector.set(search.vector.slice(0, vector.length));
      return inner.searchVector({ ...search, vector });
    },
  })),
  saboteur("NaN is stored as 0", "A cast to integers.", (inner) => ({
    write: writeChanged(inner, (change) => ({
      ...change,
      chunks: change.chunks.map((write) =>
        write.embedding.kind === "vector"
          ? {
              ...write,
              embedding: { kind: "vector", vector: write.embedding.vector.map((x) => (Number.isNaN(x) ? 0 : x)) },
            }
          : write,
      ),
    })),
  })),
  saboteur("a zero vector is stored as none", "The failure of a model is passed over.", (inner) => ({
    write: writeChanged(inner, (change) => ({
      ...change,
      chunks: change.chunks.map((write) =>
        write.embedding.kind === "vector" && write.embedding.vector.length === 4 && normOf(write.embedding.vector) === 0
          ? { ...write, embedding: { kind: "none" } }
          : write,
      ),
    })),
  })),
  saboteur("the error does not say what is wrong with a vector", "Details are left out.", (inner) => ({
    searchVector: async (search) => {
      try {
        return await inner.searchVector(search);
      } catch (error) {
        if (isDocsearchError(error, "VECTOR_INVALID")) Object.assign(error, { details: {} });
        throw error;
      }
    },
  })),
  saboteur("every second vector is missed", "An approximate index that calls itself exact.", (inner) => ({
    searchVector: async (search) => {
      const hits = await inner.searchVector({ ...search, limit: search.limit * 2 });
      return hits.length > 100 ? hits.filter((_, i) => i % 2 === 0) : hits.slice(0, search.limit);
    },
  })),
  saboteur("an approximate index misses one vector in five", "Its graph has too few links.", (inner) => ({
    capabilities: { ...inner.capabilities, vector: "approximate" },
    searchVector: async (search) => {
      const hits = await inner.searchVector({ ...search, limit: search.limit * 2 });
      return (hits.length > 10 ? hits.filter((_, i) => i % 5 !== 0) : hits).slice(0, search.limit);
    },
  })),
  saboteur(
    "a vector hit's document is read from the chunk's id",
    "The id is taken for a path and a number.",
    (inner) => ({
      searchVector: async (search) =>
        (await inner.searchVector(search)).map((hit) => ({ ...hit, documentId: hit.chunkId.split("#")[0]! })),
    }),
  ),
  saboteur("an index without embedding finds nothing", "No vectors, no hits.", (inner) => ({
    searchVector: async (search) => (inner.schema.embedding === null ? [] : await inner.searchVector(search)),
  })),
  saboteur("vectors arrive late", "The index is built in the background, and nobody waits.", (inner) => {
    let late: Promise<void> = Promise.resolve();
    let stale = true;
    return {
      write: async (changes, options) => {
        const result = await inner.write(changes, options);
        stale = true;
        late = pause()
          .then(pause)
          .then(() => {
            stale = false;
          });
        return result;
      },
      searchVector: async (search) => {
        const hits = await inner.searchVector(search);
        return stale ? [] : hits;
      },
      close: async () => {
        await late;
        await inner.close();
      },
    };
  }),
];
