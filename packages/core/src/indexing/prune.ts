import type { CallOptions, DocumentRecord, VectorStore } from "@docsearch/spec";

export interface Prune {
  /** Collections whose documents are deleted when they did not come up. */
  readonly collections: readonly string[];
  /**
   * What to do with a collection of which nothing is left. Default `keep`: more often than not a drive is not mounted, or
   * a filter is wrong.
   */
  readonly emptied?: "keep" | "delete";
}

export interface SparedCollection {
  readonly collection: string;
  /** Documents that the index has of it. */
  readonly documents: number;
}

const PAGE = 1000;

/**
 * Deletes what the collections hold beyond the documents that are kept. Returns the ids of those that were deleted, how
 * many there were, and the collections that were spared.
 */
export async function prune(
  store: VectorStore,
  { collections, emptied = "keep" }: Prune,
  isKept: (documentId: string) => boolean,
  call: CallOptions,
): Promise<{
  readonly ids: readonly string[];
  readonly deleted: number;
  readonly spared: readonly SparedCollection[];
}> {
  const filter = { op: "in", field: "collection", values: collections } as const;
  const gone: DocumentRecord[] = [];
  const isLeft = new Set<string>();
  let after: string | undefined;
  do {
    const page = await store.listDocuments({ limit: PAGE, filter, ...(after !== undefined && { after }), ...call });
    for (const record of page) {
      if (isKept(record.id)) isLeft.add(record.collection);
      else gone.push(record);
    }
    after = page.at(-1)?.id;
  } while (after !== undefined);
  const isDeleted = ({ collection }: DocumentRecord): boolean => isLeft.has(collection) || emptied === "delete";
  const ids = gone.filter(isDeleted).map(({ id }) => id);
  const spared = countByCollection(gone.filter((record) => !isDeleted(record)));
  if (ids.length === 0) return { ids, deleted: 0, spared };
  const changes = ids.map((documentId) => ({ type: "delete", documentId }) as const);
  return { ids, deleted: (await store.write(changes, call)).deleted, spared };
}

function countByCollection(records: readonly DocumentRecord[]): SparedCollection[] {
  const counts = new Map<string, number>();
  for (const { collection } of records) counts.set(collection, (counts.get(collection) ?? 0) + 1);
  return [...counts].map(([collection, documents]) => ({ collection, documents }));
}
