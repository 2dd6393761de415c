import type { IndexEvent, IndexReport } from "@docsearch/core";
import type { OpenIndex } from "./open-index.js";
import { type Place, readPlaces } from "./places.js";
import { removeGone } from "./remove-gone.js";

export interface IndexPlacesOptions {
  readonly places: readonly Place[];
  /** Folder from which documents are named. */
  readonly projectRoot: string;
  /** Whether collections of which nothing is left are deleted too. */
  readonly prune: boolean;
  readonly onEvent: (event: IndexEvent) => void;
  readonly signal: AbortSignal;
}

/** Brings an index to what is at the places now. */
export async function indexPlaces(
  { docsearch }: Pick<OpenIndex, "docsearch">,
  { places, projectRoot, prune, onEvent, signal }: IndexPlacesOptions,
): Promise<IndexReport> {
  const collections = places.map(({ collection }) => collection);
  const report = await docsearch.index({
    documents: readPlaces(places, { signal }),
    prune: { collections, emptied: prune ? "delete" : "keep" },
    onEvent,
    signal,
  });
  const gone = await removeGone(docsearch, places, projectRoot, { prune, signal });
  const spared = [...(report.spared ?? []), ...gone.spared];
  return { ...report, deleted: report.deleted + gone.deleted, ...(spared.length > 0 && { spared }) };
}
