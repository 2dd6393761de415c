/** So many commits after which the index is worth tidying up, beside the writes that follow. */
const MANY_COMMITS = 64;

/** The same when a writer ends, where nothing waits. */
const SOME_COMMITS = 16;
const SOME_CHUNKS = 1000;

/** Decides when an index is tidied up, and does so beside the writes. */
export class Upkeep {
  readonly #maintain: (signal?: AbortSignal) => Promise<void>;
  /** Ends `#running` between two of its steps. */
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  /** Since the last time. */
  #commits = 0;
  #written = 0;

  constructor(maintain: (signal?: AbortSignal) => Promise<void>) {
    this.#maintain = maintain;
  }

  /** Counts a commit, and begins maintenance that nothing waits for after many of them. */
  count(chunks: number): void {
    this.#commits++;
    this.#written += chunks;
    if (this.#commits < MANY_COMMITS || this.#running !== undefined || this.#closing.signal.aborted) return;
    this.#commits = 0;
    this.#running = this.#maintain(this.#closing.signal)
      // It is tried again after more commits, and when the store is closed, where the error is thrown.
      .catch(() => {})
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Tells maintenance to end. */
  stop(): void {
    this.#closing.abort();
  }

  /** Waits for its end, and tidies up once more when much was written. */
  async finish(): Promise<void> {
    await this.#running;
    if (this.#commits >= SOME_COMMITS || this.#written >= SOME_CHUNKS) await this.#maintain();
  }
}
