/** Milliseconds per stage, of all its rounds. */
export class Stopwatch {
  readonly timings: Record<string, number> = {};

  async time<T>(stage: string, body: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await body();
    } finally {
      this.#add(stage, start);
    }
  }

  timeSync<T>(stage: string, body: () => T): T {
    const start = performance.now();
    const value = body();
    this.#add(stage, start);
    return value;
  }

  #add(stage: string, start: number): void {
    this.timings[stage] = (this.timings[stage] ?? 0) + performance.now() - start;
  }
}
