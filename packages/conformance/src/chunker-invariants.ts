import assert from "node:assert/strict";
import type { ChunkDraft, ChunkOptions, ChunkResult, Document, OutlineEntry } from "@docsearch/spec";

/** A chunker's answer and the question. */
export interface ChunkedDocument {
  readonly document: Document;
  readonly options: ChunkOptions;
  readonly result: ChunkResult;
  /** UTF-16 offset behind the front matter. Default 0. */
  readonly frontMatterEnd?: number;
  /** Whether all text must be in a chunk. Default true; false for notebooks, of which only the cells are. */
  readonly isCovered?: boolean;
}

/**
 * Asserts everything that `Chunk`, `ChunkResult` and `OutlineEntry` promise of every document.
 *
 * @throws AssertionError that says what does not hold, and of which chunk or heading.
 */
export function assertChunks(chunked: ChunkedDocument): void {
  const { document, options, result, frontMatterEnd = 0, isCovered = true } = chunked;
  const { chunks, outline } = result;
  const lineOf = lineFinder(document.text);
  for (const chunk of chunks) {
    assertSlice(chunk, document.text);
    assertLines(chunk, document.text, lineOf);
    assertParts(chunk, outline);
    // A code point is never cut, even where it is larger than the limit.
    if (chunk.text.length <= 2 && [...chunk.text].length === 1) continue;
    const size = Math.max(options.measure(chunk.text), options.measure(chunk.standaloneText ?? chunk.text));
    assert.ok(size <= options.maxSize, `size ${size} of ${describe(chunk)}, limit ${options.maxSize}`);
  }
  if (isCovered) assertCoverage(chunks, document.text, options, frontMatterEnd);
  assertOutline(outline, hasLoneReturn(document.text) ? Number.POSITIVE_INFINITY : lineOf(document.text.length));
  if (result.title !== undefined) assert.notEqual(result.title.trim(), "", "a title that is there is not blank");
  for (const [key, value] of Object.entries(result.metadata ?? {})) {
    const flat = typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
    assert.ok(flat, `metadata ${key}: ${String(value)}`);
  }
}

function assertSlice(chunk: ChunkDraft, text: string): void {
  const { startOffset, endOffset } = chunk.span;
  assert.ok(Number.isInteger(startOffset) && Number.isInteger(endOffset), describe(chunk));
  assert.ok(startOffset >= 0 && startOffset < endOffset && endOffset <= text.length, `span of ${describe(chunk)}`);
  assert.ok(chunk.text === text.slice(startOffset, endOffset), `text is not the slice: ${describe(chunk)}`);
  for (const offset of [startOffset, endOffset]) {
    const inside = isHighSurrogate(text, offset - 1) && isLowSurrogate(text, offset);
    assert.ok(!inside, `offset ${offset} is inside a surrogate pair`);
  }
}

function assertLines(chunk: ChunkDraft, text: string, lineOf: (offset: number) => number): void {
  if (hasLoneReturn(text)) return;
  const { startOffset, endOffset, startLine, endLine } = chunk.span;
  assert.deepEqual([startLine, endLine], [lineOf(startOffset), lineOf(endOffset - 1)], `lines of ${describe(chunk)}`);
}

function assertParts(chunk: ChunkDraft, outline: readonly OutlineEntry[]): void {
  const { span, headingPath, anchor, links = [], zones = [], symbols = [], standaloneText } = chunk;
  assert.ok(headingPath.every((heading) => typeof heading === "string"));
  if (anchor !== undefined) {
    assert.ok(
      outline.some((entry) => entry.anchor === anchor),
      `anchor ${anchor} is not in the outline`,
    );
  }
  for (const { line } of links) {
    assert.ok(line >= span.startLine && line <= span.endLine, `link in line ${line} of ${describe(chunk)}`);
  }
  let end = span.startOffset;
  for (const zone of zones) {
    const ordered = zone.startOffset >= end && zone.startOffset < zone.endOffset && zone.endOffset <= span.endOffset;
    assert.ok(ordered, `zone ${zone.startOffset} to ${zone.endOffset} of ${describe(chunk)}`);
    end = zone.endOffset;
  }
  for (const { name, kind, qualifiedName, line, endLine } of symbols) {
    assert.ok(
      name !== "" && kind !== "" && qualifiedName.endsWith(name),
      `symbol ${qualifiedName} of ${describe(chunk)}`,
    );
    assert.ok(line >= span.startLine && line <= span.endLine && line <= endLine, `lines of symbol ${qualifiedName}`);
  }
  assert.notEqual(standaloneText, chunk.text, "standaloneText is absent when it equals the text");
}

function assertCoverage(
  chunks: readonly ChunkDraft[],
  text: string,
  { overlap, measure }: ChunkOptions,
  frontMatterEnd: number,
): void {
  let covered = frontMatterEnd;
  let previousStart = -1;
  for (const chunk of chunks) {
    const { startOffset, endOffset } = chunk.span;
    assert.ok(startOffset > previousStart, `start offsets ascend: ${describe(chunk)}`);
    assertBlank(text, covered, startOffset);
    if (startOffset < covered && previousStart >= 0) {
      const repeated = measure(text.slice(startOffset, covered));
      assert.ok(repeated <= overlap, `${describe(chunk)} repeats ${repeated}, overlap ${overlap}`);
      assert.ok(endOffset > covered, `${describe(chunk)} adds nothing`);
    }
    covered = Math.max(covered, endOffset);
    previousStart = startOffset;
  }
  assertBlank(text, covered, text.length);
}

function assertBlank(text: string, start: number, end: number): void {
  const lost = text.slice(start, end).trim();
  assert.equal(lost.slice(0, 80), "", `text between ${start} and ${end} is in no chunk`);
}

function assertOutline(outline: readonly OutlineEntry[], lastLine: number): void {
  const anchors = new Set(outline.map(({ anchor }) => anchor));
  assert.equal(anchors.size, outline.length, "an anchor comes twice");
  outline.forEach(({ heading, level, line, endLine = line, parent }, i) => {
    const name = `heading ${i} (${heading.slice(0, 40)})`;
    assert.equal(heading, heading.replace(/\s+/gu, " ").trim(), `white space of ${name}`);
    assert.ok(Number.isInteger(level) && level >= 1 && level <= 6, `level ${level} of ${name}`);
    assert.ok(Number.isInteger(line) && line >= 1 && line <= lastLine, `line ${line} of ${name}`);
    assert.ok(endLine >= line && endLine <= lastLine, `last line ${endLine} of ${name}`);
    assert.ok(i === 0 || outline[i - 1]!.line <= line, `${name} comes before its predecessor`);
    if (parent === undefined) return;
    const enclosing = outline[parent];
    assert.ok(parent < i && enclosing !== undefined && enclosing.level < level, `parent ${parent} of ${name}`);
  });
}

/** 1-based line of an offset. Lines end at `\n`. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** Whether a carriage return alone ends a line is not laid down. */
function hasLoneReturn(text: string): boolean {
  return /\r(?!\n)/u.test(text);
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function describe({ span, text }: ChunkDraft): string {
  return `chunk ${span.startOffset} to ${span.endOffset} (${JSON.stringify(text.slice(0, 40))})`;
}
