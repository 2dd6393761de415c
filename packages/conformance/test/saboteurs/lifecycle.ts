import { type CallOptions, DocsearchError, isDocsearchError, type VectorStore } from "@docsearch/spec";
import { type Saboteur, saboteur } from "./saboteur.js";

/** One call that takes no notice of its signal. */
function deaf(method: "write" | "clear" | "getChunks" | "searchText" | "listTerms"): Saboteur {
  return saboteur(`${method} ignores the signal`, "The option is not passed on.", (inner) => {
    const call = inner[method].bind(inner) as (...args: unknown[]) => Promise<unknown>;
    const override = (...args: unknown[]): Promise<unknown> =>
      call(
        ...args.map((argument) => {
          if (typeof argument !== "object" || argument === null || !("signal" in argument)) return argument;
          const { signal: _, ...rest } = argument as CallOptions;
          return rest;
        }),
      );
    return { [method]: override } as Partial<VectorStore>;
  });
}

export const LIFECYCLE_SABOTEURS: readonly Saboteur[] = [
  deaf("write"),
  deaf("clear"),
  deaf("getChunks"),
  deaf("searchText"),
  deaf("listTerms"),
  saboteur("an aborted call rejects with STORE_FAILED", "Every error is wrapped.", (inner) => ({
    stats: async (options) => {
      try {
        return await inner.stats(options);
      } catch (error) {
        if (isDocsearchError(error)) throw error;
        throw new DocsearchError("STORE_FAILED", "It failed.", { operation: "stats" }, { cause: error });
      }
    },
  })),
  saboteur("the store can be used after close", "Close is left to the garbage collector.", () => ({
    close: async () => {},
  })),
  saboteur("a closed store answers reads from a cache", "Only writes look whether it is closed.", (inner) => ({
    getChunks: async (ids, options) => {
      try {
        return await inner.getChunks(ids, options);
      } catch (error) {
        if (isDocsearchError(error, "CLOSED")) return ids.map(() => undefined);
        throw error;
      }
    },
  })),
  saboteur("a closed store throws the driver's error", "Errors are not translated.", (inner) => ({
    stats: async (options) => {
      try {
        return await inner.stats(options);
      } catch (error) {
        if (isDocsearchError(error, "CLOSED")) throw new TypeError("The database connection is not open");
        throw error;
      }
    },
  })),
  saboteur("a second close fails", "The driver's close is called again.", (inner) => {
    let closed = false;
    return {
      close: async () => {
        if (closed) throw new Error("already closed");
        closed = true;
        await inner.close();
      },
    };
  }),
  saboteur("capabilities change", "They are computed from what is stored.", (inner) => {
    let writes = 0;
    return {
      get capabilities() {
        return { ...inner.capabilities, vectorTolerance: writes > 0 ? 1e-5 : 1e-6 };
      },
      write: (changes, options) => {
        writes++;
        return inner.write(changes, options);
      },
    };
  }),
  saboteur("capabilities hold a function", "A class with methods.", (inner) => ({
    capabilities: { ...inner.capabilities, supports: () => true } as VectorStore["capabilities"],
  })),
  saboteur("text search is said to be missing, and finds nothing", "An empty list in place of an error.", (inner) => ({
    capabilities: { ...inner.capabilities, lexical: "none" },
    searchText: async () => ({ chunks: [], documents: [] }),
  })),
  saboteur(
    "vector search is said to be missing, and finds nothing",
    "An empty list in place of an error.",
    (inner) => ({
      capabilities: { ...inner.capabilities, vector: "none" },
      searchVector: async () => [],
    }),
  ),
  saboteur("bm25 stores list documents", "The list is filled with scores of another kind.", (inner) => ({
    capabilities: { ...inner.capabilities, lexical: "bm25" },
  })),
  saboteur("the schema is not the one given", "The schema is filled with defaults.", (inner) => ({
    schema: { ...inner.schema, embedding: inner.schema.embedding ?? { id: "none", dimensions: 0 } },
  })),
  saboteur("the contract's version is that of another", "The field was bumped with the package.", () => ({
    specVersion: 2 as unknown as 1,
  })),
  saboteur("text search on an empty index throws", "An average over no rows is null.", (inner) => ({
    searchText: async (search) => {
      const answer = await inner.searchText(search);
      if ((await inner.stats()).chunks === 0) throw new TypeError("null is not a number");
      return answer;
    },
  })),
  saboteur("vector search on an empty index throws", "The table of vectors is made with the first one.", (inner) => ({
    searchVector: async (search) => {
      const hits = await inner.searchVector(search);
      if ((await inner.stats()).vectors === 0) throw new Error("no such table: vectors");
      return hits;
    },
  })),
  saboteur("a batch without changes throws", "INSERT without rows is no statement.", (inner) => ({
    write: async (changes, options) => {
      if (changes.length === 0) throw new Error("near VALUES: syntax error");
      return await inner.write(changes, options);
    },
  })),
  saboteur("check finds a fault", "The store damages its own index.", (inner) => ({
    check: async (options) => {
      await inner.check(options);
      return { faults: (await inner.stats()).documents > 2 ? ["The index is damaged."] : [] };
    },
  })),
];
