import type { TextBlock, TextHeading } from "./block.js";
import { endsSentence, startsItem } from "./layout.js";
import { hasDate } from "./releases.js";
import type { TextLines } from "./text-lines.js";

const MAX_LENGTH = 80;
const MAX_WORDS = 12;
/** A title in the middle of the page may take so many lines. */
const MAX_CENTRED_LINES = 3;
/** A centred title stands among the first blocks, behind what heads the document. */
const FIRST_BLOCKS = 4;
/** Least indentation of a centred line, and how far its middle may be from that of the page. */
const CENTRED_INDENT = 8;
const CENTRED_TOLERANCE = 5;
const PAGE_WIDTH = 72;
const LETTER = /\p{L}/u;
const BEGINS = /^[\p{Lu}\p{Lt}\p{Lo}\p{N}"'“‘«(]/u;
/** Addresses, paths, commands, columns, assignments, notices of copyright. */
const NO_TITLE = /:\/\/|@|^[#$%/\\<{[]|\S {3,}\S|[\t=;{}]|^copyright\b|\(c\)|©/i;

/**
 * The blocks with the line that names the whole text turned into a heading, if there is a clear one: the first line,
 * when it stands alone, is short, ends no sentence, and heads something longer than itself; or the first lines that
 * stand in the middle of the page.
 */
export function inferTitle(lines: TextLines, blocks: readonly TextBlock[], body: number): TextBlock[] {
  const first = blocks.findIndex(({ heading }) => heading !== undefined);
  const end = Math.min(first < 0 ? blocks.length : first, FIRST_BLOCKS);
  for (let index = 0; index < end; index++) {
    const block = blocks[index]!;
    const isTitle = isCentred(lines, block, body) || (index === 0 && isTitleLine(lines, block, blocks[1]));
    if (!isTitle) continue;
    const { startLine, endLine } = block;
    const content = Array.from({ length: endLine - startLine }, (_, offset) => lines.content(startLine + offset));
    const text = content.join(" ").replace(/\s+/g, " ");
    const heading: TextHeading = { text, line: startLine, style: "title", depth: 1 };
    return blocks.with(index, { kind: "heading", startLine, endLine, heading });
  }
  return [...blocks];
}

function isCentred(lines: TextLines, { startLine, endLine }: TextBlock, body: number): boolean {
  if (endLine - startLine > MAX_CENTRED_LINES) return false;
  for (let line = startLine; line < endLine; line++) {
    const indent = lines.indent(line);
    const content = lines.content(line);
    const offCentre = Math.abs(indent + content.length / 2 - PAGE_WIDTH / 2);
    if (indent < body + CENTRED_INDENT || offCentre > CENTRED_TOLERANCE || NO_TITLE.test(content)) return false;
  }
  return BEGINS.test(lines.content(startLine)) && !endsSentence(lines.content(endLine - 1));
}

function isTitleLine(lines: TextLines, block: TextBlock, next: TextBlock | undefined): boolean {
  const { kind, startLine, endLine } = block;
  if (kind === "code" || endLine > startLine + 1 || next === undefined) return false;
  const content = lines.content(startLine);
  const looksLikeOne =
    content.length <= MAX_LENGTH &&
    content.split(/\s+/).length <= MAX_WORDS &&
    LETTER.test(content) &&
    BEGINS.test(content) &&
    !/[.,;:!?]$/.test(content) &&
    !NO_TITLE.test(content) &&
    !hasDate(content) &&
    !startsItem(content);
  return looksLikeOne && (next.heading !== undefined || headsText(lines, content, next));
}

/** Whether `next` is running text, or a list, that is longer than the line above it. */
function headsText(lines: TextLines, content: string, next: TextBlock): boolean {
  const { kind, startLine, endLine } = next;
  if (kind === "list") return endLine > startLine + 1;
  if (kind !== "paragraph") return false;
  const single = endLine === startLine + 1;
  return !single || (lines.content(startLine).length > content.length && endsSentence(lines.content(startLine)));
}
