import type { MarkdownIt, StateBlock } from "markdown-it";
import { endOfIndented, firstCode, lineText } from "./dialect-rules.js";
import { MdxScanner } from "./mdx-scanner.js";

// MDX on top of Markdown. What does not read as MDX is left to the Markdown rules, so a page with a stray brace or
// tag loses nothing.

const LESS = 60;
const BRACE = 123;

/** Statements, told from prose that begins with the words "import" and "export". */
const STATEMENT = new RegExp(
  [
    /import\s*["'{*]/,
    /import\s+type\s+[\w${*]/,
    /import\s+[\w$]+\s*(?:,\s*[{*]|\s+from\s*["'])/,
    /export\s*[{*]/,
    /export\s+(?:const|let|var)\s+[\w$[{]/,
    /export\s+(?:async\s+)?function\b\s*\*?\s*[\w$]+\s*[(<]/,
    /export\s+(?:abstract\s+)?(?:class|interface|enum)\s+[\w$]+\s*(?:[{<]|extends\b|implements\b)/,
    /export\s+type\s+[\w$]+\s*[=<]/,
    /export\s+default\s+(?:(?:async\s+)?function\b|class\b|async\b|[({[]|[\w$.]+\s*(?:;|\(|=>|\n|$))/,
  ]
    .map((form) => form.source)
    .join("|"),
  "y",
);
/** Elements whose content is no Markdown; the rule for HTML takes them whole. */
const RAW_TAG = /^<(?:script|style|pre|textarea)\b/i;
const COMMENT = /^\{\s*\/\*[\s\S]*\*\/\s*\}$/;

const scanners = new WeakMap<object, MdxScanner>();

/** One scanner for a document: `env` is made for each parse. */
function scannerOf(state: StateBlock): MdxScanner {
  let scanner = scanners.get(state.env);
  if (scanner === undefined) {
    scanner = new MdxScanner(state.src);
    scanners.set(state.env, scanner);
  }
  return scanner;
}

/** Line that holds `offset`, from `line` on. */
function lineOf(state: StateBlock, line: number, offset: number): number {
  let at = line;
  while (at + 1 < state.lineMax && state.eMarks[at]! < offset) at++;
  return at;
}

function statements(state: StateBlock, startLine: number, endLine: number): boolean {
  const start = state.bMarks[startLine]!;
  const first = state.src.charCodeAt(start);
  if ((first !== 105 && first !== 101) || state.level > 0 || state.sCount[startLine] !== 0) return false;
  STATEMENT.lastIndex = start;
  if (!STATEMENT.test(state.src)) return false;
  const end = scannerOf(state).statements(start);
  if (end < 0) return false;
  state.line = Math.min(lineOf(state, startLine, end) + 1, endLine);
  state.push("esm", "", 0).map = [startLine, state.line];
  return true;
}

function tags(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (firstCode(state, startLine) !== LESS) return false;
  const scanner = scannerOf(state);
  const { src } = state;
  const start = state.bMarks[startLine]! + state.tShift[startLine]!;
  if (lineText(state, startLine) === undefined || RAW_TAG.test(src.slice(start, start + 10))) return false;
  let at = start;
  while (src.charCodeAt(at) === LESS) {
    const end = scanner.tag(at);
    if (end < 0) {
      scanner.charge(at - start);
      return false;
    }
    at = state.skipSpaces(end);
  }
  const last = lineOf(state, startLine, at);
  // Text behind the tags on their last line makes the whole a paragraph.
  if (last >= endLine || at < state.eMarks[last]!) {
    scanner.charge(at - start);
    return false;
  }
  if (silent) return true;
  state.line = last + 1;
  state.push("jsx", "", 0).map = [startLine, state.line];
  return true;
}

function expression(state: StateBlock, startLine: number, endLine: number): boolean {
  if (firstCode(state, startLine) !== BRACE || lineText(state, startLine) === undefined) return false;
  const scanner = scannerOf(state);
  const start = state.bMarks[startLine]! + state.tShift[startLine]!;
  const end = scanner.braces(start);
  if (end < 0) return false;
  const last = lineOf(state, startLine, end);
  if (last >= endLine || state.skipSpaces(end) < state.eMarks[last]!) {
    scanner.charge(end - start);
    return false;
  }
  state.line = last + 1;
  const kind = COMMENT.test(state.src.slice(start, end)) ? "comment" : "expression";
  state.push(kind, "", 0).map = [startLine, state.line];
  return true;
}

/**
 * MDX has no indented code: indentation only shows what lies in which tag. So a block that is indented by four or
 * more columns is read, with what follows at that indentation, as if it stood at the margin.
 */
function indented(state: StateBlock, startLine: number, endLine: number): boolean {
  const indent = state.sCount[startLine]!;
  if (indent - state.blkIndent < 4) return false;
  const end = endOfIndented(state, startLine, endLine, indent);
  const { blkIndent, lineMax } = state;
  state.blkIndent = indent;
  state.lineMax = end;
  state.level++;
  state.md.block.tokenize(state, startLine, end);
  state.level--;
  state.blkIndent = blkIndent;
  state.lineMax = lineMax;
  state.line = end;
  return true;
}

/** Adds the rules to a parser that has those of `addDialectRules`. */
export function addMdxRules(md: MarkdownIt): void {
  md.block.ruler.before("table", "mdx_statements", statements);
  md.block.ruler.before("table", "mdx_expression", expression);
  md.block.ruler.before("html_block", "mdx_tags", tags, { alt: ["paragraph", "reference", "blockquote"] });
  md.block.ruler.at("code", indented);
}
