import { request as httpRequest } from "node:http";
import { RawServer } from "./support.js";

export interface HttpServer {
  readonly port: number;
  readonly url: string;
  readonly stderr: () => string;
  readonly stop: () => Promise<number | null>;
}

/** Starts the built server over HTTP on a free port. */
export async function startHttp(
  cwd: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<HttpServer> {
  const server = new RawServer(cwd, ["--http", "--port", "0", ...args], env);
  const listening = /listening on http:\/\/(\S+):(\d+)\/mcp/;
  await server.until(() => listening.test(server.stderr));
  const port = Number(listening.exec(server.stderr)?.[2]);
  return {
    port,
    url: `http://127.0.0.1:${port}/mcp`,
    stderr: () => server.stderr,
    stop: async () => {
      server.child.kill("SIGTERM");
      return (await server.exited).code;
    },
  };
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface HttpCall {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A request of the newest revision, as a client would send it. */
export function modernCall(method: string, params: object = {}, name?: string): HttpCall {
  return {
    body: { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } },
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name !== undefined && { "mcp-name": name }),
    },
  };
}

/** One request, with full control of its headers. */
export function call(
  port: number,
  { method = "POST", path = "/mcp", headers = {}, body }: HttpCall,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const text = typeof body === "object" ? JSON.stringify(body) : (body ?? "");
    const all = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
    const outgoing = httpRequest({ host: "127.0.0.1", port, path, method, headers: all }, (incoming) => {
      let received = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => {
        received += chunk;
      });
      incoming.on("end", () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: received }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(method === "POST" ? text : undefined);
  });
}
