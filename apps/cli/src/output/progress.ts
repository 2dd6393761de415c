/** Shows that a long run goes on: a line that is rewritten on a terminal, now and then a line elsewhere. */
export interface Progress {
  /** Shows what `line` returns, if it is time to. */
  update(line: () => string): void;
  /** Takes the line away, so that something else can be written. */
  clear(): void;
}

/** A run that is shorter shows nothing. */
const PATIENCE_MS = 1000;
const TERMINAL_INTERVAL_MS = 100;
/** Logs are read by people and agents who pay for each line. */
const PLAIN_INTERVAL_MS = 5000;

export function progressOn(stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">): Progress {
  const isTerminal = stream.isTTY === true;
  const interval = isTerminal ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS;
  let next = performance.now() + PATIENCE_MS;
  let isShown = false;
  return {
    update(line) {
      const now = performance.now();
      if (now < next) return;
      next = now + interval;
      const text = line();
      stream.write(isTerminal ? `\r\u001b[K${text.slice(0, (stream.columns || 80) - 1)}` : `${text}\n`);
      isShown = isTerminal;
    },
    clear() {
      if (isShown) stream.write("\r\u001b[K");
      isShown = false;
    },
  };
}
