/** Results that are waited for in the order in which their work was begun, a bounded number at a time. */
export class AheadQueue<R> {
  readonly #maxItems: number;
  readonly #maxBytes: number;
  readonly #begun: { readonly result: Promise<R>; readonly bytes: number }[] = [];
  #bytes = 0;

  /**
   * @param maxItems items in work or waiting to be taken
   * @param maxBytes their bytes together, above which no further item is begun
   */
  constructor(maxItems: number, maxBytes: number) {
    this.#maxItems = maxItems;
    this.#maxBytes = maxBytes;
  }

  get isFull(): boolean {
    return this.#begun.length >= this.#maxItems || this.#bytes >= this.#maxBytes;
  }

  get isEmpty(): boolean {
    return this.#begun.length === 0;
  }

  push(result: Promise<R>, bytes: number): void {
    this.#begun.push({ result, bytes });
    this.#bytes += bytes;
  }

  /** The first result. The queue must not be empty. */
  shift(): Promise<R> {
    const { result, bytes } = this.#begun.shift() as { result: Promise<R>; bytes: number };
    this.#bytes -= bytes;
    return result;
  }

  /** Resolves when all work has ended, whatever came of it. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#begun.map(({ result }) => result));
  }
}
