import type { Chunk } from "@docsearch/spec";
import type { Analyzer } from "../analyzer/analyze.js";
import { bestWindow, findMatches, highlightRanges } from "../analyzer/highlight.js";
import { type AnalyzedQuery, highlightTerms } from "../analyzer/query.js";
import type { Snippet } from "./results.js";

/**
 * The part of a chunk that shows best why it was found.
 *
 * @param maxLength of the snippet, in UTF-16 units
 */
export function makeSnippet(analyzer: Analyzer, chunk: Chunk, query: AnalyzedQuery, maxLength: number): Snippet {
  const matches = findMatches(analyzer, chunk.text, highlightTerms(query));
  const { start, end } = bestWindow(chunk.text, matches, maxLength);
  const linesBefore = chunk.text.slice(0, start).match(/\r\n|\r|\n/g)?.length ?? 0;
  const inside = matches.filter((match) => match.start < end && match.end > start);
  const clipped = inside.map((match) => ({
    ...match,
    start: Math.max(match.start, start) - start,
    end: Math.min(match.end, end) - start,
  }));
  return {
    text: chunk.text.slice(start, end),
    startLine: chunk.span.startLine + linesBefore,
    highlights: highlightRanges(clipped),
  };
}
