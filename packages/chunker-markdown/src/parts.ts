import type { Range } from "@docsearch/text-split";
import type { BlockTree } from "./block.js";
import { type Hidden, hasTextOutsideTags } from "./hidden.js";
import type { Section } from "./sections.js";

/** What is chunked as one: a section, with the bare sections above it that were merged into it. */
export interface Part extends Range {
  /** The last of the merged sections: it gives the chunks their path. */
  readonly section: Section;
  /** Offset of the first block behind the headings. */
  readonly bodyStart: number;
  /** Indices of the blocks at the root. */
  readonly blocks: readonly number[];
}

/**
 * Makes parts of sections. A section without body text (a heading that a deeper one follows directly, or a head of
 * imports, comments and badges) is merged into the next section if that lies under it. A section that has body text,
 * however short, stands for itself: merging it would hide it behind another heading.
 */
export function mergeBareSections(text: string, tree: BlockTree, sections: readonly Section[], hidden: Hidden): Part[] {
  const { lines } = tree;
  const parts: Part[] = [];
  let blocks: number[] = [];
  let start = lines.start(sections[0]!.startLine);
  for (const [index, section] of sections.entries()) {
    for (const block of section.blocks) blocks.push(block);
    const next = sections[index + 1];
    if (next !== undefined && next.level > section.level && isBare(text, tree, section, hidden)) continue;
    const end = next === undefined ? text.length : lines.start(next.startLine);
    const first = section.level > 0 ? tree.blocks[section.blocks[1] ?? -1] : undefined;
    const bodyStart = section.level === 0 ? start : first === undefined ? end : lines.start(first.startLine);
    parts.push({ section, start, end, bodyStart, blocks });
    blocks = [];
    start = end;
  }
  return parts;
}

function isBare(text: string, tree: BlockTree, section: Section, hidden: Hidden): boolean {
  return section.blocks.every((index) => {
    const block = tree.blocks[index]!;
    switch (block.kind) {
      case "heading":
      case "rule":
      case "definition":
      case "directive":
      case "jsx":
        return true;
      case "html": {
        const { lines } = tree;
        return (
          hidden.blocks.has(index) ||
          !hasTextOutsideTags(text.slice(lines.start(block.startLine), lines.start(block.endLine)))
        );
      }
      default:
        return hidden.blocks.has(index);
    }
  });
}
