import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as the server saw it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** 0 for the first. */
  readonly nth: number;
}

export type Answer = (request: Received, response: ServerResponse) => unknown;

export interface FakeServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly host: string;
  readonly received: Received[];
}

/** A server on loopback that lives until the test ends. */
export async function fakeServer(answer: Answer): Promise<FakeServer> {
  const { close, ...server } = await startServer(answer);
  onTestFinished(close);
  return server;
}

/** A server on loopback that lives until it is closed. */
export async function startServer(answer: Answer): Promise<FakeServer & { close(): void }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(parts).toString("utf8") || "{}");
      const seen = { path: request.url ?? "", headers: request.headers, body, nth: received.length };
      received.push(seen);
      answer(seen, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin: `http://${host}`, host, received, close };
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Texts of an embedding request. */
export function inputs(request: Received): string[] {
  return request.body.input as string[];
}

/** A vector that depends on the text alone. */
export function vectorOf(text: string, dimensions: number): number[] {
  const numbers: number[] = [];
  let hash = createHash("sha256").update(text).digest();
  while (numbers.length < dimensions) {
    numbers.push(...[...hash].map((byte) => (byte - 127.5) / 64));
    hash = createHash("sha256").update(hash).digest();
  }
  return numbers.slice(0, dimensions);
}

/** What a sound server answers to an embedding request. */
export function embeddings(
  texts: readonly string[],
  dimensions = 8,
): { data: { index: number; embedding: number[] }[] } {
  return { data: texts.map((text, index) => ({ index, embedding: vectorOf(text, dimensions) })) };
}

/** A sound server for embeddings, in the protocols of OpenAI and Ollama. */
export const answerEmbeddings: Answer = (request, response) => {
  const texts = inputs(request);
  if (request.path === "/api/embed") return sendJson(response, 200, { embeddings: texts.map((t) => vectorOf(t, 8)) });
  return sendJson(response, 200, embeddings(texts));
};

/** The vector as an embedder has to give it. */
export function unit(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / length);
}
