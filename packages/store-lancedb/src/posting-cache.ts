import type { SegmentPostings } from "./bm25f.js";

/** Room for the postings of some hundred frequent terms of a large index. */
const CAPACITY_BYTES = 64 * 1024 * 1024;

/** Remembers the postings of terms as long as nothing is written. Those that were not used for longest go first. */
export class PostingCache {
  readonly #postings = new Map<string, readonly SegmentPostings[]>();
  #bytes = 0;
  #state: object | undefined;

  /** Forgets everything that belongs to another state of the index. */
  begin(state: object): void {
    if (state === this.#state) return;
    this.#postings.clear();
    this.#bytes = 0;
    this.#state = state;
  }

  get(term: string): readonly SegmentPostings[] | undefined {
    const postings = this.#postings.get(term);
    if (postings === undefined) return undefined;
    this.#postings.delete(term);
    this.#postings.set(term, postings);
    return postings;
  }

  /** @param state of the index that the postings were read from */
  add(state: object, term: string, postings: readonly SegmentPostings[]): void {
    if (state !== this.#state || this.#postings.has(term)) return;
    this.#postings.set(term, postings);
    this.#bytes += sizeOf(postings);
    for (const [oldest, held] of this.#postings) {
      if (this.#bytes <= CAPACITY_BYTES) return;
      this.#postings.delete(oldest);
      this.#bytes -= sizeOf(held);
    }
  }
}

function sizeOf(postings: readonly SegmentPostings[]): number {
  return postings.reduce((size, { bytes }) => size + bytes.length, 0);
}
