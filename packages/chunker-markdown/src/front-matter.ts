import type { Diagnostic, Metadata } from "@docsearch/spec";
import { parseTomlMapping } from "./toml-mapping.js";
import { parseYamlMapping } from "./yaml-mapping.js";

export interface FrontMatter {
  /** 0-based line behind the closing mark; 0 when there is no front matter. */
  readonly endLine: number;
  /** Absent when the block is malformed: then it is text that belongs to the page. */
  readonly metadata?: Metadata;
  readonly diagnostic?: Diagnostic;
}

const NONE: FrontMatter = { endLine: 0 };
/** In characters. Longer blocks are text, which bounds the work on a page that merely begins with a rule. */
const MAX_LENGTH = 65_536;

const FORMATS = [
  {
    name: "YAML",
    open: /^\uFEFF?---[ \t]*(?:\r\n?|\n)/,
    close: /(?:^|\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/,
    /** Lines at the margin of something that was meant to be a mapping. */
    line: /^(?:["']?[\w$][\w$ ./-]*["']?:(?:\s|$)|- )/,
    first: /^["']?[\w$][\w$ ./-]*["']?:(?:\s|$)/,
    parse: parseYamlMapping,
  },
  {
    name: "TOML",
    open: /^\uFEFF?\+\+\+[ \t]*(?:\r\n?|\n)/,
    close: /(?:^|\r\n?|\n)\+\+\+[ \t]*(?:\r\n?|\n|$)/,
    line: /^(?:[\w."' -]+=|\[|\])/,
    first: /^(?:[\w."' -]+=|\[\[?[\w."' -]+\])/,
    parse: parseTomlMapping,
  },
] as const;

/**
 * Finds front matter: at the start of the text (behind a byte-order mark), with no blank line behind the opening
 * mark, a closing mark, and a mapping between them. A page that begins with a rule has none. A block that looks
 * like a mapping and is none is reported.
 */
export function readFrontMatter(text: string): FrontMatter {
  for (const format of FORMATS) {
    const opening = format.open.exec(text)?.[0];
    if (opening === undefined) continue;
    const source = text.slice(opening.length, opening.length + MAX_LENGTH);
    const closing = format.close.exec(source);
    if (closing === null) return NONE;
    const body = source.slice(0, closing.index).replace(/\r\n?/g, "\n");
    const lines = body.split("\n");
    const content = lines.filter((line) => line.trim() !== "" && !/^\s*#/.test(line));
    if (content.length === 0 || lines[0]!.trim() === "") return NONE;
    const endLine = lines.length + 2;
    const mapping = format.parse(body);
    if (mapping.ok) return { endLine, metadata: mapping.values };
    if (!isMeantAsMapping(lines, content, format)) return NONE;
    const end = text.slice(0, opening.length + closing.index + closing[0].length).trimEnd().length;
    const line = mapping.line + 2;
    return {
      endLine,
      diagnostic: {
        message: `Invalid frontmatter: line ${line} is not valid ${format.name} (${mapping.reason}). The block is kept as text; mend it to have its values as metadata.`,
        span: { startOffset: text.charCodeAt(0) === 0xfeff ? 1 : 0, endOffset: end, startLine: 1, endLine },
      },
    };
  }
  return NONE;
}

/** Whether lines that are no mapping were meant as one: all are entries, or most of them and none is blank. */
function isMeantAsMapping(
  lines: readonly string[],
  content: readonly string[],
  { first, line: entry }: (typeof FORMATS)[number],
): boolean {
  if (!first.test(content[0]!)) return false;
  const atMargin = content.filter((line) => !/^\s/.test(line));
  const others = atMargin.filter((line) => !entry.test(line)).length;
  return others === 0 || (others * 2 < atMargin.length && lines.every((line) => line.trim() !== ""));
}
