/** Half-open range of characters of one document. */
export interface CharacterRange {
  readonly documentId: string;
  readonly startOffset: number;
  readonly endOffset: number;
}

export interface CharacterOverlap {
  /** Share of the reference characters that were returned. */
  readonly recall: number;
  /** Share of the returned characters that are reference characters. */
  readonly precision: number;
  /** Characters in both, divided by characters in either: intersection over union. */
  readonly iou: number;
}

/**
 * How well returned chunks cover the passages that answer a question, counted in characters. A character that was
 * returned twice, by chunks that overlap, counts twice among the returned ones: it takes up the reader's room twice.
 *
 * Source: Smith and Troynikov, Evaluating Chunking Strategies for Retrieval, Chroma, 2024. 0 where a share has
 * nothing to divide by.
 */
export function characterOverlap(
  returned: readonly CharacterRange[],
  references: readonly CharacterRange[],
): CharacterOverlap {
  const wanted = union(references);
  const given = union(returned);
  const common = size(
    wanted.flatMap((range) =>
      given.flatMap((other) => {
        const startOffset = Math.max(range.startOffset, other.startOffset);
        const endOffset = Math.min(range.endOffset, other.endOffset);
        return range.documentId === other.documentId && startOffset < endOffset
          ? [{ documentId: range.documentId, startOffset, endOffset }]
          : [];
      }),
    ),
  );
  const total = size(returned);
  return {
    recall: share(common, size(wanted)),
    precision: share(common, total),
    iou: share(common, size(wanted) + total - common),
  };
}

/** The same characters in ranges that do not touch. */
function union(ranges: readonly CharacterRange[]): CharacterRange[] {
  const sorted = [...ranges].sort((a, b) =>
    a.documentId === b.documentId ? a.startOffset - b.startOffset : a.documentId < b.documentId ? -1 : 1,
  );
  const merged: CharacterRange[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last?.documentId === range.documentId && range.startOffset <= last.endOffset) {
      merged[merged.length - 1] = { ...last, endOffset: Math.max(last.endOffset, range.endOffset) };
    } else merged.push(range);
  }
  return merged;
}

function size(ranges: readonly CharacterRange[]): number {
  return ranges.reduce((sum, { startOffset, endOffset }) => sum + endOffset - startOffset, 0);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
