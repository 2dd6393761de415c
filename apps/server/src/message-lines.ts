import { Transform, type TransformCallback } from "node:stream";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";

/** Longer messages are refused unread; the buffer of the SDK takes little more. */
const MOST_LINE_BYTES = 10_000_000;
const NEWLINE = 0x0a;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

/** The answer to a line that is no message. */
interface Refusal {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/**
 * Lets the lines pass that are messages of JSON-RPC, and has the others answered. The SDK drops them without a word, so
 * that a client waits for its answer, and ends with a line that is too long.
 */
export class MessageLines extends Transform {
  readonly #onRefused: (refusal: Refusal) => void;
  #parts: Buffer[] = [];
  /** Bytes of the line so far, also of those that were not kept. */
  #length = 0;

  constructor(onRefused: (refusal: Refusal) => void) {
    super();
    this.#onRefused = onRefused;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
    done();
  }

  #add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > MOST_LINE_BYTES) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #endLine(): void {
    const isTooLong = this.#length > MOST_LINE_BYTES;
    const line = Buffer.concat(this.#parts).toString("utf8");
    this.#parts = [];
    this.#length = 0;
    const refusals = isTooLong
      ? [refusal(INVALID_REQUEST, `a message has at most ${MOST_LINE_BYTES} bytes`)]
      : refusalsOf(line);
    if (refusals === undefined) this.push(`${line}\n`);
    else for (const one of refusals) this.#onRefused(one);
  }
}

/** `undefined` for a message; none for a blank line. */
function refusalsOf(line: string): readonly Refusal[] | undefined {
  if (line.trim() === "") return [];
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [refusal(PARSE_ERROR, "the line is no JSON")];
  }
  if (Array.isArray(value)) {
    const message = "a line has one message; batches are not taken";
    const ids = value.map(idOf).filter((id) => id !== null);
    return (ids.length === 0 ? [null] : ids).map((id) => refusal(INVALID_REQUEST, message, id));
  }
  try {
    parseJSONRPCMessage(value);
    return undefined;
  } catch {
    return [refusal(INVALID_REQUEST, "the line is no message of JSON-RPC 2.0", idOf(value))];
  }
}

function refusal(code: number, message: string, id: Refusal["id"] = null): Refusal {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** Of a request, as far as it can be told. What answers a request of ours has its id, too, and is not answered. */
function idOf(value: unknown): Refusal["id"] {
  const { id, method } = (value ?? {}) as { readonly id?: unknown; readonly method?: unknown };
  if (method === undefined) return null;
  return typeof id === "string" || Number.isInteger(id) ? (id as string | number) : null;
}
