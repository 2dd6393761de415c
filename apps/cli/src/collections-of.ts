import type { Docsearch } from "@docsearch/core";
import type { CallOptions } from "@docsearch/spec";

/** Names of the collections that an index has, each once. */
export async function collectionsOf(docsearch: Docsearch, call: CallOptions): Promise<string[]> {
  const counts = await docsearch.countByCollection(call);
  return [...new Set(counts.map(({ collection }) => collection))];
}
