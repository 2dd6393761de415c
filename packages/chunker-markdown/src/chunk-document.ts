import type { ChunkDraft, ChunkOptions, ChunkResult, Document } from "@docsearch/spec";
import {
  Budget,
  isLongText,
  type OverlapStart,
  overlapStart,
  pack,
  type Range,
  roomBeside,
  type Segmenters,
  trimRange,
} from "@docsearch/text-split";
import type { Block, BlockTree } from "./block.js";
import { DraftWriter } from "./drafts.js";
import { Frames } from "./frames.js";
import { type FrontMatter, readFrontMatter } from "./front-matter.js";
import type { HeadingReader } from "./heading-text.js";
import { findHidden } from "./hidden.js";
import { findMdxFault } from "./mdx-faults.js";
import { leavesOf } from "./overlap.js";
import type { Dialect, ParseBlocks } from "./parse-blocks.js";
import { mergeBareSections, type Part } from "./parts.js";
import { readStructure } from "./sections.js";
import { findTitle } from "./title.js";
import { wrapOf } from "./wraps.js";

/** What chunking is built on: the readers of Markdown, and the borders of sentences, words and graphemes. */
export interface Engine {
  readonly parseBlocks: ParseBlocks;
  readonly headingReader: HeadingReader;
  readonly segmenters: Segmenters;
}

/** Chunks, outline, title and metadata of one Markdown document. */
export function chunkDocument(
  document: Document,
  dialect: Dialect,
  options: ChunkOptions,
  engine: Engine,
): ChunkResult {
  const { text } = document;
  const frontMatter = readFrontMatter(text);
  const tree = parseDocument(text, dialect, frontMatter, engine.parseBlocks);
  const firstLine = frontMatter.metadata === undefined ? 0 : frontMatter.endLine;
  const readHeading = engine.headingReader(tree);
  const { sections, outline } = readStructure(tree, firstLine, readHeading);
  const hidden = findHidden(text, tree, dialect);
  const writer = new DraftWriter(text, tree, hidden);
  const title = findTitle(text, tree, frontMatter.metadata, outline, readHeading);
  const chunks: ChunkDraft[] = [];
  for (const part of mergeBareSections(text, tree, sections, hidden)) {
    const room = roomBeside(document.title ?? title, part.section.path, options);
    const { budget, pieces } = cutPart(text, tree, part, room, engine.segmenters);
    // The headings of merged sections may fill pieces of their own.
    const headingAt = tree.lines.start(part.section.startLine);
    for (const piece of pieces) {
      const starts = piece === pieces[0] || (piece.start <= headingAt && headingAt < piece.end);
      const draft = writer.write(piece, part.section, starts, budget);
      if (draft !== undefined) chunks.push(draft);
    }
  }
  const fault = dialect === "mdx" ? findMdxFault(text, tree) : undefined;
  return {
    chunks,
    outline,
    ...(title === undefined ? {} : { title }),
    ...(frontMatter.metadata === undefined ? {} : { metadata: frontMatter.metadata }),
    diagnostics: [frontMatter.diagnostic, fault].filter((diagnostic) => diagnostic !== undefined),
  };
}

/** Malformed front matter becomes one paragraph, so that none of its lines is taken for a heading or a rule. */
function parseDocument(
  text: string,
  dialect: Dialect,
  { endLine, diagnostic }: FrontMatter,
  parse: ParseBlocks,
): BlockTree {
  const tree = parse(text, { dialect, firstLine: endLine });
  if (diagnostic === undefined) return tree;
  const raw: Block = { kind: "paragraph", depth: 0, startLine: 0, endLine, next: 1, level: 0, text: "" };
  return { ...tree, blocks: [raw, ...tree.blocks.map((block) => ({ ...block, next: block.next + 1 }))] };
}

interface Cut {
  readonly budget: Budget;
  readonly pieces: readonly Range[];
}

function cutPart(text: string, tree: BlockTree, part: Part, options: ChunkOptions, segmenters: Segmenters): Cut {
  const whole = new Budget(text, options);
  const range = trimRange(text, part);
  if (range === undefined) return { budget: whole, pieces: [] };
  if (whole.fits(range.start, range.end)) return { budget: whole, pieces: [range] };
  const leaves: number[] = [];
  for (const root of part.blocks) {
    const { next } = tree.blocks[root]!;
    for (let index = root; index < next; index++) if (tree.blocks[index]!.next === index + 1) leaves.push(index);
  }
  const wraps = leaves.map((leaf) => wrapOf(text, tree.lines, tree.blocks[leaf]!)).filter((wrap) => wrap !== undefined);
  const passages = isLongText(text.slice(range.start, range.end), options);
  const budget = new Budget(text, options, { wraps, passages });
  const frame = new Frames(text, tree, budget, segmenters).ofBlocks(part.blocks, range.start, range.end, "passage");
  const overlapLeaves = leavesOf(text, tree, leaves, segmenters);
  const overlap: OverlapStart = (piece) => overlapStart(piece, text, overlapLeaves, budget);
  return { budget, pieces: pack(frame, part.bodyStart, budget, overlap) };
}
