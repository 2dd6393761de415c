import type { DocumentChange, IndexSchema, VectorStore, WriteResult } from "@docsearch/spec";
import { memoryStore } from "../../../core/src/memory-store/memory-store.js";

/** A store that is wrong in one way. */
export interface Saboteur {
  readonly name: string;
  /** How a store comes to be wrong in this way. */
  readonly reason: string;
  readonly open: (schema: IndexSchema) => Promise<VectorStore>;
}

/** The memory store, which has to pass everything. */
export function openMemory(schema: IndexSchema): Promise<VectorStore> {
  return memoryStore().open(schema, { mode: "write", onMismatch: "error" });
}

/** The memory store with some of its methods replaced. */
export function saboteur(
  name: string,
  reason: string,
  override: (inner: VectorStore) => Partial<VectorStore>,
): Saboteur {
  return {
    name,
    reason,
    open: async (schema) => {
      const inner = await openMemory(schema);
      // By descriptors, because an override may be a getter.
      return Object.defineProperties(delegate(inner), Object.getOwnPropertyDescriptors(override(inner)));
    },
  };
}

/** A store that passes every call on. */
export function delegate(inner: VectorStore): VectorStore {
  return {
    specVersion: inner.specVersion,
    name: inner.name,
    capabilities: inner.capabilities,
    schema: inner.schema,
    write: (changes, options) => inner.write(changes, options),
    clear: (options) => inner.clear(options),
    searchText: (search) => inner.searchText(search),
    searchVector: (search) => inner.searchVector(search),
    getChunks: (ids, options) => inner.getChunks(ids, options),
    getDocuments: (ids, options) => inner.getDocuments(ids, options),
    getChunkIds: (documentId, options) => inner.getChunkIds(documentId, options),
    getOutline: (documentId, options) => inner.getOutline(documentId, options),
    listDocuments: (page) => inner.listDocuments(page),
    listTerms: (page) => inner.listTerms(page),
    stats: (options) => inner.stats(options),
    check: (options) => inner.check(options),
    close: () => inner.close(),
  };
}

export type Replace = Extract<DocumentChange, { type: "replace" }>;

/** A `write` that applies changes one at a time, each by `apply`. */
export function writeEach(
  inner: VectorStore,
  apply: (change: DocumentChange) => Promise<WriteResult>,
): VectorStore["write"] {
  return async (changes, options) => {
    await inner.stats(options);
    const sum = { replaced: 0, deleted: 0, chunks: 0 };
    for (const change of changes) {
      const result = await apply(change);
      sum.replaced += result.replaced;
      sum.deleted += result.deleted;
      sum.chunks += result.chunks;
    }
    return sum;
  };
}

/** A `write` whose replacements are changed before they are applied. */
export function writeChanged(inner: VectorStore, change: (replacement: Replace) => Replace): VectorStore["write"] {
  return writeEach(inner, (each) => inner.write([each.type === "replace" ? change(each) : each]));
}

/** Lets other work go on. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** More than any case writes. */
export const ALL = 1_000_000;
