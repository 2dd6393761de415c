import type { ChunkDraft, Metadata, Zone } from "@docsearch/spec";
import { type Budget, clip, type Range, RangeCursor, trimRange } from "@docsearch/text-split";
import type { BlockTree } from "./block.js";
import type { Hidden } from "./hidden.js";
import { findLinks, type LinkAt } from "./links.js";
import type { Section } from "./sections.js";
import { standaloneText } from "./standalone.js";
import { closingLine } from "./wraps.js";

const NO_METADATA: Metadata = {};
const LANGUAGE = /^(?:`{3,}|~{3,})(?![`~])\s*(?:\{\s*)?\.?([^\s{},;:]+)/;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface CodeBlock extends Range {
  /** Without the fences. */
  readonly content: Range;
  readonly language?: string;
}

/** Makes chunks of the pieces of one document, which must come in order. */
export class DraftWriter {
  readonly #text: string;
  readonly #tree: BlockTree;
  readonly #code: RangeCursor<CodeBlock>;
  readonly #hidden: RangeCursor<Range>;
  readonly #links: RangeCursor<LinkAt>;

  constructor(text: string, tree: BlockTree, hidden: Hidden) {
    this.#text = text;
    this.#tree = tree;
    this.#code = new RangeCursor(codeBlocks(text, tree));
    this.#hidden = new RangeCursor(hidden.ranges);
    this.#links = new RangeCursor(findLinks(text, tree, hidden));
  }

  /** The chunk of `piece`; `undefined` when that holds blanks only. `starts`: it carries the section's heading. */
  write(piece: Range, section: Section, starts: boolean, budget: Budget): ChunkDraft | undefined {
    const span = trimRange(this.#text, piece);
    if (span === undefined) return undefined;
    const hidden = this.#hidden.overlapping(span).map((range) => clip(range, span));
    const [before, after] = [budget.before(span.start), budget.after(span.end)];
    const standalone = standaloneText(this.#text, span, hidden, before, after);
    const code = this.#code.overlapping(span);
    const language = code[0] !== undefined && isWithin(span, code[0]) ? code[0].language : undefined;
    const zones = code
      .map(({ content }) => toZone(clip(content, span)))
      .filter(({ startOffset, endOffset }) => startOffset < endOffset);
    const links = this.#links.overlapping(span);
    const draft: Writable<ChunkDraft> = {
      text: this.#text.slice(span.start, span.end),
      span: this.#tree.lines.span(span),
      headingPath: section.path,
      metadata: NO_METADATA,
    };
    if (section.anchor !== undefined) draft.anchor = section.anchor;
    // Of a piece that is hidden as a whole only the heading is shown; without a heading the piece itself.
    if (standalone) draft.standaloneText = standalone;
    else if (
      standalone === "" &&
      section.heading !== "" &&
      section.heading !== draft.text &&
      budget.admits(section.heading)
    )
      draft.standaloneText = section.heading;
    if (language !== undefined) draft.language = language;
    if (links.length > 0) draft.links = links.map(({ link }) => link);
    if (zones.length > 0) draft.zones = zones;
    if (!starts) draft.startsSection = false;
    return draft;
  }
}

function isWithin(inner: Range, outer: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function toZone({ start, end }: Range): Zone {
  return { kind: "code", startOffset: start, endOffset: end };
}

function codeBlocks(text: string, tree: BlockTree): CodeBlock[] {
  const { lines } = tree;
  return tree.blocks
    .filter(({ kind }) => kind === "fence" || kind === "indented" || kind === "esm")
    .map((block) => {
      const start = lines.start(block.startLine);
      const end = lines.start(block.endLine);
      if (block.kind !== "fence") return { start, end, content: { start, end } };
      const content = { start: lines.start(block.startLine + 1), end: lines.start(closingLine(text, lines, block)) };
      const language = LANGUAGE.exec(block.text)?.[1]?.toLowerCase();
      return { start, end, content, ...(language === undefined ? {} : { language }) };
    });
}
