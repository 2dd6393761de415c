import { setImmediate } from "node:timers/promises";

/** A local file system answers in microseconds; one over a network, or of files that are fetched on use, does not. */
const SLOW_MS = 5;
/** Bytes that may take a millisecond more, for reading, decoding and hashing. */
const BYTES_PER_MS = 20_000;
/** Slow answers after which the file system counts as slow. */
const SLOW_CALLS = 4;
/** Fast answers that make up for a slow one: on a busy machine any call is slow at times. */
const FAST_CALLS = 16;
/** Longest time between two turns of the event loop. */
const TURN_MS = 10;

/**
 * Decides how the file system is called: directly as long as it is fast, because the way through the thread pool costs
 * several times the CPU of the call itself, and through the pool, many calls at a time, once it is slow.
 */
export class FileAccess {
  /** Never below 0. Once it has reached the limit it stays: direct calls are over. */
  #slowness = 0;
  #lastTurn = performance.now();

  get isSlow(): boolean {
    return this.#slowness >= SLOW_CALLS;
  }

  /** Runs a function that calls the file system directly, for about so many bytes, and takes its time. */
  direct<T>(work: () => T, bytes = 0): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      const isSlow = performance.now() - start > SLOW_MS + bytes / BYTES_PER_MS;
      this.#slowness = isSlow ? this.#slowness + 1 : Math.max(0, this.#slowness - 1 / FAST_CALLS);
    }
  }

  /** The result of one of two functions that do the same. Timers and sockets get their turn before. */
  async call<T>(direct: () => T, throughPool: () => Promise<T>, bytes = 0): Promise<T> {
    if (this.isSlow) return throughPool();
    if (this.needsTurn) await this.takeTurn();
    return this.direct(direct, bytes);
  }

  /** Whether direct calls have kept timers and sockets waiting for long enough. */
  get needsTurn(): boolean {
    return performance.now() - this.#lastTurn > TURN_MS;
  }

  /** Lets the event loop turn. */
  async takeTurn(): Promise<void> {
    await setImmediate();
    this.#lastTurn = performance.now();
  }
}
