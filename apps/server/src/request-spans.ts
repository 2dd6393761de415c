import { AsyncLocalStorage } from "node:async_hooks";
import type { JSONRPCMessage, McpServer, RequestId, Transport } from "@modelcontextprotocol/server";
import type * as Api from "@opentelemetry/api";
import { parentOf } from "./trace-parent.js";

/** What this needs of the options of the server. */
export interface SpanOptions {
  readonly transport: "stdio" | "http";
  /** Arguments and results of tools are kept. */
  readonly telemetryContent: boolean;
}

/** A request under way. */
interface OpenRequest {
  readonly span: Api.Span;
  readonly attributes: Api.Attributes;
  readonly startedAt: number;
}

/** Borders of the histogram, in seconds, as the conventions have them. */
const BORDERS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";

/** A span of kind SERVER for each request, and how long they took. */
export class RequestSpans {
  readonly #api: typeof Api;
  readonly #tracer: Api.Tracer;
  readonly #options: SpanOptions;
  readonly #duration: Api.Histogram;
  /** What a search belongs to, also where the process has no context manager. */
  readonly #current = new AsyncLocalStorage<Api.Context>();

  constructor(api: typeof Api, tracer: Api.Tracer, meter: Api.Meter, options: SpanOptions) {
    this.#api = api;
    this.#tracer = tracer;
    this.#options = options;
    this.#duration = meter.createHistogram("mcp.server.operation.duration", {
      description: "Duration of requests, from when they come in to their answer.",
      unit: "s",
      advice: { explicitBucketBoundaries: BORDERS },
    });
  }

  context(): Api.Context {
    return this.#current.getStore() ?? this.#api.context.active();
  }

  run<T>(context: Api.Context, body: () => T): T {
    return this.#current.run(context, () => this.#api.context.with(context, body));
  }

  /** Follows what the server's transport brings and takes, from when it is connected. */
  follow(server: McpServer): void {
    const connect = server.connect.bind(server);
    server.connect = async (transport) => {
      await connect(transport);
      this.#followTransport(transport, () => server.server.getNegotiatedProtocolVersion());
    };
  }

  #followTransport(transport: Transport, version: () => string | undefined): void {
    const open = new Map<RequestId, OpenRequest>();
    const receive = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if ("method" in message && "id" in message && message.id !== undefined) {
        const context = this.#begin(message, version(), open);
        this.run(context, () => receive?.(message, extra));
        return;
      }
      receive?.(message, extra);
      if ("method" in message && message.method === "notifications/cancelled") {
        const { requestId } = (message.params ?? {}) as { readonly requestId?: RequestId };
        if (requestId !== undefined) this.#end(open, requestId, { "error.type": "cancelled" });
      }
    };
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!("method" in message) && message.id !== undefined) this.#answer(open, message.id, message);
      return send(message, options);
    };
    const close = transport.onclose;
    transport.onclose = () => {
      close?.();
      for (const id of [...open.keys()]) this.#end(open, id, { "error.type": "closed" });
    };
  }

  #begin(
    { id, method, params = {} }: Request,
    negotiated: string | undefined,
    open: Map<RequestId, OpenRequest>,
  ): Api.Context {
    const { _meta: meta = {}, name, uri, arguments: args } = params;
    const isTool = method === "tools/call" && typeof name === "string";
    const isPrompt = method === "prompts/get" && typeof name === "string";
    const version = meta[PROTOCOL_VERSION] ?? negotiated;
    const attributes: Api.Attributes = {
      "mcp.method.name": method,
      ...(isTool && { "gen_ai.tool.name": name, "gen_ai.operation.name": "execute_tool" }),
      ...(isPrompt && { "gen_ai.prompt.name": name }),
      ...(typeof version === "string" && { "mcp.protocol.version": version }),
      "network.transport": this.#options.transport === "stdio" ? "pipe" : "tcp",
    };
    const active = this.#api.context.active();
    const { context, isCarried } = parentOf(this.#api, meta, active);
    const around = this.#api.trace.getSpanContext(active);
    const span = this.#tracer.startSpan(
      isTool || isPrompt ? `${method} ${name}` : method,
      {
        kind: this.#api.SpanKind.SERVER,
        attributes: {
          ...attributes,
          "jsonrpc.request.id": String(id),
          ...(typeof uri === "string" && { "mcp.resource.uri": uri }),
          ...(this.#options.telemetryContent && isTool && { "gen_ai.tool.call.arguments": JSON.stringify(args ?? {}) }),
        },
        // The request of HTTP that brought it is no parent then, but belongs to it.
        links: isCarried && around !== undefined ? [{ context: around }] : [],
      },
      context,
    );
    open.set(id, { span, attributes, startedAt: performance.now() });
    return this.#api.trace.setSpan(context, span);
  }

  #answer(open: Map<RequestId, OpenRequest>, id: RequestId, message: JSONRPCMessage): void {
    if ("error" in message) {
      const code = String(message.error.code);
      this.#end(open, id, { "rpc.response.status_code": code, "error.type": code }, message.error.message);
      return;
    }
    const result = ("result" in message ? message.result : {}) as {
      readonly isError?: unknown;
      readonly content?: unknown;
    };
    if (this.#options.telemetryContent && result.content !== undefined) {
      open.get(id)?.span.setAttribute("gen_ai.tool.call.result", JSON.stringify(result.content));
    }
    this.#end(open, id, result.isError === true ? { "error.type": "tool_error" } : {});
  }

  #end(open: Map<RequestId, OpenRequest>, id: RequestId, outcome: Api.Attributes, message?: string): void {
    const request = open.get(id);
    if (request === undefined) return;
    open.delete(id);
    const { span, attributes, startedAt } = request;
    span.setAttributes(outcome);
    if (outcome["error.type"] !== undefined) {
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
    }
    span.end();
    this.#duration.record((performance.now() - startedAt) / 1000, { ...attributes, ...outcome });
  }
}

/** What is looked at of a request. */
interface Request {
  readonly id: RequestId;
  readonly method: string;
  readonly params?:
    | {
        readonly _meta?: Readonly<Record<string, unknown>> | undefined;
        readonly name?: unknown;
        readonly uri?: unknown;
        readonly arguments?: unknown;
      }
    | undefined;
}
