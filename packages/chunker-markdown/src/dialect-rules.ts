import type { MarkdownIt, StateBlock } from "markdown-it";

// Rules for what documentation sites add to CommonMark and GFM. Each has markdown-it's signature for block rules:
// it looks at `startLine`; with `silent` it only says whether its block would begin there.

const COLON = 58;
const EXCLAMATION = 33;
const QUESTION = 63;
const EQUALS = 61;
const DOLLAR = 36;
const BRACKET = 91;

const DIRECTIVE = /^:{3,}[ \t]*(?:$|[A-Za-z{[])/;
const ADMONITION = /^(?:!!!|\?\?\?\+?)[ \t]+["'\w]/;
const TAB = /^===[!+]?[ \t]+["']/;
const FOOTNOTE = /^\[\^([^\]\s]{1,999})\]:/;

/** Text of `line` behind its indentation, or `undefined` when it is indented like code. */
export function lineText(state: StateBlock, line: number): string | undefined {
  if (state.sCount[line]! - state.blkIndent >= 4) return undefined;
  return state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]!);
}

/** Code of the first character of `line` behind its indentation. */
export function firstCode(state: StateBlock, line: number): number {
  return state.src.charCodeAt(state.bMarks[line]! + state.tShift[line]!);
}

/** First line from `line` on that holds text and is indented by less than `indent` columns. */
export function endOfIndented(state: StateBlock, line: number, endLine: number, indent: number): number {
  let end = line;
  for (let next = line; next < endLine; next++) {
    if (state.isEmpty(next)) continue;
    if (state.sCount[next]! < indent) break;
    end = next + 1;
  }
  return end;
}

/** `::: name` and `:::`, as in Docusaurus, VitePress and Pandoc. The lines between them stay where they are. */
function directive(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  if (firstCode(state, startLine) !== COLON || !DIRECTIVE.test(lineText(state, startLine) ?? "")) return false;
  if (silent) return true;
  state.line = startLine + 1;
  state.push("directive", "", 0).map = [startLine, state.line];
  return true;
}

/** MkDocs: `!!! note "Title"`, `??? note` or `=== "Tab"` over content that is indented by four columns. */
function indentedContainer(state: StateBlock, startLine: number, endLine: number): boolean {
  const first = firstCode(state, startLine);
  if (first !== EXCLAMATION && first !== QUESTION && first !== EQUALS) return false;
  const text = lineText(state, startLine) ?? "";
  const name = ADMONITION.test(text) ? "admonition" : TAB.test(text) ? "tab" : undefined;
  if (name === undefined) return false;
  const indent = state.blkIndent + 4;
  const end = endOfIndented(state, startLine + 1, endLine, indent);
  state.push(`${name}_open`, "", 1).map = [startLine, end];
  const { blkIndent, lineMax } = state;
  state.blkIndent = indent;
  state.lineMax = end;
  state.md.block.tokenize(state, startLine + 1, end);
  state.blkIndent = blkIndent;
  state.lineMax = lineMax;
  state.line = end;
  state.push(`${name}_close`, "", -1);
  return true;
}

/** GFM: `[^label]: text`, continued by lines that are indented by four columns. */
function footnote(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (firstCode(state, startLine) !== BRACKET) return false;
  const match = FOOTNOTE.exec(lineText(state, startLine) ?? "");
  if (match === null) return false;
  if (silent) return true;
  const [mark, label] = match;
  const env = state.env as { footnotes?: Set<string> };
  env.footnotes ??= new Set();
  env.footnotes.add(label!.toLowerCase());
  const { blkIndent, parentType } = state;
  const bMark = state.bMarks[startLine]!;
  const tShift = state.tShift[startLine]!;
  const sCount = state.sCount[startLine]!;
  state.push("footnote_open", "", 1).map = [startLine, startLine + 1];
  const content = state.skipSpaces(bMark + tShift + mark.length);
  state.bMarks[startLine] = Math.min(content, state.eMarks[startLine]!);
  state.tShift[startLine] = 0;
  state.blkIndent = blkIndent + 4;
  state.sCount[startLine] = state.blkIndent;
  state.parentType = "root";
  state.line = startLine + 1;
  state.md.block.tokenize(state, startLine, endLine);
  if (state.line <= startLine) state.line = startLine + 1;
  state.blkIndent = blkIndent;
  state.parentType = parentType;
  state.bMarks[startLine] = bMark;
  state.tShift[startLine] = tShift;
  state.sCount[startLine] = sCount;
  state.push("footnote_close", "", -1);
  return true;
}

/**
 * `$$` up to a line that ends with `$$`, without a blank line between. It interrupts no paragraph: so a failed
 * search looks only at lines that the paragraph rule takes next, and the time stays linear.
 */
function math(state: StateBlock, startLine: number, endLine: number): boolean {
  if (firstCode(state, startLine) !== DOLLAR) return false;
  const text = lineText(state, startLine)?.trimEnd();
  if (!text?.startsWith("$$")) return false;
  let end = startLine;
  if (text.length < 4 || !text.endsWith("$$")) {
    do {
      end++;
      if (end >= endLine || state.isEmpty(end) || state.sCount[end]! < state.blkIndent) return false;
    } while (!state.src.slice(state.bMarks[end]!, state.eMarks[end]!).trimEnd().endsWith("$$"));
  }
  state.line = end + 1;
  state.push("math_block", "", 0).map = [startLine, state.line];
  return true;
}

/** Adds the rules to a parser. */
export function addDialectRules(md: MarkdownIt): void {
  const interrupting = { alt: ["paragraph", "reference", "blockquote", "list"] };
  md.block.ruler.before("table", "directive", directive, interrupting);
  md.block.ruler.before("code", "indented_container", indentedContainer);
  md.block.ruler.before("code", "math", math);
  md.block.ruler.before("reference", "footnote", footnote, { alt: ["paragraph", "reference"] });
}
