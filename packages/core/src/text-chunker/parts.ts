import { type Frame, type Leaves, type Range, rowOf, type Segmenters, type TextFrames } from "@docsearch/text-split";
import type { TextSection } from "./sections.js";
import { frameOfBlocks, leavesOfBlocks } from "./text-block-frames.js";
import { startsRecord, type TextForm } from "./text-form.js";
import type { TextLines } from "./text-lines.js";

/** A range of the text that is chunked by itself. */
export interface TextPart extends Range {
  /** Offset of what follows the headings. */
  readonly bodyStart: number;
  readonly path: readonly string[];
  readonly anchor?: string;
  /** How it is cut when it is too large for one chunk. */
  frame(inner: TextFrames): Frame;
  readonly leaves: Leaves;
}

export function partsOfSections(
  sections: readonly TextSection[],
  text: string,
  lines: TextLines,
  segmenters: Segmenters,
): TextPart[] {
  const startOf = ({ blocks }: TextSection): number => lines.lines.start(blocks[0]!.startLine);
  return sections.map((section, index) => {
    const { path, anchor, blocks, headings } = section;
    const start = startOf(section);
    const next = sections[index + 1];
    const end = next === undefined ? text.length : startOf(next);
    const body = blocks[headings];
    return {
      start,
      end,
      bodyStart: body === undefined ? end : lines.lines.start(body.startLine),
      path,
      ...(anchor !== undefined && { anchor }),
      frame: (inner) => frameOfBlocks(blocks, start, end, text, lines, inner),
      leaves: leavesOfBlocks(blocks, text, lines, segmenters),
    };
  });
}

/** A text without structure: a log as its records, anything else as groups of lines between blank lines. */
export function partOfLines(form: Exclude<TextForm, "prose">, text: string, lines: TextLines): TextPart {
  const start = lines.lines.start(0);
  const end = text.length;
  return {
    start,
    end,
    bodyStart: start,
    path: [],
    frame: (inner) =>
      form === "log" ? frameOfRecords(start, end, lines, inner) : inner.ofCode(start, end, 1, lines.count),
    leaves: { count: 1, startOf: () => start, bordersIn: (_, piece) => lineStartsIn(piece, lines) },
  };
}

/** A record is the line that begins with a time, and those without one behind it. */
function frameOfRecords(start: number, end: number, lines: TextLines, inner: TextFrames): Frame {
  const bounds = [start];
  for (let line = 1; line < lines.count; line++) if (startsRecord(lines, line)) bounds.push(lines.lines.start(line));
  bounds.push(end);
  return rowOf(bounds, "chunk", (from, to) => inner.ofLines(from, to));
}

function lineStartsIn(piece: Range, { lines }: TextLines): number[] {
  const starts: number[] = [];
  for (let line = lines.at(piece.start); line < lines.count && lines.start(line) < piece.end; line++)
    if (lines.start(line) >= piece.start) starts.push(lines.start(line));
  return starts;
}
