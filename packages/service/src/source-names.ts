import type { Docsearch } from "@docsearch/core";
import type { CallOptions } from "@docsearch/spec";

/** Names of the sources, in code unit order. */
export async function sourceNames(docsearch: Docsearch, call: CallOptions): Promise<string[]> {
  const counts = await docsearch.countByCollection(call);
  return [...new Set(counts.map(({ collection }) => collection))];
}
