import type { VectorSpaces, VectorStore } from "@docsearch/spec";
import { ALL, delegate, type Saboteur, saboteur } from "./saboteur.js";

/** The memory store with its spaces, some functions of which are replaced. */
function spoiled(
  name: string,
  reason: string,
  override: (inner: VectorSpaces, store: VectorStore) => Partial<VectorSpaces>,
): Saboteur {
  return saboteur(name, reason, (store) => {
    const inner = store.spaces as VectorSpaces;
    return { spaces: { ...inner, ...override(inner, store) } };
  });
}

/** Changes every other space when it is opened. */
function opened(
  name: string,
  reason: string,
  change: (other: VectorStore, first: VectorStore) => Partial<VectorStore>,
): Saboteur {
  return spoiled(name, reason, (inner, first) => ({
    open: async (embedding, options) => {
      const other = await inner.open(embedding, options);
      return { ...delegate(other), spaces: other.spaces as VectorSpaces, ...change(other, first) };
    },
  }));
}

export const SPACE_SABOTEURS: readonly Saboteur[] = [
  opened("spaces are mixed in a search", "One table of vectors, and the query is padded.", (other, first) => ({
    searchVector: async (search) => {
      const padded = new Float32Array(first.schema.embedding?.dimensions ?? 0);
      padded.set(search.vector.slice(0, padded.length));
      const own = await other.searchVector(search);
      const seen = new Set(own.map(({ chunkId }) => chunkId));
      const strangers = (await first.searchVector({ ...search, vector: padded })).filter(
        ({ chunkId }) => !seen.has(chunkId),
      );
      return [...own, ...strangers].sort((a, b) => b.score - a.score).slice(0, search.limit);
    },
  })),
  opened("another space takes vectors of the first", "The length is that of the index.", (other) => ({
    write: (changes, options) =>
      other.write(
        changes.map((change) =>
          change.type === "delete"
            ? change
            : {
                ...change,
                chunks: change.chunks.map((write) =>
                  write.embedding.kind === "vector"
                    ? { ...write, embedding: { kind: "vector", vector: write.embedding.vector.slice(0, 3) } }
                    : write,
                ),
              },
        ),
        options,
      ),
  })),
  opened("another space counts the vectors of the first", "One count for the index.", (_, first) => ({
    stats: (options) => first.stats(options),
  })),
  opened("filling counts what it passes over", "As many as came are taken to be stored.", (other) => {
    const inner = other.spaces as VectorSpaces;
    return {
      spaces: {
        ...inner,
        fill: async (entries, options) => {
          await inner.fill(entries, options);
          return entries.length;
        },
      },
    };
  }),
  spoiled("a space is always complete", "Its chunks are taken to be embedded when it begins.", (inner) => ({
    list: async (options) => (await inner.list(options)).map((space) => ({ ...space, lacking: 0 })),
  })),
  spoiled("what the model has nothing to say about is lacking", "Only vectors are counted.", (inner, store) => ({
    list: async (options) => {
      const { chunks } = await store.stats();
      return (await inner.list(options)).map((space) => ({ ...space, lacking: chunks - space.vectors }));
    },
  })),
  spoiled("every space is active", "The flag is set and never taken away.", (inner) => {
    const used = new Set<string>();
    return {
      use: async (id, options) => {
        await inner.use(id, options);
        used.add(id);
      },
      list: async (options) =>
        (await inner.list(options)).map((space) => ({
          ...space,
          isActive: space.isActive || used.has(space.embedding.id),
        })),
    };
  }),
  spoiled("making another space active drops the one before", "A switch is taken for a move.", (inner) => ({
    use: async (id, options) => {
      const before = (await inner.list()).filter(({ isActive }) => isActive);
      await inner.use(id, options);
      for (const { embedding } of before) if (embedding.id !== id) await inner.drop(embedding.id);
    },
  })),
  spoiled("a space that is dropped only hides", "Its rows are left behind.", (inner) => {
    const hidden = new Set<string>();
    return {
      drop: async (id, options) => {
        const space = (await inner.list(options)).find(({ embedding }) => embedding.id === id);
        if (space === undefined || space.isActive) return await inner.drop(id, options);
        hidden.add(id);
      },
      list: async (options) => (await inner.list(options)).filter(({ embedding }) => !hidden.has(embedding.id)),
      open: async (embedding, options) => {
        if (options?.create === true) hidden.delete(embedding.id);
        return inner.open(hidden.has(embedding.id) ? { ...embedding, id: "hidden" } : embedding, options);
      },
    };
  }),
  spoiled("the active space can be dropped", "Nobody looks which one answers.", (inner) => ({
    drop: async (id, options) => {
      const space = (await inner.list(options)).find(({ embedding }) => embedding.id === id);
      if (space?.isActive !== true) await inner.drop(id, options);
    },
  })),
  spoiled("a space that is not there is made by opening it", "`create` is not looked at.", (inner) => ({
    open: (embedding, options) => inner.open(embedding, { ...options, create: true }),
  })),
  saboteur("a write loses the other space's vectors of chunks that stay", "A replace deletes rows first.", (store) => {
    const inner = store.spaces as VectorSpaces;
    const others: VectorStore[] = [];
    return {
      spaces: {
        ...inner,
        open: async (embedding, options) => {
          const other = await inner.open(embedding, options);
          others.push(other);
          return other;
        },
      },
      write: async (changes, options) => {
        const before = new Set((await store.listDocuments({ limit: ALL })).map(({ id }) => id));
        const result = await store.write(changes, options);
        for (const other of others) {
          for (const change of changes) {
            if (change.type === "delete" || !before.has(change.document.id)) continue;
            const chunks = change.chunks.map((write) => ({
              ...write,
              embedding: { kind: "none", isLacking: true } as const,
            }));
            await other.write([{ ...change, chunks }]);
          }
        }
        return result;
      },
    };
  }),
];
