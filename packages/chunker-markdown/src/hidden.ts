import type { Range } from "@docsearch/text-split";
import type { Block, BlockTree } from "./block.js";
import type { Dialect } from "./parse-blocks.js";

export interface Hidden {
  /** In order, without overlap: what a chunk's standalone text leaves out. */
  readonly ranges: readonly Range[];
  /** Indices of the blocks that are left out as a whole. */
  readonly blocks: ReadonlySet<number>;
}

/** What opens a comment, and what closes it. */
const COMMENTS: Readonly<
  Record<Dialect, { readonly opens: RegExp; readonly closes: Readonly<Record<string, string>> }>
> = {
  markdown: { opens: /<!--/g, closes: { "<!--": "-->" } },
  mdx: { opens: /<!--|\{\/\*/g, closes: { "<!--": "-->", "{/*": "*/}" } },
};
const IMAGE_TAG = /<(?:img|picture|svg)\b/i;
const TAG_NAME = /<\/?([A-Za-z][\w.:-]*)/g;
const PICTURE_TAG = /^(?:img|picture|source|br|a|p|div|center|span)$/i;
// Repetitions are bounded: without that, a paragraph of openers would take time by the square of its length.
const MARKDOWN_IMAGE = /!\[[^[\]]*\](?:\((?:[^()]|\([^()]{0,500}\)){0,500}\)|\[[^[\]]*\])?/g;
const LINK_TARGET = /\](?:\((?:[^()]|\([^()]{0,500}\)){0,500}\)|\[[^[\]]*\])/g;
/** A longer paragraph is no row of badges. */
const MAX_BADGES = 10_000;

/** Finds comments, MDX statements, scripts, styles, and rows that hold images only. */
export function findHidden(text: string, tree: BlockTree, dialect: Dialect): Hidden {
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
    } else if (block.kind !== "paragraph") {
      ranges.push(...findComments(text, start, end, dialect));
    } else if (!text.slice(start, end).includes("`")) {
      // A paragraph with code in it may speak of comments. In any other an open comment is text.
      ranges.push(...findComments(text, start, end, dialect).filter(({ isClosed }) => isClosed));
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
  for (const { start, end } of findComments(source, 0, source.length, "markdown")) {
    rest += source.slice(at, start);
    at = end;
  }
  return rest + source.slice(at);
}

interface Comment extends Range {
  readonly isClosed: boolean;
}

/** The last one may be open: it reaches to the end. */
function findComments(text: string, from: number, to: number, dialect: Dialect): Comment[] {
  const comments: Comment[] = [];
  const source = text.slice(from, to);
  const { opens, closes } = COMMENTS[dialect];
  opens.lastIndex = 0;
  for (let open = opens.exec(source); open !== null; open = opens.exec(source)) {
    const mark = closes[open[0]]!;
    const close = source.indexOf(mark, opens.lastIndex);
    const end = close < 0 ? source.length : close + mark.length;
    comments.push({ start: from + open.index, end: from + end, isClosed: close >= 0 });
    opens.lastIndex = end;
  }
  return comments;
}
