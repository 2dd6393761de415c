import type { Chunk } from "@docsearch/spec";
import type { SearchResult } from "../search/results.js";
import type { SearchRequest } from "../search/search-request.js";
import type { Budget } from "./budget.js";
import { documentLines } from "./document-lines.js";
import { fitPassages, type PassageText } from "./fit-passages.js";

/** A result's text as lines, and the number of the first one. */
interface ResultLines extends PassageText {
  readonly startLine: number;
}

/** The lines of a result's chunk and of those that were joined to it, from the one that fits the query best. */
export function resultLines({ chunk, adjacent = [], snippet }: SearchResult): ResultLines {
  const chunks = [chunk, ...adjacent].sort((a, b) => a.ordinal - b.ordinal);
  const { startLine } = (chunks[0] as Chunk).span;
  const lines = documentLines(chunks).slice(startLine - 1);
  while (lines.length > 1 && lines.at(-1)?.trim() === "") lines.pop();
  return { lines, startLine, focus: Math.max(0, Math.min(snippet.startLine - startLine, lines.length - 1)) };
}

/** The results that fit in the budget of the request, with their passages; as they are where it names none. */
export function withPassages(
  results: readonly SearchResult[],
  { maxChars, maxTokens }: SearchRequest,
): readonly SearchResult[] {
  if (maxChars === undefined && maxTokens === undefined) return results;
  const budget: Budget = {
    maxChars: maxChars ?? Number.POSITIVE_INFINITY,
    ...(maxTokens !== undefined && { tokens: maxTokens }),
  };
  const texts = results.map(resultLines);
  return fitPassages(texts, budget).map(({ lines, from, isCut }, index) => {
    const startLine = (texts[index]?.startLine ?? 1) + from;
    const endLine = startLine + Math.max(0, lines.length - 1);
    return { ...(results[index] as SearchResult), passage: { text: lines.join("\n"), startLine, endLine, isCut } };
  });
}
