import type { Diagnostic } from "@docsearch/spec";
import type { BlockTree } from "./block.js";
import { endOfCode } from "./links.js";
import { MdxScanner } from "./mdx-scanner.js";

const SPECIAL = /[\\`{<]/g;

/**
 * The first paragraph that is no valid MDX: a brace or tag in it does not end, or `<` opens no tag. Such a paragraph
 * has been read as plain Markdown.
 */
export function findMdxFault(text: string, tree: BlockTree): Diagnostic | undefined {
  const { lines } = tree;
  for (const block of tree.blocks) {
    if (block.kind !== "paragraph") continue;
    const start = lines.start(block.startLine);
    const source = text.slice(start, lines.start(block.endLine));
    const at = findFault(source);
    if (at < 0) continue;
    const line = lines.at(start + at) + 1;
    return {
      message: `Invalid MDX: "${source[at]}" in line ${line} opens nothing that ends in its paragraph. The paragraph is read as Markdown; write \`\\${source[at]}\` if it is meant as text.`,
      span: { startOffset: start + at, endOffset: start + at + 1, startLine: line, endLine: line },
    };
  }
  return undefined;
}

/** Offset of the first mark that does not read as MDX, or -1. */
function findFault(source: string): number {
  if (!source.includes("{") && !source.includes("<")) return -1;
  const scanner = new MdxScanner(source);
  let at = 0;
  for (;;) {
    SPECIAL.lastIndex = at;
    const special = SPECIAL.exec(source);
    if (special === null) return -1;
    at = special.index;
    if (special[0] === "\\") at += 2;
    else if (special[0] === "`") at = endOfCode(source, at);
    else {
      const end = special[0] === "{" ? scanner.braces(at) : endOfAngle(source, at, scanner);
      if (end < 0) return at;
      at = end;
    }
  }
}

function endOfAngle(source: string, at: number, scanner: MdxScanner): number {
  // The target of a link may stand in angle brackets.
  if (source.startsWith("](", at - 2)) return source.indexOf(">", at);
  return /[A-Za-z/>_$]/.test(source[at + 1] ?? "") ? scanner.tag(at) : -1;
}
