import type { Found } from "./findings.js";

const HEADING = /^heading([1-6])$/;

/** Lets a heading of a page reach to the next one of its level or a higher one, as a definition reaches to its end. */
export function withSections(definitions: readonly Found[], end: number): readonly Found[] {
  if (!definitions.some(({ kind }) => kind.startsWith("heading"))) return definitions;
  const levels = definitions.map(({ kind }) => Number(HEADING.exec(kind)?.[1] ?? 0));
  const ends: number[] = [];
  /** Indices of the headings that are still open. */
  const open: number[] = [];
  for (const [index, level] of levels.entries()) {
    if (level === 0) continue;
    while (open.length > 0 && levels[open.at(-1)!]! >= level) ends[open.pop()!] = definitions[index]!.start;
    open.push(index);
  }
  for (const index of open) ends[index] = end;
  return definitions.map((definition, index) =>
    levels[index] === 0 ? definition : { ...definition, kind: "heading", bodyStart: definition.end, end: ends[index]! },
  );
}
