import type { ChunkOptions, ChunkResult } from "@docsearch/spec";
import { Lines } from "@docsearch/text-split";
import { expect } from "vitest";

/** Text, spans, lines and zones of the chunks agree with the document, and starts ascend. */
export function expectOffsets(text: string, { chunks }: ChunkResult): void {
  const lines = new Lines(text);
  let last = -1;
  for (const draft of chunks) {
    const { startOffset, endOffset, startLine, endLine } = draft.span;
    const right =
      draft.text === text.slice(startOffset, endOffset) &&
      startOffset > last &&
      startLine === lines.at(startOffset) + 1 &&
      endLine === lines.at(endOffset - 1) + 1;
    if (!right) expect.fail(`wrong span: ${JSON.stringify(draft)}`);
    last = startOffset;
    let zoneEnd = startOffset;
    for (const zone of draft.zones ?? []) {
      const ordered = zone.startOffset >= zoneEnd && zone.endOffset > zone.startOffset && zone.endOffset <= endOffset;
      if (!ordered) expect.fail(`wrong zone: ${JSON.stringify(draft)}`);
      zoneEnd = zone.endOffset;
    }
    for (const { line, endLine: end, qualifiedName } of draft.symbols ?? []) {
      if (line < startLine || line > endLine || end < line)
        expect.fail(`wrong lines of ${qualifiedName}: ${JSON.stringify(draft)}`);
    }
  }
}

/** Each non-blank character lies in a chunk, and in one only if `once`. */
export function expectCoverage(text: string, { chunks }: ChunkResult, once: boolean): void {
  let covered = 0;
  for (const { span } of chunks) {
    const lost = text.slice(covered, Math.max(covered, span.startOffset)).trim();
    if (lost !== "") expect.fail(`in no chunk: ${JSON.stringify(lost)}`);
    if (once && span.startOffset < covered) expect.fail(`in two chunks: ${text.slice(span.startOffset, covered)}`);
    covered = Math.max(covered, span.endOffset);
  }
  expect(text.slice(covered).trim()).toBe("");
}

/** No chunk is larger than the limit. */
export function expectCeiling({ chunks }: ChunkResult, { maxSize, measure }: ChunkOptions): void {
  for (const { text } of chunks) {
    // A code point is never cut, even where it is larger than the limit.
    if (text.length <= 2 && [...text].length === 1) continue;
    if (measure(text) > maxSize) expect.fail(`size ${measure(text)}: ${JSON.stringify(text)}`);
  }
}
