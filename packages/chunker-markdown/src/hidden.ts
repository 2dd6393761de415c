import type { Range } from "@docsearch/text-split";
import type { Block, BlockTree } from "./block.js";

export interface Hidden {
  /** In order, without overlap: what a chunk's standalone text leaves out. */
  readonly ranges: readonly Range[];
  /** Indices of the blocks that are left out as a whole. */
  readonly blocks: ReadonlySet<number>;
}

const COMMENT_START = "<!--";
const COMMENT_END = "-->";
const IMAGE_TAG = /<(?:img|picture|svg)\b/i;
const TAG_NAME = /<\/?([A-Za-z][\w.:-]*)/g;
const PICTURE_TAG = /^(?:img|picture|source|br|a|p|div|center|span)$/i;
// Repetitions are bounded: without that, a paragraph of openers would take time by the square of its length.
const MARKDOWN_IMAGE = /!\[[^[\]]*\](?:\((?:[^()]|\([^()]{0,500}\)){0,500}\)|\[[^[\]]*\])?/g;
const LINK_TARGET = /\](?:\((?:[^()]|\([^()]{0,500}\)){0,500}\)|\[[^[\]]*\])/g;
/** A longer paragraph is no row of badges. */
const MAX_BADGES = 10_000;

/** Finds comments, MDX statements, scripts, styles, and rows that hold images only. */
export function findHidden(text: string, tree: BlockTree): Hidden {
  const ranges: Range[] = [];
  const whole = new Set<number>();
  const { blocks, lines } = tree;
  for (const [index, block] of blocks.entries()) {
    if (!MAY_HIDE.has(block.kind)) continue;
    const start = lines.start(block.startLine);
    const end = lines.start(block.endLine);
    if (isHidden(block, text, start, end)) {
      ranges.push({ start, end });
      whole.add(index);
    } else if (block.kind === "html" || block.kind === "paragraph") {
      const comments = findComments(text, start, end);
      // A paragraph with code in it may speak of comments.
      if (block.kind === "html" || !text.slice(start, end).includes("`")) ranges.push(...comments);
    }
  }
  return { ranges, blocks: whole };
}

const MAY_HIDE: ReadonlySet<string> = new Set(["esm", "comment", "html", "jsx", "paragraph"]);

function isHidden(block: Block, text: string, start: number, end: number): boolean {
  switch (block.kind) {
    case "esm":
    case "comment":
      return true;
    case "paragraph":
      return isImagesOnly(text, start, end);
    default: {
      const source = text.slice(start, end);
      if (/^\s*<(?:script|style)\b/i.test(source)) return true;
      if (block.kind === "jsx") return isPictureTags(source);
      return !hasTextOutsideTags(source) && (isPictureTags(source) || !/<[A-Za-z/]/.test(withoutComments(source)));
    }
  }
}

function isPictureTags(source: string): boolean {
  if (!IMAGE_TAG.test(source)) return false;
  for (const [, name] of source.matchAll(TAG_NAME)) if (!PICTURE_TAG.test(name!)) return false;
  return true;
}

function isImagesOnly(text: string, start: number, end: number): boolean {
  if (end - start > MAX_BADGES) return false;
  const source = text.slice(start, end).trimStart();
  if (!source.startsWith("![") && !source.startsWith("[![")) return false;
  return !/[\p{L}\p{N}]/u.test(source.replace(MARKDOWN_IMAGE, "").replace(LINK_TARGET, "]"));
}

/** Whether HTML has text that is neither tag nor comment. */
export function hasTextOutsideTags(source: string): boolean {
  let inTag = false;
  for (const char of withoutComments(source)) {
    if (char === "<") inTag = true;
    else if (char === ">") inTag = false;
    else if (!inTag && char.trim() !== "") return true;
  }
  return false;
}

function withoutComments(source: string): string {
  let rest = "";
  let at = 0;
  for (const { start, end } of findComments(source, 0, source.length)) {
    rest += source.slice(at, start);
    at = end;
  }
  return rest + source.slice(at);
}

function findComments(text: string, from: number, to: number): Range[] {
  const comments: Range[] = [];
  const source = text.slice(from, to);
  for (let at = source.indexOf(COMMENT_START); at >= 0; at = source.indexOf(COMMENT_START, at)) {
    const close = source.indexOf(COMMENT_END, at + COMMENT_START.length);
    const end = close < 0 ? source.length : close + COMMENT_END.length;
    comments.push({ start: from + at, end: from + end });
    at = end;
  }
  return comments;
}
