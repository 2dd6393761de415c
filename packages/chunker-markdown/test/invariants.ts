import type { ChunkOptions, ChunkResult } from "@docsearch/spec";
import { Lines } from "@docsearch/text-split";
import { expect } from "vitest";
import { readFrontMatter } from "../src/front-matter.js";
import { shown } from "./chunk.js";

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
  }
}

/** Each non-blank character outside front matter lies in a chunk, and in one only if `once`. */
export function expectCoverage(text: string, { chunks, metadata }: ChunkResult, once: boolean): void {
  let covered = metadata === undefined ? 0 : new Lines(text).start(readFrontMatter(text).endLine);
  for (const { span } of chunks) {
    const lost = text.slice(covered, Math.max(covered, span.startOffset)).trim();
    if (lost !== "") expect.fail(`in no chunk: ${JSON.stringify(lost)}`);
    if (once && span.startOffset < covered) expect.fail(`in two chunks: ${text.slice(span.startOffset, covered)}`);
    covered = Math.max(covered, span.endOffset);
  }
  expect(text.slice(covered).trim()).toBe("");
}

/** No chunk is larger than the limit, neither as it stands nor as it is shown. */
export function expectCeiling({ chunks }: ChunkResult, { maxSize, measure }: ChunkOptions): void {
  for (const draft of chunks) {
    // A code point is never cut, even where it is larger than the limit.
    if (draft.text.length <= 2 && [...draft.text].length === 1) continue;
    const size = Math.max(measure(draft.text), measure(shown(draft)));
    if (size > maxSize) expect.fail(`size ${size}: ${JSON.stringify(draft)}`);
  }
}
