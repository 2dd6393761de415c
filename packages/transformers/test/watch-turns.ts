/** What the event loop of this process did meanwhile. */
export interface WatchedTurns<T> {
  readonly result: T;
  readonly turns: number;
  /** Most processor time of a turn, in milliseconds. What a busy machine makes the process wait is not in it. */
  readonly longestMs: number;
}

/** Runs `work` and lets the event loop turn without a pause until it is done. */
export async function watchTurns<T>(work: () => Promise<T>): Promise<WatchedTurns<T>> {
  let isOver = false;
  let turns = 0;
  let longestMs = 0;
  let before = processorMilliseconds();
  const turn = (): void => {
    const now = processorMilliseconds();
    longestMs = Math.max(longestMs, now - before);
    before = now;
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    longestMs = Math.max(longestMs, processorMilliseconds() - before);
    return { result, turns, longestMs };
  } finally {
    isOver = true;
  }
}

function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
