/**
 * Anchors of one document by GitHub's rule: lower case, letters, marks, decimal digits, `_` and `-` kept, blanks to
 * `-`, and a number behind every repetition. Blanks here are those that the folded heading has left.
 */
export class Slugger {
  readonly #seen = new Map<string, number>();

  slug(heading: string): string {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- ]/gu, "")
      .replaceAll(" ", "-");
    return this.unique(slug);
  }

  /** `anchor`, or with the first number that makes it new. */
  unique(anchor: string): string {
    let result = anchor;
    let count = this.#seen.get(anchor) ?? 0;
    while (this.#seen.has(result)) result = `${anchor}-${++count}`;
    this.#seen.set(anchor, count);
    if (result !== anchor) this.#seen.set(result, 0);
    return result;
  }
}
