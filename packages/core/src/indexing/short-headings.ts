import type { ChunkDraft } from "@docsearch/spec";

/** Title and headings are stored, analysed and embedded with every chunk: one of a megabyte must not be. */
const HEADING_CHARACTERS = 200;

/** A chunk with the beginnings of headings that are too long. */
export function withShortHeadings(draft: ChunkDraft): ChunkDraft {
  if (draft.headingPath.every((heading) => heading.length <= HEADING_CHARACTERS)) return draft;
  return { ...draft, headingPath: draft.headingPath.map(shortHeading) };
}

/** The beginning of a title or heading that is too long, without half of a surrogate pair. */
export function shortHeading<T extends string | undefined>(text: T): T {
  if (text === undefined || text.length <= HEADING_CHARACTERS) return text;
  return text.slice(0, HEADING_CHARACTERS).toWellFormed() as T;
}
