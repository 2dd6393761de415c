export interface HttpFailureFacts {
  /** Absent when there was no answer. */
  readonly status?: number;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** How long the server asked to wait. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** What the requests of this package fail with; it is turned into a `DocsearchError` before it leaves. */
export class HttpFailure extends Error {
  override readonly name: string = "HttpFailure";
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: HttpFailureFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = facts.status;
    this.retryable = facts.retryable;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** Servers say it in many ways, some with status 500. */
const TOO_LONG =
  /context (?:length|size|window)|maximum (?:context|sequence)|too (?:long|large to process)|too many tokens|input length exceeds|token limit|max(?:imum)?[ _](?:input[ _])?(?:tokens|length)|(?:must have|expected) less than|physical batch size/i;
const TOO_MANY =
  /batch size|too many inputs|number of inputs|array (?:is )?too (?:long|large)|at most \d+ (?:inputs|texts|items)/i;

/** Whether a text of the request was too long for the model. Status 429 speaks of tokens too: those of a minute. */
export function isTooLong({ status, message }: Pick<HttpFailure, "status" | "message">): boolean {
  if (status === undefined) return false;
  return status === 413 || ((status === 400 || status === 422 || status >= 500) && TOO_LONG.test(message));
}

/** Whether the request had more texts than the server takes at a time. */
export function isTooManyTexts({ status, message }: HttpFailure): boolean {
  if (status === undefined || status < 400) return false;
  // llama.cpp's physical batch is one of tokens.
  return TOO_MANY.test(message) && !/physical batch size/i.test(message);
}

/** Whether a text of the request, rather than the request itself, may be what the server refused. */
export function isInputRefused(failure: HttpFailure): boolean {
  return failure.status === 400 || failure.status === 422 || isTooLong(failure) || isTooManyTexts(failure);
}
