import type { BlockTree } from "./block.js";

const TAG = /<(\/?)([A-Za-z][\w.:-]*)[^<>]*?(\/?)>/g;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;
const CLOSING_DIRECTIVE = /^\s*:{3,}\s*$/;

/**
 * Groups sibling blocks into units to be kept together: from a tag or directive that opens something to the one that
 * closes it. What is never closed groups nothing.
 */
export function siblingUnits(text: string, tree: BlockTree, indices: readonly number[]): number[][] {
  const units: number[][] = [];
  let first = 0;
  let depth = 0;
  for (const index of indices) {
    const change = nesting(text, tree, index);
    if (depth === 0) first = units.length;
    units.push([index]);
    depth = Math.max(0, depth + change);
    if (depth === 0 && units.length - first > 1) units.push(units.splice(first).flat());
  }
  return units;
}

/** How many containers the block opens, less those that it closes. */
function nesting(text: string, tree: BlockTree, index: number): number {
  const block = tree.blocks[index]!;
  if (block.kind !== "directive" && block.kind !== "jsx" && block.kind !== "html") return 0;
  const source = text.slice(tree.lines.start(block.startLine), tree.lines.start(block.endLine));
  if (block.kind === "directive") return CLOSING_DIRECTIVE.test(source) ? -1 : 1;
  let change = 0;
  for (const [, slash, name, selfClosing] of source.matchAll(TAG)) {
    if (selfClosing === "" && !VOID.test(name!)) change += slash === "" ? 1 : -1;
  }
  return change;
}
