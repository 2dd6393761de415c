import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type McpHttpHandler, type McpServerFactory } from "@modelcontextprotocol/server";
import { type GuardOptions, guardRequest } from "./request-guard.js";

/** Larger bodies are refused unread. */
const MOST_BODY_BYTES = 1_000_000;
/** Requests under way; more are told to come back. */
const MOST_OPEN = 256;

/** What each route takes. */
const METHODS: ReadonlyMap<string, readonly string[]> = new Map([
  ["/healthz", ["GET", "HEAD"]],
  ["/mcp", ["POST"]],
]);

export interface HttpHandler {
  readonly listener: RequestListener;
  readonly mcp: McpHttpHandler;
}

/** Everything that is served over HTTP: the guard, then `/healthz` and `/mcp`. */
export function createHttpHandler(factory: McpServerFactory, guard: GuardOptions): HttpHandler {
  const report = (error: Error): void => {
    process.stderr.write(`docsearch-mcp: ${error.message}\n`);
  };
  const mcp = createMcpHandler(factory, { onerror: report, maxRequestBodySize: MOST_BODY_BYTES });
  const serveMcp = toNodeHandler(mcp, { onerror: report, maxRequestBodySize: MOST_BODY_BYTES });
  let open = 0;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const refusal = guardRequest(request, guard);
    if (refusal !== undefined) {
      if (refusal.status === 401) response.setHeader("WWW-Authenticate", 'Bearer realm="docsearch"');
      refuse(request, response, refusal.status, refusal.message);
      return;
    }
    const path = request.url?.split("?", 1)[0];
    const methods = METHODS.get(path ?? "");
    if (methods === undefined) {
      refuse(request, response, 404, "there is /mcp and /healthz");
      return;
    }
    // TRACE would end in an error of the platform, which has no such request.
    if (!methods.includes(request.method ?? "")) {
      response.setHeader("Allow", methods.join(", "));
      refuse(request, response, 405, `${path} takes ${methods.join(" and ")}`);
      return;
    }
    if (path === "/healthz") {
      respond(response, 200, { status: "ok" });
      return;
    }
    if (Number(request.headers["content-length"] ?? 0) > MOST_BODY_BYTES) {
      refuse(request, response, 413, `a body has at most ${MOST_BODY_BYTES} bytes`);
      return;
    }
    if (open >= MOST_OPEN) {
      response.setHeader("Retry-After", "1");
      refuse(request, response, 429, "too many requests at a time; try again in a second");
      return;
    }
    open++;
    response.once("close", () => open--);
    // The adapter's type has optional fields where Node has `undefined`.
    serveMcp(request as Parameters<typeof serveMcp>[0], response).catch(report);
  };
  return { listener, mcp };
}

/** The body stays unread, so the connection cannot be used again. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  if (request.method !== "GET" && request.method !== "HEAD") response.setHeader("Connection", "close");
  respond(response, status, { jsonrpc: "2.0", error: { code: -32000, message }, id: null });
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}
