import type { SearchResult } from "@docsearch/core";
import type { Grades } from "./metrics.js";
import type { ResolvedTarget } from "./targets.js";

/** A list of results in the form that metrics take. */
export interface JudgedList {
  readonly ranked: readonly string[];
  readonly grades: Grades;
}

/**
 * Documents, each once, by their best chunk. Several targets in one document are one, of the highest grade; a target
 * that the index does not have still counts as one that was not found.
 */
export function judgeDocuments(results: readonly SearchResult[], targets: readonly ResolvedTarget[]): JudgedList {
  const keyOf = new Map<string, string>();
  const grades = new Map<string, number>();
  for (const [index, { documentIds, grade }] of targets.entries()) {
    const [first = `missing ${index}`] = documentIds;
    const key = keyOf.get(first) ?? first;
    for (const id of documentIds) keyOf.set(id, key);
    grades.set(key, Math.max(grade, grades.get(key) ?? 0));
  }
  return { ranked: results.map(({ document: { id } }) => keyOf.get(id) ?? id), grades };
}

/**
 * Chunks, each standing for the target that it matches: of several, the one of the highest grade that no chunk
 * before it stands for. A second chunk of one section is a repetition, not a second answer.
 */
export function judgeSections(results: readonly SearchResult[], targets: readonly ResolvedTarget[]): JudgedList {
  const grades = new Map(targets.map(({ grade }, index) => [targetKey(index), grade]));
  const order = targets
    .map((target, index) => ({ target, key: targetKey(index) }))
    .sort((a, b) => b.target.grade - a.target.grade);
  const taken = new Set<string>();
  const ranked = results.map(({ chunk, adjacent = [] }) => {
    const fitting = order.filter(
      ({ target }) =>
        target.documentIds.has(chunk.documentId) && [chunk, ...adjacent].some((one) => target.matches?.(one) ?? true),
    );
    const key = (fitting.find((candidate) => !taken.has(candidate.key)) ?? fitting[0])?.key;
    if (key === undefined) return chunk.id;
    taken.add(key);
    return key;
  });
  return { ranked, grades };
}

/** Cannot be a chunk's id. */
function targetKey(index: number): string {
  return `target ${index}`;
}
