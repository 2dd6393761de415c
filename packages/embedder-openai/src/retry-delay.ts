const FIRST_MS = 500;
const LONGEST_MS = 8_000;
/** A server that asks for more is asked again after so long. */
const LONGEST_RETRY_AFTER_MS = 30_000;

/**
 * How long to wait before the next try, in milliseconds: what the server asked for, up to 30 seconds, else twice as
 * long after each try. Between half and all of that time is waited, so that clients do not come back together; never
 * less than the server asked for.
 *
 * @param attempt 0 for the first
 */
export function retryDelay(attempt: number, retryAfterMs: number | undefined, random: () => number): number {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS) + random() * 250;
  return Math.min(FIRST_MS * 2 ** attempt, LONGEST_MS) * (0.5 + random() / 2);
}

/** Milliseconds that a `Retry-After` header asks for: seconds, or a date. `undefined` when it says neither. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
