import { isDeepStrictEqual } from "node:util";
import {
  DocsearchError,
  type DocumentChange,
  type IndexSchema,
  type OpenOptions,
  type VectorStore,
} from "@docsearch/spec";
import { delegate, openMemory } from "../saboteurs/saboteur.js";

interface Kept {
  readonly schema: IndexSchema;
  readonly store: VectorStore;
  /** All that was written, for those who want an old state. */
  readonly changes: DocumentChange[];
}

/** What a broken store does otherwise. */
export interface LastingStoreFaults {
  /** In place of the test whether two schemas are the same. */
  readonly sameSchema?: (stored: IndexSchema, requested: IndexSchema) => boolean;
  readonly readCreates?: boolean;
  readonly readRecreates?: boolean;
  readonly readWrites?: boolean;
  readonly mismatchClears?: boolean;
  readonly recreateKeeps?: boolean;
  readonly recreateAlways?: boolean;
  readonly closeForgets?: boolean;
  readonly abortIgnored?: boolean;
  readonly errorsWithoutDetails?: boolean;
  readonly oneLocation?: boolean;
  /** A reader goes on with what was there when it was opened. */
  readonly readerIsStale?: boolean;
}

/** Stores that outlive their closing, as long as the process does. */
export function lastingStores(faults: LastingStoreFaults = {}): {
  readonly location: () => Promise<string>;
  readonly open: (location: string, schema: IndexSchema, options: OpenOptions) => Promise<VectorStore>;
} {
  const kept = new Map<string, Kept>();
  const { sameSchema = isDeepStrictEqual } = faults;
  let places = 0;

  const begin = async (location: string, schema: IndexSchema): Promise<Kept> => {
    const made = { schema, store: await openMemory(schema), changes: [] };
    kept.set(location, made);
    return made;
  };

  return {
    location: async () => (faults.oneLocation ? "here" : `place ${places++}`),
    open: async (location, schema, options) => {
      if (!faults.abortIgnored) options.signal?.throwIfAborted();
      const reads = options.mode === "read";
      let found = kept.get(location);
      if (found === undefined) {
        if (reads && !faults.readCreates) {
          const details = faults.errorsWithoutDetails ? { location: "", command: "" } : { location, command: "index" };
          throw new DocsearchError("INDEX_MISSING", "There is no index.", details);
        }
        found = await begin(location, schema);
      }
      if (!sameSchema(found.schema, schema)) {
        if (options.onMismatch === "error" || (reads && !faults.readRecreates)) {
          if (faults.mismatchClears) await found.store.clear();
          const details = { stored: found.schema, requested: schema, command: "index --recreate" };
          throw new DocsearchError("INDEX_MISMATCH", "The index is another.", details);
        }
        if (faults.recreateKeeps) kept.set(location, { ...found, schema });
        else await begin(location, schema);
      } else if (options.onMismatch === "recreate" && faults.recreateAlways && !reads) {
        await begin(location, schema);
      }
      const opened = kept.get(location)!;
      if (reads && faults.readerIsStale) {
        const store = await openMemory(schema);
        await store.write(opened.changes);
        return handle({ ...opened, store }, true, () => {});
      }
      return handle(opened, reads && !faults.readWrites, () => {
        if (faults.closeForgets) kept.delete(location);
      });
    },
  };
}

/** One opening of a kept store: closing it leaves the store alone. */
function handle({ schema, store, changes }: Kept, readOnly: boolean, onClose: () => void): VectorStore {
  const refuse = async (): Promise<never> => {
    throw new DocsearchError("UNSUPPORTED", "The store is open for reading.", { operation: "write" });
  };
  return {
    ...delegate(store),
    schema,
    capabilities: { ...store.capabilities, durable: true, multiProcess: true },
    write: async (list, options) => {
      const result = await store.write(list, options);
      changes.push(...list);
      return result;
    },
    ...(readOnly && { write: refuse, clear: refuse }),
    close: async () => onClose(),
  };
}
