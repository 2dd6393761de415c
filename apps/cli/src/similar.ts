/**
 * Whether one name may be a slip of the other: at most a third of its letters were changed, left out, added or swapped
 * with the next. What is further off is another word, and a suggestion that would only mislead.
 */
export function isSimilar(a: string, b: string): boolean {
  return distance(a, b) <= Math.max(1, Math.floor(Math.max(a.length, b.length) / 3));
}

/** Optimal string alignment distance: a Levenshtein distance that counts a swap of neighbours as one step. */
function distance(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const steps = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost];
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        steps.push((beforeLast[j - 2] ?? Number.POSITIVE_INFINITY) + 1);
      row.push(Math.min(...steps));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
