import type { ChunkDraft, DocumentRecord, LexicalFields } from "@docsearch/spec";
import type { Analyzer } from "./analyzer/analyze.js";
import { analyzeFields, splitZones } from "./analyzer/fields.js";
import { withoutTitle } from "./embed-text.js";

/**
 * The analysed fields of a chunk: its own text and, so that it is found by its place, the document's title and path
 * and the headings above. A further piece of a section counts the section's heading among those above.
 */
export function analyzeChunk(
  analyzer: Analyzer,
  document: Pick<DocumentRecord, "title" | "path">,
  draft: ChunkDraft,
): LexicalFields {
  const headings = withoutTitle(draft.headingPath, document.title);
  const heading = draft.startsSection === false ? undefined : headings.at(-1);
  return analyzeFields(analyzer, {
    ...(document.title !== undefined && { title: document.title }),
    ancestors: heading === undefined ? headings : headings.slice(0, -1),
    ...(heading !== undefined && { heading }),
    ...(document.path !== undefined && { path: document.path }),
    ...splitZones(draft),
  });
}
