import type { Leaves, Segmenters } from "@docsearch/text-split";
import type { BlockTree } from "./block.js";
import { closingLine } from "./wraps.js";

/** What overlap needs to know of the blocks at `indices`, which have no descendants and come in order. */
export function leavesOf(text: string, tree: BlockTree, indices: readonly number[], segmenters: Segmenters): Leaves {
  const { lines, blocks } = tree;
  return {
    count: indices.length,
    startOf: (leaf) => lines.start(blocks[indices[leaf]!]!.startLine),
    bordersIn(leaf, piece) {
      const block = blocks[indices[leaf]!]!;
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
    },
  };
}
