import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, MessageExtraInfo, RequestId, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { MessageLines } from "./message-lines.js";

/**
 * The transport of the SDK, which drops calls under way when its input ends. This one says that the input has ended and
 * lets its owner wait for the answers.
 */
export class DrainingTransport implements Transport {
  /** Called once, when there is no more input. */
  ended: () => void = () => {};
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #inner: StdioServerTransport;
  readonly #open = new Set<RequestId>();
  #onIdle: (() => void) | undefined;

  constructor(stdin: Readable, stdout: Writable) {
    const lines = new MessageLines((refusal) => stdout.write(`${JSON.stringify(refusal)}\n`));
    this.#inner = new StdioServerTransport(lines, stdout);
    stdin.pipe(lines, { end: false });
    // Behind what was just piped on.
    stdin.once("end", () => setImmediate(() => this.ended()));
    stdin.once("error", () => this.ended());
  }

  start(): Promise<void> {
    this.#inner.onmessage = (message) => {
      this.#received(message);
      this.onmessage?.(message);
    };
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onclose = () => this.onclose?.();
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#inner.send(message);
    if (!("method" in message) && message.id !== undefined) this.#answered(message.id);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Resolves when every request has its answer, at the latest after so many milliseconds. */
  drain(milliseconds: number): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #received(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    // A subscription is answered only when it ends.
    if ("id" in message && message.method !== "subscriptions/listen") this.#open.add(message.id);
    if (message.method === "notifications/cancelled") {
      const { requestId } = (message.params ?? {}) as { readonly requestId?: RequestId };
      if (requestId !== undefined) this.#answered(requestId);
    }
  }

  #answered(id: RequestId): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#onIdle?.();
  }
}
