/** The chunks or documents that hold one term, each with its saturated frequency. */
export class Holders {
  length = 0;
  indexes: Int32Array = new Int32Array(0);
  values: Float64Array = new Float64Array(0);

  begin(capacity: number): void {
    this.length = 0;
    if (capacity <= this.indexes.length) return;
    this.indexes = new Int32Array(capacity * 2);
    this.values = new Float64Array(capacity * 2);
  }

  /** A copy that takes no more memory than it needs. */
  copy(): Holders {
    const copy = new Holders();
    copy.length = this.length;
    copy.indexes = this.indexes.slice(0, this.length);
    copy.values = this.values.slice(0, this.length);
    return copy;
  }

  /**
   * Adds the term's part to the scores of those that hold it. Returns the part without its saturated frequency.
   *
   * @param units number of chunks or documents in all: N; those that are held here are n
   */
  addScores(scores: Float64Array, units: number, weight: number): number {
    const { length, indexes, values } = this;
    const factor = weight * Math.log(1 + (units - length + 0.5) / (length + 0.5));
    for (let i = 0; i < length; i++) {
      const index = indexes[i]!;
      scores[index] = scores[index]! + factor * values[i]!;
    }
    return factor;
  }

  /** Sets `marks` to 1 for those that hold the term. */
  mark(marks: Uint8Array): void {
    const { length, indexes } = this;
    for (let i = 0; i < length; i++) marks[indexes[i]!] = 1;
  }
}

/** What holds one term. */
export interface TermHolders {
  readonly chunks: Holders;
  readonly documents: Holders;
}

/** Bytes of an entry of `Holders`. */
const ENTRY_BYTES = 12;
/** Terms with fewer entries are found fast enough without a cache. */
const LEAST_ENTRIES = 1024;

/**
 * The holders of frequent terms, those used last. Questions have the same few frequent words, and these take most of
 * the time: decoding and weighing 60,000 entries takes 2 ms, adding them up .1 ms.
 */
export class HoldersCache {
  readonly #terms = new Map<string, TermHolders>();
  #bytes = 0;
  #capacity = 0;

  /** Forgets everything. @param capacity most bytes from now on */
  clear(capacity: number): void {
    this.#terms.clear();
    this.#bytes = 0;
    this.#capacity = capacity;
  }

  get(term: string): TermHolders | undefined {
    const holders = this.#terms.get(term);
    if (holders === undefined) return undefined;
    // Behind all others: the first one is that which was used the longest time ago.
    this.#terms.delete(term);
    this.#terms.set(term, holders);
    return holders;
  }

  /** Keeps a copy, if the term is frequent. */
  add(term: string, { chunks, documents }: TermHolders): void {
    if (chunks.length < LEAST_ENTRIES) return;
    const holders = { chunks: chunks.copy(), documents: documents.copy() };
    this.#bytes += bytesOf(holders);
    this.#terms.set(term, holders);
    for (const [oldest, { chunks: c, documents: d }] of this.#terms) {
      if (this.#bytes <= this.#capacity) return;
      this.#terms.delete(oldest);
      this.#bytes -= bytesOf({ chunks: c, documents: d });
    }
  }
}

function bytesOf({ chunks, documents }: TermHolders): number {
  return (chunks.length + documents.length) * ENTRY_BYTES;
}
