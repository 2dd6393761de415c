import type { ChunkDraft, ChunkOptions, ChunkResult, Document, Metadata, OutlineEntry } from "@docsearch/spec";
import {
  Budget,
  clip,
  isLongText,
  overlapStart,
  pack,
  type Range,
  RangeCursor,
  roomBeside,
  type Segmenters,
  TextFrames,
  trimBlankLines,
} from "@docsearch/text-split";
import type { TextBlock } from "./block.js";
import { bodyIndent } from "./body-indent.js";
import { inferHeadings } from "./infer-headings.js";
import { partOfLines, partsOfSections, type TextPart } from "./parts.js";
import { readBlocks } from "./read-blocks.js";
import { readTextStructure } from "./sections.js";
import { hasManySymbols } from "./symbols.js";
import { formOf } from "./text-form.js";
import { TextLines } from "./text-lines.js";
import { inferTitle } from "./title-line.js";

const NO_METADATA: Metadata = {};

/** Chunks, outline and title of one plain text. */
export function chunkText(document: Document, options: ChunkOptions, segmenters: Segmenters): ChunkResult {
  const { text } = document;
  const lines = new TextLines(text);
  const form = formOf(document, lines);
  const body = form === "prose" ? bodyIndent(lines) : 0;
  const blocks = form === "prose" ? inferTitle(lines, inferHeadings(lines, readBlocks(lines, body), body), body) : [];
  const { sections, outline } = readTextStructure(blocks);
  const parts =
    form === "prose" ? partsOfSections(sections, text, lines, segmenters) : [partOfLines(form, text, lines)];
  const code = new RangeCursor(codeRanges(blocks, lines));
  const passages = isLongText(text, options);
  const title = titleOf(blocks, outline);
  const chunks: ChunkDraft[] = [];
  for (const part of parts) {
    let startsSection = true;
    const room = roomBeside(document.title ?? title, part.path, options);
    for (const piece of cutPart(part, text, lines, room, passages, segmenters)) {
      const range = trimPiece(text, piece);
      if (range === undefined) continue;
      chunks.push(draftOf(range, part, startsSection, text, lines, code));
      startsSection = false;
    }
  }
  return { chunks, outline, ...(title !== undefined && { title }), diagnostics: [] };
}

function cutPart(
  part: TextPart,
  text: string,
  lines: TextLines,
  options: ChunkOptions,
  passages: boolean,
  segmenters: Segmenters,
): readonly Range[] {
  const budget = new Budget(text, options, { passages });
  if (budget.fits(part.start, part.end)) return [part];
  const frame = part.frame(new TextFrames(text, lines.lines, budget, segmenters));
  return pack(frame, part.bodyStart, budget, (piece) => overlapStart(piece, text, part.leaves, budget));
}

/** The piece without blank lines and form feeds around it; `undefined` when nothing is left. */
function trimPiece(text: string, piece: Range): Range | undefined {
  const trimmed = trimBlankLines(text, piece);
  if (trimmed === undefined) return undefined;
  let { start } = trimmed;
  while (text[start] === "\f") start++;
  return { start, end: trimmed.end };
}

function draftOf(
  range: Range,
  { path, anchor }: TextPart,
  startsSection: boolean,
  text: string,
  { lines }: TextLines,
  code: RangeCursor<Range>,
): ChunkDraft {
  const zones = code.overlapping(range).map((whole) => {
    const { start, end } = clip(whole, range);
    return { kind: "code", startOffset: start, endOffset: end } as const;
  });
  return {
    text: text.slice(range.start, range.end),
    span: lines.span(range),
    headingPath: path,
    ...(anchor !== undefined && { anchor }),
    ...(zones.length > 0 && { zones }),
    ...(!startsSection && { startsSection }),
    metadata: NO_METADATA,
  };
}

/** Indented blocks that are code or diagrams by their marks; quoted verse is indented too. */
function codeRanges(blocks: readonly TextBlock[], lines: TextLines): Range[] {
  return blocks
    .filter(({ kind, startLine, endLine }) => kind === "code" && hasManySymbols(lines, startLine, endLine))
    .map(({ startLine, endLine }) => ({ start: lines.lines.start(startLine), end: lines.lines.start(endLine) }));
}

/** The heading that the text begins with, when no other one is of its level. */
function titleOf(blocks: readonly TextBlock[], outline: readonly OutlineEntry[]): string | undefined {
  const [first] = outline;
  const heading = blocks.find((block) => block.heading !== undefined)?.heading;
  if (first === undefined || heading === undefined) return undefined;
  const beginsText = heading.style === "title" || blocks[0]!.heading !== undefined;
  const isAlone = outline.every(({ level }, index) => index === 0 || level !== first.level);
  return beginsText && isAlone ? first.heading : undefined;
}
