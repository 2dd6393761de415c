import type { TextBlock } from "./block.js";
import { isReleaseHead } from "./releases.js";
import type { TextLines } from "./text-lines.js";

const MAX_LENGTH = 120;
const RULE = /^(?:([=\-~^*#+_])\1{2,}|(["'`:.])\2{3,})$/;
/** A rule under a heading is not much shorter than the heading. */
const LEAST_RULE = 0.8;
const RULE_TOLERANCE = 2;
/** Equal marks on both sides, as wikis write them; some exports have blanks between the marks. */
const WIKI = /^(=(?: ?=){0,5})( ?)([\p{L}\p{N}"'“‘«(].*?) ?\1$/u;
const LETTER = /\p{L}/u;

/** The heading that begins at `start`, before `end`: a line above a rule of one repeated mark, or between two. */
export function readUnderlined(lines: TextLines, start: number, end: number): TextBlock | undefined {
  const first = RULE.exec(lines.content(start));
  const line = first === null ? start : start + 1;
  if (line + 1 >= end) return undefined;
  const text = lines.content(line);
  const rule = RULE.exec(lines.content(line + 1));
  if (rule === null || (first !== null && first[0] !== rule[0])) return undefined;
  if (!isTitleLike(text) || rule[0].length < text.length * LEAST_RULE) return undefined;
  return {
    kind: "heading",
    startLine: start,
    endLine: line + 2,
    heading: {
      text: text.replace(/\s+/g, " "),
      line,
      style: "underlined",
      depth: 1,
      rule: `${first === null ? "" : "double "}${rule[0][0]}`,
    },
  };
}

/** The same within lines of text: only a double rule of the heading's own length is clear enough there. */
export function readDoubleRuled(lines: TextLines, start: number, end: number): TextBlock | undefined {
  if (start + 1 >= end || lines.content(start + 1)[0] !== "=") return undefined;
  const excess = lines.width(start + 1) - lines.width(start);
  // Without a letter it may be a sum under its numbers.
  const isClear = Math.abs(excess) <= RULE_TOLERANCE && LETTER.test(lines.content(start));
  return isClear ? readUnderlined(lines, start, end) : undefined;
}

/** The heading of a line such as `== Heading ==`. */
export function readWiki(lines: TextLines, line: number): TextBlock | undefined {
  const content = lines.content(line);
  if (content[0] !== "=" || content.length > MAX_LENGTH) return undefined;
  const match = WIKI.exec(content);
  if (match === null || !LETTER.test(match[3]!)) return undefined;
  const depth = match[1]!.replaceAll(" ", "").length;
  // A single mark is too common to do without blanks around the text.
  if (depth === 1 && match[2] === "") return undefined;
  return {
    kind: "heading",
    startLine: line,
    endLine: line + 1,
    heading: { text: match[3]!.replace(/\s+/g, " ").trim(), line, style: "wiki", depth },
  };
}

/** Text above a rule has letters or is a version. It is no heading when it ends like a sentence or has the gaps of a table's columns. */
function isTitleLike(text: string): boolean {
  return (
    text.length <= MAX_LENGTH &&
    (LETTER.test(text) || isReleaseHead(text)) &&
    !/[.,;]$/.test(text) &&
    !/\S {3,}\S|\t/.test(text) &&
    !RULE.test(text)
  );
}
