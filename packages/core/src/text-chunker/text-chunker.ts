import type { ChunkDraft, Chunker, ChunkOptions, ChunkResult, Document } from "@docsearch/spec";

/** Plain text, as the last resort for any document: paragraphs packed up to the size, long ones cut. */
export function textChunker(): Chunker {
  return { specVersion: 1, id: "text@1", supports: () => true, chunk };
}

function chunk(document: Document, options: ChunkOptions): ChunkResult {
  const { text } = document;
  const chunks: ChunkDraft[] = [];
  const lines = lineStarts(text);
  let start = 0;
  let end = 0;
  const emit = (): void => {
    if (end > start && text.slice(start, end).trim() !== "") chunks.push(draft(text, lines, start, end));
    start = end;
  };
  for (const piece of pieces(text, options)) {
    if (end > start && options.measure(text.slice(start, piece)) > options.maxSize) emit();
    end = piece;
  }
  emit();
  return { chunks, outline: [], diagnostics: [] };
}

/** Ends of the smallest pieces that are not cut: paragraphs, or lines, words and characters of long ones. */
function* pieces(text: string, options: ChunkOptions): Iterable<number> {
  let start = 0;
  for (const match of text.matchAll(/(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)\s*|$/g)) {
    const end = match.index + match[0].length;
    if (end === start) continue;
    yield* fitting(text, start, end, options);
    start = end;
  }
}

function* fitting(text: string, start: number, end: number, { measure, maxSize }: ChunkOptions): Iterable<number> {
  let from = start;
  while (measure(text.slice(from, end)) > maxSize) {
    let low = 1;
    let high = Math.min(end - from, maxSize * 8);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (measure(text.slice(from, from + middle)) > maxSize) high = middle - 1;
      else low = middle;
    }
    const window = text.slice(from, from + low);
    const at = Math.max(window.lastIndexOf("\n"), window.lastIndexOf(" "), -1) + 1;
    const cut = at > 0 ? at : low > 1 && /[\uD800-\uDBFF]/.test(window.at(-1) ?? "") ? low - 1 : low;
    from += cut;
    yield from;
  }
  if (end > from) yield end;
}

function draft(text: string, lines: readonly number[], start: number, end: number): ChunkDraft {
  const body = text.slice(start, end);
  const startOffset = start + (body.length - body.trimStart().length);
  const endOffset = start + body.trimEnd().length;
  return {
    text: text.slice(startOffset, endOffset),
    span: { startOffset, endOffset, startLine: lineAt(lines, startOffset), endLine: lineAt(lines, endOffset - 1) },
    headingPath: [],
    metadata: {},
  };
}

function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), (match) => match.index + match[0].length)];
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
