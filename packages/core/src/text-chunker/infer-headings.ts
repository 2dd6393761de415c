import type { HeadingStyle, TextBlock, TextHeading } from "./block.js";
import { isCapitals } from "./layout.js";
import { follows, type NumberedLine, readNumber } from "./numbering.js";
import { hasDate } from "./releases.js";
import type { TextLines } from "./text-lines.js";

const MAX_LENGTH = 80;
const MAX_WORDS = 12;
const CHAPTER =
  /^(part|book|volume|act|chapter|section|article|appendix|annex|scene)\s+(?:[IVXLC]+|\d{1,3}|[A-Z])\b(.*)$/i;
const PARTS: ReadonlySet<string> = new Set(["part", "book", "volume", "act"]);
/** Dots that lead to a page number, the gap between two columns, the marks of data. */
const TABLE = /\.{4,}|(?:\. ){3,}|\S {3,}\S|[\t;={}|<>[\]]/;
const LETTER = /\p{L}/u;
const BEGINS = /^[\p{Lu}\p{Lt}\p{Lo}\p{N}"'“‘«([`]/u;
/** Styles that are told by marks and count wherever they stand. */
const MARKED: ReadonlySet<HeadingStyle> = new Set(["wiki", "underlined", "release", "subject"]);
/** Text that comes so often alone on a line is the head or foot of pages. */
const PAGE_FURNITURE = 3;

/**
 * The blocks with the lines that are headings by their layout alone turned into headings. They are taken for headings
 * only where the document as a whole speaks for it: at least two of a style, none of them without text under it,
 * numbers in sequence, and no more than one heading that is marked as such. A false heading is worse than none.
 */
export function inferHeadings(lines: TextLines, blocks: readonly TextBlock[], body: number): TextBlock[] {
  const marked = withoutLoneReleases(blocks);
  const count = marked.filter(({ heading }) => heading !== undefined && MARKED.has(heading.style)).length;
  if (count > 1 || marked.some(({ heading }) => heading?.style === "subject")) return withRuleLevels(marked);
  const candidates = marked.map((block, index) => readCandidate(lines, block, marked[index + 1], body));
  const chosen = commonOnes(inSequence(withText(candidates), marked));
  const inferred = marked.map((block, index): TextBlock => {
    const heading = chosen[index]?.heading;
    const { startLine, endLine } = block;
    return heading === undefined ? block : { kind: "heading", startLine, endLine, heading };
  });
  return withRuleLevels(inferred);
}

interface Candidate {
  readonly heading: TextHeading;
  readonly number?: NumberedLine["number"];
}

type Candidates = readonly (Candidate | undefined)[];

/** One version on a line of its own is no changelog, and several without text between them are a list. */
function withoutLoneReleases(blocks: readonly TextBlock[]): TextBlock[] {
  const isRelease = (block: TextBlock | undefined): boolean => block?.heading?.style === "release";
  const heads = blocks.filter((block, index) => isRelease(block) && !isRelease(blocks[index + 1]));
  if (heads.length > 1) return [...blocks];
  return blocks.map((block): TextBlock => {
    const { startLine, endLine } = block;
    return isRelease(block) ? { kind: "paragraph", startLine, endLine } : block;
  });
}

/** The block as a heading, if it is one line that looks like one and something follows that may stand under it. */
function readCandidate(
  lines: TextLines,
  { kind, startLine, endLine }: TextBlock,
  next: TextBlock | undefined,
  body: number,
): Candidate | undefined {
  if (kind === "heading" || kind === "code" || endLine > startLine + 1 || next === undefined) return undefined;
  // The last line of a page is its foot.
  if (lines.startsPage(next.startLine)) return undefined;
  const content = lines.content(startLine);
  const indent = lines.indent(startLine);
  if (content.length > MAX_LENGTH || content.split(/\s+/).length > MAX_WORDS || indent > body) return undefined;
  const heading = (style: HeadingStyle, depth: number): TextHeading => {
    return { text: content.replace(/\s+/g, " ").replace(/:$/, ""), line: startLine, style, depth };
  };
  const chapter = CHAPTER.exec(content);
  if (chapter !== null) {
    const style = PARTS.has(chapter[1]!.toLowerCase()) ? "part" : "chapter";
    return BEGINS.test(content) && isChapterTitle(chapter[2]!) ? { heading: heading(style, 1) } : undefined;
  }
  const numbered = readNumber(content);
  if (numbered !== undefined) {
    // What stands further to the right than the body belongs to an item of a list.
    const isItem = lines.indent(next.startLine) > Math.max(body, indent);
    if (isItem || !isTitle(numbered.text) || content.endsWith(":") || hasDate(content)) return undefined;
    return { heading: heading(numbered.style, numbered.number.length), number: numbered.number };
  }
  // The first line of a page is its head.
  if (lines.startsPage(startLine) || !isTitle(content) || /[!?]$/.test(content)) return undefined;
  const isOutdented = indent < body && lines.indent(next.startLine) >= body && !content.endsWith(":");
  if (isOutdented) return { heading: heading("outdented", indent + 1) };
  return isCapitals(content) ? { heading: heading("capitals", 1) } : undefined;
}

/** What follows "Chapter 3": nothing, or a title, which may end with a full stop. */
function isChapterTitle(rest: string): boolean {
  const title = rest.replace(/^[\s.:–—-]+/, "");
  return title === "" || (title !== rest && isTitle(title.replace(/\.$/, "")));
}

function isTitle(text: string): boolean {
  return BEGINS.test(text) && LETTER.test(text) && !/[.,;]$/.test(text) && !TABLE.test(text);
}

/**
 * Without those that are followed by another of their kind at once: these are items of a list or of contents. Only the
 * first line of the text may stand above one: it is a title then.
 */
function withText(candidates: Candidates): Candidates {
  const isSame = (a: Candidate | undefined, b: Candidate | undefined): boolean =>
    a !== undefined && b !== undefined && a.heading.style === b.heading.style && a.heading.depth === b.heading.depth;
  return candidates.map((candidate, index) =>
    (index > 1 && isSame(candidate, candidates[index - 1])) || isSame(candidate, candidates[index + 1])
      ? undefined
      : candidate,
  );
}

/** Without numbers that do not follow the one before. Numbers begin anew behind a heading of another style. */
function inSequence(candidates: Candidates, blocks: readonly TextBlock[]): Candidates {
  const last: { numbered?: readonly number[]; roman?: readonly number[] } = {};
  return candidates.map((candidate, index) => {
    if (blocks[index]!.heading !== undefined) delete last.numbered;
    if (candidate?.number === undefined) {
      if (candidate !== undefined) delete last.numbered;
      return candidate;
    }
    const style = candidate.heading.style === "roman" ? "roman" : "numbered";
    if (!follows(last[style], candidate.number)) return undefined;
    last[style] = candidate.number;
    if (style === "roman") delete last.numbered;
    return candidate;
  });
}

/** Those whose style comes at least twice, and whose text comes less often than the heads and feet of pages. */
function commonOnes(candidates: Candidates): Candidates {
  const counts = new Map<string, number>();
  const count = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    count(candidate.heading.style);
    count(`${candidate.heading.style} ${candidate.heading.text}`);
  }
  return candidates.map((candidate) => {
    if (candidate === undefined) return undefined;
    const { style, text } = candidate.heading;
    return counts.get(style)! > 1 && counts.get(`${style} ${text}`)! < PAGE_FURNITURE ? candidate : undefined;
  });
}

/** Underlined headings of one kind of rule are of one level; a kind is deeper than those that came before it. */
function withRuleLevels(blocks: readonly TextBlock[]): TextBlock[] {
  const rules: string[] = [];
  return blocks.map((block) => {
    const rule = block.heading?.rule;
    if (rule === undefined) return block;
    if (!rules.includes(rule)) rules.push(rule);
    return { ...block, heading: { ...block.heading!, depth: rules.indexOf(rule) + 1 } };
  });
}
