import type { OutlineEntry } from "@docsearch/spec";
import { type Lines, Slugger } from "@docsearch/text-split";
import { type Definition, isSection } from "./definition.js";

export interface Outline {
  readonly entries: readonly OutlineEntry[];
  /** Anchor by index of the definition; of a section that of what is around it. */
  readonly anchors: readonly (string | undefined)[];
}

/** Levels of an outline. What lies deeper is on the last one. */
const LEVELS = 6;

/** The definitions as an outline. Anchors are qualified names, with a counter behind those that come again. */
export function outlineOf(definitions: readonly Definition[], lines: Lines): Outline {
  const entries: OutlineEntry[] = [];
  const anchors: (string | undefined)[] = [];
  /** Index in the outline by index of the definition; of a section that of what is around it. */
  const places: number[] = [];
  const slugger = new Slugger();
  for (const [index, definition] of definitions.entries()) {
    const around = places[definition.parent] ?? -1;
    if (isSection(definition)) {
      places[index] = around;
      anchors[index] = anchors[definition.parent];
      continue;
    }
    const anchor = slugger.unique(definition.path.join("."));
    const level = Math.min((entries[around]?.level ?? 0) + 1, LEVELS);
    let parent = around;
    while (parent >= 0 && entries[parent]!.level >= level) parent = entries[parent]!.parent ?? -1;
    places[index] = entries.length;
    anchors[index] = anchor;
    entries.push({
      heading: definition.name,
      level,
      anchor,
      line: lines.at(definition.coreStart) + 1,
      endLine: lines.at(definition.coreEnd - 1) + 1,
      kind: definition.kind,
      ...(parent >= 0 && { parent }),
    });
  }
  return { entries, anchors };
}
