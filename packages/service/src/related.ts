import type { Docsearch } from "@docsearch/core";
import type { CallOptions, Chunk } from "@docsearch/spec";
import { shownPath } from "./find-document.js";
import { quoteLabel } from "./passage.js";

/** A place that belongs to a chunk: where the code is that it names, or the text that names its code. */
export interface RelatedPlace {
  readonly relation: "definition" | "mention";
  /** What is defined there; absent for a mention. */
  readonly name?: string;
  readonly path: string;
  readonly line: number;
  readonly chunkId: string;
}

/** Most places of each relation. */
const MOST = 5;

/** Definitions first. A path whose document is gone meanwhile is left out. */
export async function relatedPlaces(docsearch: Docsearch, chunk: Chunk, call: CallOptions): Promise<RelatedPlace[]> {
  const { definitions, mentions } = await docsearch.getSymbolLinks(chunk, call);
  const places: RelatedPlace[] = definitions.slice(0, MOST).map(({ symbol, chunk: { id }, document }) => ({
    relation: "definition",
    name: symbol.qualifiedName,
    path: shownPath(document),
    line: symbol.line,
    chunkId: id,
  }));
  for (const { id, documentId, span } of mentions.slice(0, MOST)) {
    const document = await docsearch.getDocument(documentId, call);
    if (document === undefined) continue;
    places.push({ relation: "mention", path: shownPath(document), line: span.startLine, chunkId: id });
  }
  return places;
}

/** One line for an answer in text. */
export function relatedLine({ relation, name, path, line, chunkId }: RelatedPlace, labelChars: number): string {
  const place = `${quoteLabel(path, labelChars)}:${line} (id ${chunkId})`;
  return relation === "definition"
    ? `Defined: ${quoteLabel(name ?? "", labelChars)} in ${place}`
    : `Explained in ${place}`;
}
