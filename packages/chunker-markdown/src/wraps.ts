import type { Lines, Wrap } from "@docsearch/text-split";
import type { Block } from "./block.js";

/** Line that closes the fenced `block`, or `block.endLine` when it is not closed. */
export function closingLine(text: string, lines: Lines, block: Block): number {
  const last = block.endLine - 1;
  if (last <= block.startLine) return block.endLine;
  const mark = fenceMark(block);
  const line = lineAt(text, lines, last).replace(/^[\s>]*/, "");
  const closes = line.startsWith(mark) && line.replaceAll(mark[0]!, "") === "";
  return closes ? last : block.endLine;
}

/** `undefined` for blocks that need nothing repeated. */
export function wrapOf(text: string, lines: Lines, block: Block): Wrap | undefined {
  const start = lines.start(block.startLine);
  if (block.kind === "fence") {
    const raw = lineAt(text, lines, block.startLine);
    const margin = toMargin(raw.slice(0, raw.length - block.text.trimEnd().length));
    return {
      start,
      contentStart: lines.start(block.startLine + 1),
      contentEnd: lines.start(closingLine(text, lines, block)),
      open: `${margin}${block.text.trimEnd()}\n`,
      close: `\n${margin}${fenceMark(block)}`,
    };
  }
  if (block.kind === "table") {
    const header = lineAt(text, lines, block.startLine);
    const delimiter = lineAt(text, lines, block.startLine + 1);
    const margin = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*/.exec(header)![0];
    return {
      start,
      contentStart: lines.start(block.startLine + 2),
      contentEnd: lines.start(block.endLine),
      open: `${toMargin(margin)}${header.slice(margin.length)}\n${delimiter}\n`,
      close: "",
    };
  }
  return undefined;
}

function fenceMark(block: Block): string {
  return /^(?:`+|~+)/.exec(block.text)![0];
}

function lineAt(text: string, lines: Lines, line: number): string {
  return text.slice(lines.start(line), lines.start(line + 1)).trimEnd();
}

/** What stands before a block's content on its later lines: list marks count only on the first. */
function toMargin(prefix: string): string {
  return prefix.replace(/[^\s>]/g, " ");
}
