import type { ChunkDraft, ChunkSymbol, DocumentRecord, LexicalFields } from "@docsearch/spec";
import type { Analyzer } from "../analyzer/analyze.js";
import { analyzeFields, splitZones } from "../analyzer/fields.js";
import { symbolTerm } from "../analyzer/symbol-term.js";
import { withoutTitle } from "./embed-text.js";

/**
 * Analyses the chunks of one document, in order: their own text and, so that they are found by their place, the
 * document's title and path and the headings above. A further piece of a section counts the section's heading among
 * those above. What several chunks share is analysed once.
 */
export function chunkAnalyzer(
  analyzer: Analyzer,
  { title, path }: Pick<DocumentRecord, "title" | "path">,
): (draft: ChunkDraft) => LexicalFields {
  const ofDocument = analyzeFields(analyzer, {
    ...(title !== undefined && { title }),
    ...(path !== undefined && { path }),
  });
  let shared: LexicalFields = ofDocument;
  let sharedAncestors = "";

  return (draft) => {
    const headings = withoutTitle(draft.headingPath, title);
    const heading = draft.startsSection === false ? undefined : headings.at(-1);
    const ancestors = heading === undefined ? headings : headings.slice(0, -1);
    if (ancestors.join("\n") !== sharedAncestors) {
      shared = { ...ofDocument, ...analyzeFields(analyzer, { ancestors }) };
      sharedAncestors = ancestors.join("\n");
    }
    const own = analyzeFields(analyzer, { ...(heading !== undefined && { heading }), ...splitZones(draft) });
    return withSymbols({ ...shared, ...own }, draft.symbols ?? []);
  };
}

/** Adds a term for each definition to the heading, and nothing to its length: `findSymbols` looks for them alone. */
function withSymbols(fields: LexicalFields, symbols: readonly ChunkSymbol[]): LexicalFields {
  if (symbols.length === 0) return fields;
  const terms = new Map(fields.heading?.terms);
  for (const { name, qualifiedName } of symbols) terms.set(symbolTerm(name), 1).set(symbolTerm(qualifiedName), 1);
  return { ...fields, heading: { terms, length: fields.heading?.length ?? 0 } };
}
