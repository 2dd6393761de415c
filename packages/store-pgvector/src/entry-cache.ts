/** Room for the entries of some hundred frequent terms of a large index. */
const CAPACITY_BYTES = 64 * 1024 * 1024;

/** Remembers the entries of terms as long as nothing is written. Those that were not used for longest go first. */
export class EntryCache {
  readonly #entries = new Map<string, Uint8Array>();
  #bytes = 0;
  #stamp = "";

  /** Forgets everything that belongs to another state of the index. */
  begin(stamp: string): void {
    if (stamp === this.#stamp) return;
    this.#entries.clear();
    this.#bytes = 0;
    this.#stamp = stamp;
  }

  get(term: string): Uint8Array | undefined {
    const entries = this.#entries.get(term);
    if (entries === undefined) return undefined;
    this.#entries.delete(term);
    this.#entries.set(term, entries);
    return entries;
  }

  /** @param stamp state of the index that the entries were read from */
  add(stamp: string, term: string, entries: Uint8Array): void {
    if (stamp !== this.#stamp || this.#entries.has(term)) return;
    this.#entries.set(term, entries);
    this.#bytes += entries.length;
    for (const [oldest, { length }] of this.#entries) {
      if (this.#bytes <= CAPACITY_BYTES) return;
      this.#entries.delete(oldest);
      this.#bytes -= length;
    }
  }
}
