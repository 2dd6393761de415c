import type { ChunkOptions, ChunkResult } from "@docsearch/spec";
import { Lines } from "@docsearch/text-split";
import { expect } from "vitest";

/** Text, spans, lines and zones of the chunks agree with the document, and starts ascend. */
export function expectSpans(text: string, { chunks }: ChunkResult): void {
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

/** Each character that is not blank lies in a chunk, and without overlap in one only. */
export function expectCoverage(text: string, { chunks }: ChunkResult, { overlap }: ChunkOptions): void {
  let covered = 0;
  for (const { span } of chunks) {
    const lost = text.slice(covered, Math.max(covered, span.startOffset)).trim();
    if (lost !== "") expect.fail(`in no chunk: ${JSON.stringify(lost.slice(0, 80))}`);
    if (overlap === 0 && span.startOffset < covered)
      expect.fail(`in two chunks: ${JSON.stringify(text.slice(span.startOffset, covered).slice(0, 80))}`);
    covered = Math.max(covered, span.endOffset);
  }
  expect(text.slice(covered).trim().slice(0, 80)).toBe("");
}

/** No chunk is larger than the limit. The one exception: a code point is never cut. */
export function expectCeiling({ chunks }: ChunkResult, { maxSize, measure }: ChunkOptions): void {
  for (const draft of chunks) {
    if (draft.text.length <= 2 && [...draft.text].length === 1) continue;
    const size = measure(draft.text);
    if (size > maxSize) expect.fail(`size ${size}: ${JSON.stringify(draft)}`);
  }
}

/** The outline is a tree in document order, and every path of a chunk is a path in it. */
export function expectOutline(text: string, { chunks, outline }: ChunkResult): void {
  const lines = new Lines(text);
  const paths: string[] = [];
  for (const [index, { heading, level, line, parent }] of outline.entries()) {
    const above = parent === undefined ? undefined : outline[parent];
    if (above !== undefined && !(parent! < index && above.level < level)) expect.fail(`parent of ${heading}`);
    paths.push(parent === undefined ? heading : `${paths[parent]}\n${heading}`);
    const written = text.slice(lines.start(line - 1), lines.start(line)).replace(/\s+/g, " ");
    const begins = heading.slice(0, 5);
    if (!written.includes(begins)) expect.fail(`line ${line} is not ${heading}: ${written}`);
  }
  const known = new Set(paths);
  for (const { headingPath } of chunks) {
    if (headingPath.length > 0 && !known.has(headingPath.join("\n"))) expect.fail(`path ${headingPath.join(" > ")}`);
  }
}
