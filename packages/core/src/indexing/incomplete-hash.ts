// A document of which some chunks could not be embedded is written all the same, so that its words are found. In place
// of its content hash it then has the ids of those chunks: the next run takes it for changed, and embeds no others.

const MARK = "incomplete:";

/** Stands for the content hash of a document whose chunks of these ids have no vector yet. */
export function incompleteHash(chunkIds: readonly string[]): string {
  return MARK + chunkIds.join(",");
}

/** The chunks that still want a vector; none for a document that is complete. */
export function chunksToEmbed(contentHash: string): ReadonlySet<string> {
  return new Set(contentHash.startsWith(MARK) ? contentHash.slice(MARK.length).split(",") : []);
}
