import type { ChunkDraft, Chunker, ChunkOptions, ChunkResult, Document } from "@docsearch/spec";

/** A right chunker: cuts where a line or the ceiling ends. Lines of `# ` are headings. */
export function lineChunker(
  change: (result: ChunkResult, document: Document, options: ChunkOptions) => ChunkResult = (result) => result,
): Chunker {
  return {
    specVersion: 1,
    id: "lines@1",
    supports: ({ mediaType }) => mediaType === "text/plain",
    chunk: (document, options) => change(chunk(document, options), document, options),
  };
}

function chunk({ text }: Document, options: ChunkOptions): ChunkResult {
  const chunks: ChunkDraft[] = [];
  const outline = headings(text);
  let start = 0;
  while (start < text.length) {
    const end = start + fitting(text.slice(start), options);
    const lineEnd = text.lastIndexOf("\n", end - 1) + 1;
    const cut = end < text.length && lineEnd > start ? lineEnd : end;
    const line = lineOf(text, start);
    const anchor = outline.filter((entry) => entry.line <= line).at(-1)?.anchor;
    if (text.slice(start, cut).trim() !== "") chunks.push(draft(text, start, cut, anchor));
    start = cut;
  }
  return { chunks, outline, diagnostics: [] };
}

/** Length of the longest beginning within the ceiling, at least one character. */
function fitting(text: string, { maxSize, measure }: ChunkOptions): number {
  let [low, high] = [0, Math.min(text.length, maxSize)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(text.slice(0, middle)) <= maxSize) low = middle;
    else high = middle - 1;
  }
  const insidePair = low < text.length && text.codePointAt(low - 1)! > 0xffff;
  return insidePair ? low - 1 : low;
}

export function draft(text: string, startOffset: number, endOffset: number, anchor?: string): ChunkDraft {
  return {
    text: text.slice(startOffset, endOffset),
    span: { startOffset, endOffset, startLine: lineOf(text, startOffset), endLine: lineOf(text, endOffset - 1) },
    headingPath: [],
    metadata: {},
    ...(anchor !== undefined && { anchor }),
  };
}

function headings(text: string): ChunkResult["outline"] {
  return text.split("\n").flatMap((line, i) => {
    const heading = /^# (.*)/u.exec(line)?.[1]?.replace(/\s+/gu, " ").trim();
    return heading === undefined ? [] : [{ heading, level: 1, anchor: `line-${i + 1}`, line: i + 1 }];
  });
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
