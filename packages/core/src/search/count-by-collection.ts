import type { CallOptions, CollectionCount, VectorStore } from "@docsearch/spec";

const PAGE = 1000;

/** Documents and chunks by collection and media type, in code unit order of both. */
export async function countByCollection(store: VectorStore, call: CallOptions): Promise<readonly CollectionCount[]> {
  const counts = await (store.countByCollection?.(call) ?? countByListing(store, call));
  return [...counts].sort((a, b) => compare(a.collection, b.collection) || compare(a.mediaType, b.mediaType));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** For stores that do not count by themselves. */
async function countByListing(store: VectorStore, call: CallOptions): Promise<readonly CollectionCount[]> {
  const counts = new Map<string, CollectionCount>();
  let after: string | undefined;
  do {
    const page = await store.listDocuments({ limit: PAGE, ...(after !== undefined && { after }), ...call });
    for (const { id, collection, mediaType } of page) {
      const key = JSON.stringify([collection, mediaType]);
      const { documents = 0, chunks = 0 } = counts.get(key) ?? {};
      const ids = await store.getChunkIds(id, call);
      counts.set(key, { collection, mediaType, documents: documents + 1, chunks: chunks + ids.length });
    }
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  } while (after !== undefined);
  return [...counts.values()];
}
