import type { BlockTree } from "./block.js";
import type { Budget } from "./budget.js";
import { type Range, trimRange } from "./range.js";
import type { Segmenters } from "./segmenters.js";
import { closingLine } from "./wraps.js";

/**
 * Start of the text at the end of `piece` that the next piece repeats: the earliest line or, in paragraphs, sentence
 * from which on the text is short enough. `piece.end` when there is none. `leaves` are indices of blocks without
 * descendants, in order.
 */
export function overlapStart(
  piece: Range,
  text: string,
  tree: BlockTree,
  leaves: readonly number[],
  budget: Budget,
  segmenters: Segmenters,
): number {
  let best = piece.end;
  const first = trimRange(text, piece)?.start ?? piece.end;
  for (let leaf = lastLeafBefore(piece.end, tree, leaves); leaf >= 0; leaf--) {
    const borders = bordersIn(piece, leaves[leaf]!, text, tree, segmenters);
    for (const border of borders.reverse()) {
      if (border <= first || !budget.isOverlap(border, piece.end)) return best;
      best = border;
    }
    if (tree.lines.start(tree.blocks[leaves[leaf]!]!.startLine) <= first) return best;
  }
  return best;
}

/** Offsets inside `piece` at which lines or sentences of the block begin. */
function bordersIn(piece: Range, index: number, text: string, tree: BlockTree, segmenters: Segmenters): number[] {
  const { lines, blocks } = tree;
  const block = blocks[index]!;
  const start = Math.max(piece.start, lines.start(block.startLine));
  const end = Math.min(piece.end, lines.start(block.endLine));
  if (block.kind === "paragraph") return segmenters.sentenceStarts(text.slice(start, end)).map((at) => start + at);
  const borders: number[] = [];
  const last = block.kind === "fence" ? closingLine(text, lines, block) : block.endLine;
  for (let line = lines.at(start); line < last && lines.start(line) < end; line++) {
    const isDelimiter = block.kind === "table" && line === block.startLine + 1;
    if (lines.start(line) >= start && !isDelimiter) borders.push(lines.start(line));
  }
  return borders;
}

/** Position in `leaves` of the last one that begins before `offset`, or -1. */
function lastLeafBefore(offset: number, { blocks, lines }: BlockTree, leaves: readonly number[]): number {
  let low = 0;
  let high = leaves.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines.start(blocks[leaves[middle]!]!.startLine) < offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
