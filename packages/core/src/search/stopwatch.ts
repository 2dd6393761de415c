/** Milliseconds per stage. */
export class Stopwatch {
  readonly timings: Record<string, number> = {};

  async time<T>(stage: string, body: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await body();
    } finally {
      this.timings[stage] = performance.now() - start;
    }
  }

  timeSync<T>(stage: string, body: () => T): T {
    const start = performance.now();
    const value = body();
    this.timings[stage] = performance.now() - start;
    return value;
  }
}
