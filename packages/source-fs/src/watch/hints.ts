import { setTimeout as sleep } from "node:timers/promises";

/** Hints that something may have changed, for a loop that works them off when it is quiet. */
export class Hints {
  readonly #debounceMs: number;
  readonly #patienceMs: number;
  /** Times of the first and the last hint that wait; absent when none does. */
  #first: number | undefined;
  #last = 0;
  #wake: () => void = () => {};

  /**
   * @param debounceMs without a hint it must be quiet for so long
   * @param patienceMs after so long a wait it counts as quiet anyway, for files that never rest
   */
  constructor(debounceMs: number, patienceMs: number) {
    this.#debounceMs = debounceMs;
    this.#patienceMs = patienceMs;
  }

  add(): void {
    this.#last = performance.now();
    this.#first ??= this.#last;
    this.#wake();
  }

  /** Resolves when hints have come and it is quiet; those hints are done then. Rejects when the signal fires. */
  async quiet(signal: AbortSignal): Promise<void> {
    await this.#any(signal);
    for (;;) {
      const end = Math.min(this.#last + this.#debounceMs, (this.#first ?? 0) + this.#patienceMs);
      const left = end - performance.now();
      if (left <= 0) break;
      await sleep(left, undefined, { signal });
    }
    this.#first = undefined;
  }

  async #any(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#first !== undefined) return;
    let onAbort = (): void => {};
    try {
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve;
        onAbort = () => reject(signal.reason);
        signal.addEventListener("abort", onAbort);
      });
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }
}
