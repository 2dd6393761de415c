import { type Frame, type Leaves, type Lines, rowOf, type Segmenters, type TextFrames } from "@docsearch/text-split";
import type { TextBlock } from "./block.js";
import type { TextLines } from "./text-lines.js";

const MAX_LEAD_IN = 300;

/** A section as its pages, if it has several, each of them as its blocks. */
export function frameOfBlocks(
  blocks: readonly TextBlock[],
  start: number,
  end: number,
  text: string,
  lines: TextLines,
  inner: TextFrames,
): Frame {
  const pages = blocks.filter(({ startLine }, index) => index > 0 && lines.startsPage(startLine));
  const startOf = ({ startLine }: TextBlock): number => lines.lines.start(startLine);
  if (pages.length === 0) return ofBlocks(blocks, start, end);
  const bounds = [start, ...pages.map(startOf), end];
  let first = 0;
  const groups = bounds.slice(1).map((bound) => {
    const from = first;
    while (first < blocks.length && startOf(blocks[first]!) < bound) first++;
    return blocks.slice(from, first);
  });
  return rowOf(bounds, "passage", (from, to, page) => ofBlocks(groups[page]!, from, to));

  function ofBlocks(some: readonly TextBlock[], from: number, to: number): Frame {
    const bounds = [from, ...some.slice(1).map(startOf), to];
    const kindOf = (unit: number): TextBlock["kind"] => some[unit]!.kind;
    return {
      bounds,
      size: "passage",
      sizeOf: (unit) => (kindOf(unit) === "paragraph" || kindOf(unit) === "heading" ? "passage" : "chunk"),
      isAtomic: () => true,
      leadsIn: (unit) => kindOf(unit) === "heading" || endsWithColon(text, bounds[unit]!, bounds[unit + 1]!),
      split: (unit) => frameOfBlock(some[unit]!, bounds[unit]!, bounds[unit + 1]!, lines.lines, inner),
    };
  }
}

function endsWithColon(text: string, start: number, end: number): boolean {
  return end - start <= MAX_LEAD_IN && /[:：]\s*$/.test(text.slice(start, end));
}

function frameOfBlock(block: TextBlock, start: number, end: number, lines: Lines, inner: TextFrames): Frame {
  switch (block.kind) {
    case "code":
      return inner.ofCode(start, end, block.startLine + 1, block.endLine);
    case "rows":
      return inner.ofLines(start, end);
    case "list": {
      const items = block.items!.filter((line) => line > block.startLine);
      const bounds = [start, ...items.map((line) => lines.start(line)), end];
      return rowOf(bounds, "chunk", (from, to) => inner.ofSentences(from, to));
    }
    default:
      return inner.ofSentences(start, end);
  }
}

/** What overlap needs to know of the blocks: sentences of running text, lines of all else. */
export function leavesOfBlocks(
  blocks: readonly TextBlock[],
  text: string,
  { lines }: TextLines,
  segmenters: Segmenters,
): Leaves {
  return {
    count: blocks.length,
    startOf: (leaf) => lines.start(blocks[leaf]!.startLine),
    bordersIn(leaf, piece) {
      const { kind, startLine, endLine } = blocks[leaf]!;
      const start = Math.max(piece.start, lines.start(startLine));
      const end = Math.min(piece.end, lines.start(endLine));
      if (kind === "paragraph") {
        const sentences = segmenters.sentenceStarts(text.slice(start, end)).map((at) => start + at);
        if (sentences.length > 1) return sentences;
      }
      const borders: number[] = [];
      for (let line = lines.at(start); line < endLine && lines.start(line) < end; line++)
        if (lines.start(line) >= start) borders.push(lines.start(line));
      return borders;
    },
  };
}
