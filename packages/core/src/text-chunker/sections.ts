import type { OutlineEntry } from "@docsearch/spec";
import { Slugger } from "@docsearch/text-split";
import type { HeadingStyle, TextBlock, TextHeading } from "./block.js";

/** What is chunked as one: a heading and what follows it, with the bare headings directly above. */
export interface TextSection {
  readonly path: readonly string[];
  /** Of the nearest heading. */
  readonly anchor?: string;
  readonly blocks: readonly TextBlock[];
  /** Number of blocks at the start that are headings. */
  readonly headings: number;
}

export interface TextStructure {
  readonly sections: readonly TextSection[];
  readonly outline: readonly OutlineEntry[];
}

/** Styles from the top of a text down; those that are not named here are of one rank. */
const RANKS: Partial<Record<HeadingStyle, number>> = { title: 0, subject: 0, part: 1, chapter: 2, roman: 3 };
const OTHER_RANK = 4;
const DEEPEST_LEVEL = 6;

interface Ancestor {
  readonly level: number;
  readonly path: readonly string[];
  readonly anchor?: string;
  readonly entry?: number;
}

/**
 * Cuts a text at its headings. Which styles are under which is not known, so only those of which it is certain are
 * nested: depths of numbers and rules, and what is numbered under chapters and parts, and all of it under the title.
 */
export function readTextStructure(blocks: readonly TextBlock[]): TextStructure {
  const levelOf = levels(blocks);
  const slugger = new Slugger();
  const outline: OutlineEntry[] = [];
  const sections: TextSection[] = [];
  const ancestors: Ancestor[] = [{ level: 0, path: [] }];
  let open: { path: readonly string[]; anchor?: string; blocks: TextBlock[]; headings: number; level: number } = {
    path: [],
    blocks: [],
    headings: 0,
    level: 0,
  };
  const close = (): void => {
    const { level: _level, ...section } = open;
    if (section.blocks.length > 0) sections.push(section);
  };

  for (const block of blocks) {
    const { heading } = block;
    if (heading === undefined) {
      open.blocks.push(block);
      continue;
    }
    const level = levelOf(heading);
    while (ancestors.length > 1 && ancestors.at(-1)!.level >= level) ancestors.pop();
    const above = ancestors.at(-1)!;
    const anchor = slugger.slug(heading.text);
    const path = [...above.path, heading.text];
    outline.push({
      heading: heading.text,
      level,
      anchor,
      line: heading.line + 1,
      ...(above.entry !== undefined && { parent: above.entry }),
    });
    ancestors.push({ level, path, anchor, entry: outline.length - 1 });
    // A heading that a deeper one follows at once joins the section under it.
    const isBare = open.blocks.length > 0 && open.blocks.length === open.headings && open.level < level;
    if (isBare) open = { ...open, path, anchor, level };
    else {
      close();
      open = { path, anchor, blocks: [], headings: 0, level };
    }
    open.blocks.push(block);
    if (block.kind === "heading") open.headings++;
  }
  close();
  return { sections, outline };
}

/** Levels from 1, without gaps, by rank. */
function levels(blocks: readonly TextBlock[]): (heading: TextHeading) => number {
  const rankOf = ({ style, depth }: TextHeading): number => RANKS[style] ?? OTHER_RANK + depth - 1;
  const ranks = new Set<number>();
  for (const { heading } of blocks) if (heading !== undefined) ranks.add(rankOf(heading));
  const ordered = [...ranks].sort((a, b) => a - b);
  return (heading) => Math.min(ordered.indexOf(rankOf(heading)) + 1, DEEPEST_LEVEL);
}
