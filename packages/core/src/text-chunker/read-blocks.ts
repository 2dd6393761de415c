import type { TextBlock, TextHeading } from "./block.js";
import { hasOwnLines, isCapitals, isUnwrapped, startsItem } from "./layout.js";
import { isQuoted, readMailHeader } from "./mail.js";
import { readDoubleRuled, readUnderlined, readWiki } from "./marked-headings.js";
import { isReleaseHead, withoutEdges } from "./releases.js";
import { hasManySymbols } from "./symbols.js";
import type { TextLines } from "./text-lines.js";

/** Columns beyond the body's indentation from which on lines are looked at as code. */
const CODE_INDENT = 3;
/** A name at most and a version as an item of a list. */
const BARE_ITEM = /^[-*+]\s+(?:\w+\s+)?\S+$/;

/**
 * The blocks of a text: what stands between blank lines and page breaks, cut further at marked headings, at mail
 * headers, and where quoting begins or ends. `body`: columns by which the text is indented.
 */
export function readBlocks(lines: TextLines, body: number): TextBlock[] {
  const blocks: TextBlock[] = [];
  const isMail = startsWithMail(lines);
  let start = 0;
  while (start < lines.count) {
    if (lines.isBlank(start)) {
      start++;
      continue;
    }
    let end = start + 1;
    while (end < lines.count && !lines.isBlank(end) && !lines.startsPage(end)) end++;
    readRun(lines, start, end, { body, isMail }, blocks);
    start = end;
  }
  return joinCode(lines, blocks);
}

interface Layout {
  readonly body: number;
  /** The text is a message or a mailbox: what looks like a mail header is one. */
  readonly isMail: boolean;
}

function startsWithMail(lines: TextLines): boolean {
  let start = 0;
  while (start < lines.count && lines.isBlank(start)) start++;
  let end = start;
  while (end < lines.count && !lines.isBlank(end)) end++;
  return start < end && readMailHeader(lines, start, end) !== undefined;
}

/** Adds the blocks of lines without a blank line between them. */
function readRun(lines: TextLines, start: number, end: number, layout: Layout, blocks: TextBlock[]): void {
  let from = start;
  if (layout.isMail) {
    const header = readMailHeader(lines, start, end);
    if (header !== undefined) {
      const { subject } = header;
      const heading: TextHeading | undefined = subject && { ...subject, style: "subject", depth: 1 };
      blocks.push({ kind: "rows", startLine: start, endLine: end, ...(heading !== undefined && { heading }) });
      return;
    }
  }
  for (;;) {
    const heading = readUnderlined(lines, from, end);
    if (heading === undefined) break;
    blocks.push(heading);
    from = heading.endLine;
    if (from === end) return;
  }
  if (standsForRelease(lines, from, end)) {
    blocks.push(releaseHead(lines, from));
    from++;
  }
  if (standsLeft(lines, from, end, layout.body)) {
    blocks.push(bodyBlock(lines, from, from + 1, layout));
    from++;
  }
  readLines(lines, from, end, layout, blocks);
}

/** Whether the first line stands left of all others as the headings of manual pages do. */
function standsLeft(lines: TextLines, start: number, end: number, body: number): boolean {
  if (end - start < 2) return false;
  const least = body > 0 ? body : isCapitals(lines.content(start)) ? 2 : Number.POSITIVE_INFINITY;
  if (lines.indent(start) >= least) return false;
  for (let line = start + 1; line < end; line++) if (lines.indent(line) < least) return false;
  return true;
}

/** Whether the first line heads a release. A bare version in a list is an item, unless more is indented under it. */
function standsForRelease(lines: TextLines, start: number, end: number): boolean {
  const content = lines.content(start);
  if (!isReleaseHead(content)) return false;
  return !BARE_ITEM.test(content) || (start + 1 < end && lines.indent(start + 1) > lines.indent(start));
}

function releaseHead(lines: TextLines, line: number): TextBlock {
  const text = withoutEdges(lines.content(line)).replace(/\s+/g, " ");
  return {
    kind: "heading",
    startLine: line,
    endLine: line + 1,
    heading: { text, line, style: "release", depth: 1 },
  };
}

/** Adds blocks of lines of which the first is not marked as a heading. */
function readLines(lines: TextLines, start: number, end: number, layout: Layout, blocks: TextBlock[]): void {
  let from = start;
  const unwrapped = isUnwrapped(lines, start, end);
  for (let line = start; line < end; line++) {
    const marked = readWiki(lines, line) ?? readDoubleRuled(lines, line, end);
    if (marked === undefined) {
      const next = line + 1;
      const quoteEnds = next < end && isQuoted(lines.content(line)) !== isQuoted(lines.content(next));
      if (next < end && !unwrapped && !quoteEnds) continue;
      blocks.push(bodyBlock(lines, from, next, layout));
    } else {
      if (from < line) blocks.push(bodyBlock(lines, from, line, layout));
      blocks.push(marked);
      line = marked.endLine - 1;
    }
    from = line + 1;
  }
}

function bodyBlock(lines: TextLines, startLine: number, endLine: number, { body }: Layout): TextBlock {
  const range = { startLine, endLine };
  if (isQuoted(lines.content(startLine))) return { kind: "rows", ...range };
  const items: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let line = startLine; line < endLine; line++) {
    if (startsItem(lines.content(line))) items.push(line);
    least = Math.min(least, lines.indent(line));
  }
  if (items.length > 1 || items[0] === startLine) return { kind: "list", ...range, items };
  const ownLines = endLine - startLine > 1 && hasOwnLines(lines, startLine, endLine);
  const symbols = hasManySymbols(lines, startLine, endLine);
  if (least >= body + CODE_INDENT && (symbols || ownLines)) return { kind: "code", ...range };
  return { kind: ownLines || symbols ? "rows" : "paragraph", ...range };
}

/** Joins blocks of code that only blank lines keep apart. */
function joinCode(lines: TextLines, blocks: readonly TextBlock[]): TextBlock[] {
  const joined: TextBlock[] = [];
  for (const block of blocks) {
    const before = joined.at(-1);
    if (block.kind === "code" && before?.kind === "code" && !lines.startsPage(block.startLine)) {
      joined[joined.length - 1] = { ...before, endLine: block.endLine };
    } else joined.push(block);
  }
  return joined;
}
