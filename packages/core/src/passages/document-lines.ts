import type { Chunk } from "@docsearch/spec";

const LINE_BREAK = /\r\n|\r|\n/;

/**
 * The lines of a document as its chunks hold them; index 0 is line 1. What no chunk holds is blank or front matter and
 * comes out as empty lines, so that numbers stay those of the file. Lines after the last chunk are not known.
 */
export function documentLines(chunks: readonly Chunk[]): string[] {
  const lines: string[] = [];
  let end = 0;
  for (const { text, span } of chunks) {
    // A chunk may repeat the end of the one before it.
    const repeated = Math.max(0, Math.min(text.length, end - span.startOffset));
    if (repeated === text.length && text.length > 0) continue;
    const firstLine = span.startLine - 1 + lineBreaks(text.slice(0, repeated));
    while (lines.length <= firstLine) lines.push("");
    // Two chunks on one line: blanks between them belong to neither.
    if (lines[firstLine] !== "" && span.startOffset > end) lines[firstLine] += " ".repeat(span.startOffset - end);
    const [head = "", ...rest] = text.slice(repeated).split(LINE_BREAK);
    lines[firstLine] += head;
    rest.forEach((line, index) => {
      lines[firstLine + 1 + index] = line;
    });
    end = Math.max(end, span.endOffset);
  }
  return lines;
}

function lineBreaks(text: string): number {
  return text.split(LINE_BREAK).length - 1;
}
