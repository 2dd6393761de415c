import type { ChunkDraft } from "@docsearch/spec";

/** Title and headings are stored, analysed and embedded with every chunk: one of a megabyte must not be. */
const HEADING_CHARACTERS = 200;

/**
 * The beginning of a title or heading that is longer than 200 UTF-16 units, without half of a surrogate pair. Chunkers
 * leave room by the same rule, `shortHeading` of text-split, which is not loaded before a text is chunked.
 */
export function shortHeading<T extends string | undefined>(text: T): T {
  if (text === undefined || text.length <= HEADING_CHARACTERS) return text;
  return text.slice(0, HEADING_CHARACTERS).toWellFormed() as T;
}

/** A chunk with the beginnings of headings that are too long. */
export function withShortHeadings(draft: ChunkDraft): ChunkDraft {
  if (draft.headingPath.every((heading) => heading.length <= HEADING_CHARACTERS)) return draft;
  return { ...draft, headingPath: draft.headingPath.map(shortHeading) };
}
