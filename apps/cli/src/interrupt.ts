import { constants } from "node:os";

/** What a command throws that a signal has ended. */
export class Interrupted extends Error {
  override readonly name: string = "Interrupted";
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals, message: string) {
    super(message);
    this.exitCode = 128 + constants.signals[signal];
  }
}

export function isInterrupted(error: unknown): error is Interrupted {
  return error instanceof Interrupted;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs `body` with an abort signal that fires when the process is told to end. A second signal ends the process at
 * once, as if there were no handler.
 *
 * @param message says what has become of the work
 * @throws `Interrupted` when `body` gave up because of a signal
 */
export async function interruptible(
  body: (signal: AbortSignal) => Promise<void>,
  message: () => string,
): Promise<void> {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const onSignal = (name: NodeJS.Signals): void => {
    received = name;
    for (const signal of SIGNALS) process.removeListener(signal, onSignal);
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    await body(controller.signal);
  } catch (error) {
    if (received !== undefined && error instanceof Error && error.name === "AbortError") {
      throw new Interrupted(received, message());
    }
    throw error;
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, onSignal);
  }
}
