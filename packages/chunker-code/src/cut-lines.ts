import type { ChunkDraft, ChunkOptions, Metadata } from "@docsearch/spec";
import {
  Budget,
  Lines,
  overlapStart,
  pack,
  type Range,
  type Segmenters,
  TextFrames,
  trimRange,
} from "@docsearch/text-split";
import { LineFrames } from "./line-frames.js";

const NO_METADATA: Metadata = {};

/** Chunks of code whose structure is not known, by blank lines and indentation. */
export function cutLines(text: string, language: string, options: ChunkOptions, segmenters: Segmenters): ChunkDraft[] {
  const whole = trimRange(text, { start: 0, end: text.length });
  if (whole === undefined) return [];
  const lines = new Lines(text);
  const budget = new Budget(text, options);
  const frames = new LineFrames(text, lines, new TextFrames(text, lines, budget, segmenters));
  const bordersIn = (_: number, piece: Range): number[] => {
    const borders: number[] = [];
    for (let line = lines.at(piece.start) + 1; lines.start(line) < piece.end; line++) borders.push(lines.start(line));
    return borders;
  };
  const leaves = { count: 1, startOf: () => whole.start, bordersIn };
  const pieces = budget.fits(whole.start, whole.end)
    ? [whole]
    : pack(frames.of(whole.start, whole.end), whole.start, budget, (piece) =>
        overlapStart(piece, text, leaves, budget),
      );
  return pieces.flatMap((piece) => {
    const range = trimRange(text, piece);
    if (range === undefined) return [];
    const { start, end } = range;
    return {
      text: text.slice(start, end),
      span: lines.span(range),
      headingPath: [],
      language,
      zones: [{ kind: "code" as const, startOffset: start, endOffset: end }],
      metadata: NO_METADATA,
    };
  });
}
