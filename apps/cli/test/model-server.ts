import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface ModelServer {
  readonly url: string;
  /** Texts that were embedded, in order. */
  readonly texts: string[];
  /** What it answers; can be changed. */
  behaviour: { dimensions: number; delayMs: number; status: number };
  close(): Promise<void>;
}

const TOPICS = ["tide", "anchor", "harbour", "rope", "sail", "chart"];

/** A server with OpenAI's protocol for embeddings, on loopback, whose vectors count a few words. */
export async function modelServer(key?: string): Promise<ModelServer> {
  const texts: string[] = [];
  const behaviour = { dimensions: 6, delayMs: 0, status: 200 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { input } = JSON.parse(await text(request)) as { readonly input: readonly string[] };
    const send = (status: number, body: object): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) {
      send(401, { error: { message: `Incorrect API key provided: ${request.headers.authorization}` } });
      return;
    }
    if (behaviour.status !== 200) {
      send(behaviour.status, { error: { message: "not today" } });
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs));
    texts.push(...input);
    send(200, { data: input.map((one, index) => ({ index, embedding: vectorOf(one, behaviour.dimensions) })) });
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, texts, behaviour, close };
}

function vectorOf(one: string, dimensions: number): number[] {
  const words = one.toLowerCase().split(/[^a-z]+/);
  return TOPICS.slice(0, dimensions).map((topic) => 0.1 + words.filter((word) => word === topic).length);
}
