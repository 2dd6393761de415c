import type { DocumentChange } from "@docsearch/spec";

/** So many chunks and documents are written in one transaction. It bounds what a write holds in memory. */
const GROUP_SIZE = 4000;

/** Cuts changes into groups, in order. A document is never divided. */
export function changeGroups(changes: readonly DocumentChange[]): DocumentChange[][] {
  const groups: DocumentChange[][] = [];
  let size = GROUP_SIZE;
  for (const change of changes) {
    const own = 1 + (change.type === "replace" ? change.chunks.length : 0);
    if (size + own > GROUP_SIZE) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)!.push(change);
    size += own;
  }
  return groups;
}
