import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Docsearch, docsearchFromEnv } from "@docsearch/core";
import { afterAll } from "vitest";

export const BIN: string = join(import.meta.dirname, "..", "bin", "docsearch-mcp.js");

export type Files = Readonly<Record<string, string>>;

/** Makes folders that are gone when the tests of a file have run. Their paths are real ones. */
export function temporaryFolders(): (files?: Files) => string {
  const made: string[] = [];
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return (files = {}) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "docsearch-mcp-")));
    made.push(folder);
    writeFiles(folder, files);
    return folder;
  };
}

/** Writes files by path, and the folders they need. */
export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Environment of a started server: nothing of this process's but what Node needs. Caches go beside the project. */
export function environment(cwd: string, env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: join(cwd, ".home"), ...env };
}

export interface Message {
  readonly jsonrpc: string;
  readonly id?: number;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each answer has a shape of its own, which its test pins
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly params?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A server over stdin and stdout, spoken to line by line, so that every byte is seen. */
export class RawServer {
  readonly child: ChildProcessWithoutNullStreams;
  readonly messages: Message[] = [];
  /** Lines of stdout that are no message of JSON-RPC. */
  readonly junk: string[] = [];
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  stderr = "";
  #rest = "";
  #id = 0;
  readonly #waiting = new Set<() => void>();

  constructor(
    cwd: string,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
    nodeArgs: readonly string[] = [],
  ) {
    this.child = spawn(process.execPath, [...nodeArgs, BIN, ...args], { cwd, env: environment(cwd, env) });
    this.child.stdin.on("error", () => {});
    this.child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      this.stderr += chunk;
      this.#wake();
    });
    this.child.stdout.setEncoding("utf8").on("data", (chunk: string) => this.#read(chunk));
    this.exited = once(this.child, "close").then(([code, signal]) => ({ code, signal }));
    void this.exited.then(() => this.#wake());
  }

  send(message: object | string): void {
    this.child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  }

  /** Opens the connection as a client of 2025 does. */
  async initialize(): Promise<Message> {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "0" } };
    const answer = await this.answerTo(this.post("initialize", params));
    this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  /** Sends a request and returns its id. */
  post(method: string, params: object = {}): number {
    const id = ++this.#id;
    this.send({ jsonrpc: "2.0", id, method, params });
    return id;
  }

  /** The same in the newest revision. */
  postModern(method: string, params: object = {}): number {
    return this.post(method, { ...params, _meta: MODERN });
  }

  callTool(name: string, args: object, meta?: object): number {
    return this.post("tools/call", { name, arguments: args, ...(meta !== undefined && { _meta: meta }) });
  }

  async answerTo(id: number): Promise<Message> {
    await this.until(() => this.messages.some((message) => message.id === id && message.method === undefined));
    return this.messages.find((message) => message.id === id && message.method === undefined) as Message;
  }

  /** Text of a tool's answer. */
  async call(
    name: string,
    args: object,
  ): Promise<{ readonly text: string; readonly isError: boolean; readonly data: unknown }> {
    const { result, error } = await this.answerTo(this.callTool(name, args));
    if (result === undefined) throw new Error(`${name}: ${error?.message}`);
    return { text: result.content[0].text, isError: result.isError === true, data: result.structuredContent };
  }

  /** Waits until something holds; fails when the server has ended before. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.child.exitCode !== null && this.child.stdout.destroyed)
        throw new Error(`the server has ended: ${this.stderr}`);
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  /** Ends its input and waits for its end. */
  async close(): Promise<number | null> {
    this.child.stdin.end();
    return (await this.exited).code;
  }

  #read(chunk: string): void {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = parseMessage(line);
      if (message === undefined) this.junk.push(line);
      else this.messages.push(message);
    }
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

function parseMessage(line: string): Message | undefined {
  try {
    const message = JSON.parse(line) as Message;
    return message.jsonrpc === "2.0" ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Indexes the folder, as a client would ask for it. */
export async function indexFolder(cwd: string, path = "."): Promise<void> {
  const server = new RawServer(cwd);
  await server.initialize();
  const { text } = await server.call("index_path", { path, wait_ms: 50_000 });
  if (!text.includes(" done: ")) throw new Error(text);
  await server.close();
}

/** The index of a project, opened in this process as the server opens it. */
export function openIndex(cwd: string, mode: "read" | "write"): Promise<Docsearch> {
  const settings = { DOCS_STORE_URL: join(cwd, ".docsearch", "index.db") };
  return docsearchFromEnv(settings, { root: join(import.meta.dirname, ".."), mode });
}

export const KELP: Files = {
  "docs/kelp.md": "# Kelp\n\nKelp is a brown alga.\n\n## Harvest\n\nCut the blades of kelp in spring.\n",
  "docs/mooring.md": "# Mooring\n\nA permit to moor needs a signed form.\n",
};
