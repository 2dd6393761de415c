/** Shows that a long run goes on: a line that is rewritten on a terminal, now and then a line elsewhere. */
export interface Progress {
  update(text: string): void;
  /** Removes the line. */
  end(): void;
}

const TERMINAL_INTERVAL = 100;
const PLAIN_INTERVAL = 10_000;

export function progressOn(stream: NodeJS.WriteStream): Progress {
  const terminal = stream.isTTY === true;
  const interval = terminal ? TERMINAL_INTERVAL : PLAIN_INTERVAL;
  let last = performance.now();
  let shown = false;
  return {
    update(text) {
      const now = performance.now();
      if (now - last < interval) return;
      last = now;
      shown = true;
      stream.write(terminal ? `\r\u001b[K${text.slice(0, (stream.columns ?? 80) - 1)}` : `${text}\n`);
    },
    end() {
      if (terminal && shown) stream.write("\r\u001b[K");
    },
  };
}
