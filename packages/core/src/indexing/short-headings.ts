import type { ChunkDraft } from "@docsearch/spec";
import { shortHeading } from "@docsearch/text-split";

/** A chunk with the beginnings of headings that are too long. */
export function withShortHeadings(draft: ChunkDraft): ChunkDraft {
  const headingPath = draft.headingPath.map(shortHeading);
  return headingPath.every((heading, at) => heading === draft.headingPath[at]) ? draft : { ...draft, headingPath };
}
