import type { OutlineEntry } from "@docsearch/spec";
import { Slugger } from "@docsearch/text-split";
import type { Block, BlockTree } from "./block.js";
import type { ReadHeading } from "./heading-text.js";

/** A heading and what follows it, up to the next heading of any level. */
export interface Section {
  /** 0 for the text above the first heading. */
  readonly level: number;
  /** Empty for a heading without text, which belongs to no path. */
  readonly heading: string;
  readonly path: readonly string[];
  /** Of the nearest heading that has text. */
  readonly anchor?: string;
  readonly startLine: number;
  /** Indices of the section's blocks at the root: the heading first. */
  readonly blocks: readonly number[];
}

export interface Structure {
  readonly sections: readonly Section[];
  readonly outline: readonly OutlineEntry[];
}

interface Ancestor {
  readonly level: number;
  readonly path: readonly string[];
  readonly anchor?: string;
  readonly entry?: number;
}

/**
 * Cuts a document at its headings. Only headings at the root count: those in quotes, lists and other containers
 * open no section. A heading lies under the nearest one above it that has a smaller level, whatever the gap.
 */
export function readStructure(tree: BlockTree, firstLine: number, readHeading: ReadHeading): Structure {
  const outline: OutlineEntry[] = [];
  const sections: Section[] = [];
  const slugger = new Slugger();
  const ancestors: Ancestor[] = [{ level: 0, path: [] }];
  let blocks: number[] = [];
  sections.push({ level: 0, heading: "", path: [], startLine: firstLine, blocks });

  const open = (block: Block): void => {
    while (ancestors.length > 1 && ancestors.at(-1)!.level >= block.level) ancestors.pop();
    const above = ancestors.at(-1)!;
    const { text: heading, id } = readHeading(block.text);
    const anchor = heading === "" ? above.anchor : id === undefined ? slugger.slug(heading) : slugger.unique(id);
    const path = heading === "" ? above.path : [...above.path, heading];
    let entry = above.entry;
    if (heading !== "") {
      entry = outline.length;
      outline.push({
        heading,
        level: block.level,
        anchor: anchor!,
        line: block.startLine + 1,
        ...(above.entry === undefined ? {} : { parent: above.entry }),
      });
    }
    const known = { ...(anchor === undefined ? {} : { anchor }) };
    ancestors.push({ level: block.level, path, ...known, ...(entry === undefined ? {} : { entry }) });
    blocks = [];
    sections.push({ level: block.level, heading, path, ...known, startLine: block.startLine, blocks });
  };

  for (let index = 0; index < tree.blocks.length; index = tree.blocks[index]!.next) {
    const block = tree.blocks[index]!;
    if (block.kind === "heading") open(block);
    blocks.push(index);
  }
  return { sections, outline };
}
