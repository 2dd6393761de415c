import type { ChunkDraft, ChunkOptions, OutlineEntry } from "@docsearch/spec";
import { Budget, type Leaves, overlapStart, pack, type Range, type Segmenters, trimRange } from "@docsearch/text-split";
import type { CodeFile } from "./code-file.js";
import { DraftWriter } from "./drafts.js";
import { NodeFrames } from "./node-frames.js";
import { outlineOf } from "./outline.js";
import { cutAtDefinitions, joinSmallPieces, type Sizes } from "./pieces.js";

/** Pieces of at most this share of the largest chunk are joined to a neighbour. */
const SMALL = 0.2;
const TINY = 0.02;

export interface CutFile {
  readonly chunks: readonly ChunkDraft[];
  readonly outline: readonly OutlineEntry[];
}

/** Chunks and outline of a file. */
export function cutFile(file: CodeFile, options: ChunkOptions, segmenters: Segmenters): CutFile {
  const { text, lines, definitions, trees } = file;
  const outline = outlineOf(definitions, lines);
  const whole = trimRange(text, { start: 0, end: text.length });
  if (whole === undefined) return { chunks: [], outline: outline.entries };
  const budget = new Budget(text, options);
  const share = ({ start, end }: Range): number => options.measure(text.slice(start, end).trim()) / options.maxSize;
  const sizes: Sizes = {
    fits: (start, end) => budget.fits(start, end),
    isSmall: (range) => share(range) <= SMALL,
    isTiny: (range) => share(range) <= TINY,
  };
  const frames = new NodeFrames(text, lines, trees, budget, segmenters);
  const writer = new DraftWriter(file, outline);
  const chunks: ChunkDraft[] = [];
  const pieces = joinSmallPieces(
    text,
    definitions,
    cutAtDefinitions(definitions, { start: 0, end: text.length }, sizes),
    sizes,
  );
  for (const piece of pieces) {
    const range = trimRange(text, piece);
    if (range === undefined) continue;
    if (sizes.fits(range.start, range.end)) {
      const draft = writer.write(range, piece.scope);
      if (draft !== undefined) chunks.push(draft);
      continue;
    }
    const leaves = lineLeaves(file, range);
    const overlap = (part: Range): number => overlapStart(part, text, leaves, budget);
    for (const part of pack(frames.of(range.start, range.end), range.start, budget, overlap)) {
      const draft = writer.write(part, innermostAround(file, piece.scope, part));
      if (draft !== undefined) chunks.push(draft);
    }
  }
  return { chunks, outline: outline.entries };
}

/** The innermost definition, from `scope` inwards, that the whole part lies in without holding its beginning. */
function innermostAround({ definitions, text }: CodeFile, scope: number, part: Range): number {
  const span = trimRange(text, part) ?? part;
  let low = 0;
  let high = definitions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (definitions[middle]!.start < span.start) low = middle + 1;
    else high = middle;
  }
  let at = low - 1;
  while (at > scope && definitions[at]!.end < span.end) at = definitions[at]!.parent;
  return Math.max(at, scope);
}

/** What is repeated at the start of a further piece are whole lines. */
function lineLeaves({ lines }: CodeFile, range: Range): Leaves {
  return {
    count: 1,
    startOf: () => range.start,
    bordersIn(_, piece) {
      const borders: number[] = [];
      for (let line = lines.at(piece.start) + 1; lines.start(line) < piece.end; line++) borders.push(lines.start(line));
      return borders;
    },
  };
}
