import { setTimeout as sleep } from "node:timers/promises";
import type { CallOptions } from "@docsearch/spec";
import { shownUrl } from "./endpoint.js";
import { HttpFailure, isTooLong } from "./http-failure.js";
import { readBody } from "./read-body.js";
import { parseRetryAfter, retryDelay } from "./retry-delay.js";
import { serverMessage } from "./server-message.js";

export interface JsonClientOptions {
  readonly url: URL;
  /** Header with the key; sent to the host of `url` alone. */
  readonly authorization: Readonly<Record<string, string>>;
  /** Time of one try. */
  readonly timeoutMs: number;
  /** Tries after the first. */
  readonly maxRetries: number;
}

export interface PostOptions extends CallOptions {
  /** Time for all tries together. */
  readonly budgetMs?: number;
  /** Tries after the first, where fewer than the client's are wanted. */
  readonly maxRetries?: number;
}

const MAX_REPLY_BYTES = 64_000_000;
const MAX_ERROR_BYTES = 64_000;
const MAX_REDIRECTS = 3;
/** A shorter key is what people write where a local server wants any; it would be found inside words. */
const SHORTEST_SECRET = 8;
const RETRYABLE = new Set([408, 409, 425, 429]);

/**
 * Posts JSON to one URL. Repeats what may succeed later: no answer, a cut answer, 408, 409, 425, 429 and 5xx. Follows
 * redirects within the host; to another host neither key nor texts go.
 */
export class JsonClient {
  readonly #options: JsonClientOptions;
  readonly #secrets: readonly string[];

  constructor(options: JsonClientOptions) {
    this.#options = options;
    const keys = Object.values(options.authorization).map((value) => value.replace(/^Bearer /, ""));
    this.#secrets = keys.filter((key) => key.length >= SHORTEST_SECRET);
  }

  /**
   * Resolves to what `read` makes of the reply; `read` may throw an `HttpFailure`.
   *
   * @throws `HttpFailure`, whose message never holds the key; the reason of `signal` when it is aborted
   */
  async post<T>(body: unknown, read: (reply: unknown) => T, call: PostOptions): Promise<T> {
    const end = performance.now() + (call.budgetMs ?? Number.POSITIVE_INFINITY);
    const maxRetries = Math.min(this.#options.maxRetries, call.maxRetries ?? Number.POSITIVE_INFINITY);
    for (let attempt = 0; ; attempt++) {
      call.signal?.throwIfAborted();
      try {
        const timeoutMs = Math.max(1, Math.min(this.#options.timeoutMs, end - performance.now()));
        return read(await this.#once(JSON.stringify(body), timeoutMs, call.signal));
      } catch (error) {
        call.signal?.throwIfAborted();
        if (!(error instanceof HttpFailure) || !error.retryable || attempt >= maxRetries) throw error;
        const delay = retryDelay(attempt, error.retryAfterMs, Math.random);
        if (performance.now() + delay >= end) throw error;
        await pause(delay, call.signal);
      }
    }
  }

  async #once(body: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<unknown> {
    const abort = new AbortController();
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      abort.abort();
    }, timeoutMs);
    const forward = (): void => abort.abort(signal?.reason);
    signal?.addEventListener("abort", forward, { once: true });
    try {
      const response = await this.#fetch(body, abort.signal);
      if (!response.ok) throw await this.#refusal(response);
      return parseReply(await readBody(response, MAX_REPLY_BYTES), response.status);
    } catch (error) {
      if (error instanceof HttpFailure) throw error;
      const what = timedOut ? `gave no whole answer in ${Math.round(timeoutMs)} ms` : networkMessage(error);
      throw new HttpFailure(what, { retryable: true, cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", forward);
      // Frees the connection of an answer that was not read to its end.
      abort.abort();
    }
  }

  async #fetch(body: string, signal: AbortSignal): Promise<Response> {
    const { authorization } = this.#options;
    let url = this.#options.url;
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json", ...authorization },
        body,
        redirect: "manual",
        signal,
      });
      const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
      if (location === null) return response;
      const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
      if (target === undefined || !isSameServer(target, url) || redirects >= MAX_REDIRECTS) {
        const where = target === undefined ? "an address that is none" : shownUrl(target);
        throw new HttpFailure(`redirects to ${where}, which was not followed; set that URL if it is the right one`, {
          status: response.status,
          retryable: false,
        });
      }
      url = target;
    }
  }

  async #refusal(response: Response): Promise<HttpFailure> {
    const { status } = response;
    const body = await readBody(response, MAX_ERROR_BYTES, true).catch(() => "");
    const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), Date.now());
    const message = `answered ${status}: ${serverMessage(this.#redacted(body))}`;
    return new HttpFailure(message, {
      status,
      retryable: (RETRYABLE.has(status) || status >= 500) && !isTooLong({ status, message }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  }

  #redacted(text: string): string {
    return this.#secrets.reduce((redacted, secret) => redacted.replaceAll(secret, "[key]"), text);
  }
}

/** The same host and port, and no step down from https. */
function isSameServer(target: URL, url: URL): boolean {
  if (target.username !== "" || target.password !== "") return false;
  if (target.origin === url.origin) return true;
  return url.protocol === "http:" && target.protocol === "https:" && target.hostname === url.hostname;
}

function parseReply(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const isCut = /^\s*[{[]/.test(text);
    const what = isCut ? "sent JSON that is broken or cut off" : `sent no JSON: ${serverMessage(text)}`;
    throw new HttpFailure(what, { status, retryable: isCut, cause });
  }
}

function networkMessage(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: unknown; message?: unknown } | undefined) : undefined;
  const reason = cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : error);
  if (reason === "ECONNREFUSED") return "cannot be reached (ECONNREFUSED): nothing listens there";
  return `cannot be reached (${String(reason)})`;
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch {
    signal?.throwIfAborted();
  }
}
