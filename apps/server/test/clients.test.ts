import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, startHttp } from "./http-support.js";
import { BIN, environment, indexFolder, KELP, temporaryFolders } from "./support.js";

const folder = temporaryFolders();
let cwd: string;
let http: HttpServer;

beforeAll(async () => {
  cwd = folder(KELP);
  await indexFolder(cwd, "docs");
  http = await startHttp(cwd);
});
afterAll(() => http.stop());

type Mode = NonNullable<NonNullable<ClientOptions["versionNegotiation"]>["mode"]>;
const MODES: readonly (readonly [string, Mode])[] = [
  ["legacy", "legacy"],
  ["modern", { pin: "2026-07-28" }],
];

function transportOf(kind: "stdio" | "http"): Transport {
  if (kind === "http") return new StreamableHTTPClientTransport(new URL(http.url));
  return new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "--read-only"],
    cwd,
    env: environment(cwd),
    stderr: "ignore",
  });
}

async function connected<T>(kind: "stdio" | "http", mode: Mode, body: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: "test", version: "0" }, { versionNegotiation: { mode } });
  await client.connect(transportOf(kind));
  try {
    return await body(client);
  } finally {
    await client.close();
  }
}

/** Everything that a client sees of the server. */
async function drive(client: Client): Promise<object> {
  const found = await client.callTool({ name: "search", arguments: { query: "blades" } });
  const wrong = await client.callTool({ name: "search", arguments: { query: "" } });
  const resources = await client.listResources();
  const read = await client.readResource({ uri: "docsearch://docs/docs/kelp.md#L5-L7" });
  const completed = await client.complete({
    ref: { type: "ref/resource", uri: "docsearch://{source}/{+path}" },
    argument: { name: "path", value: "docs/k" },
  });
  const prompt = await client.getPrompt({ name: "answer_from_docs", arguments: { question: "When is kelp cut?" } });
  const missing = await client
    .readResource({ uri: "docsearch://docs/none.md" })
    .catch(({ code, data }) => ({ code, data }));
  return {
    tools: (await client.listTools()).tools.map(({ name }) => name),
    found: found.content[0],
    wrong: [wrong.isError, wrong.content[0]],
    resources: resources.resources.map(({ uri, name }) => [uri, name]),
    templates: (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    read: read.contents[0],
    completed: completed.completion.values,
    prompts: (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: prompt.messages[0]?.content,
    missing,
    instructions: client.getInstructions()?.split("\n")[0],
  };
}

describe.each(["stdio", "http"] as const)("over %s", (kind) => {
  test.each(MODES)("a %s client sees everything", async (era, mode) => {
    const seen = await connected(kind, mode, async (client) => {
      expect(client.getProtocolEra()).toBe(era);
      return drive(client);
    });
    expect(seen).toMatchObject({
      tools: ["search", "get_chunk", "read", "outline", "list_sources"],
      found: { type: "text", text: expect.stringContaining("docs/kelp.md:5-7 > Kelp > Harvest") },
      wrong: [true, { type: "text", text: expect.stringContaining("query is empty. Mend it and call search again.") }],
      resources: [["docsearch://docs", "docs"]],
      templates: ["docsearch://{source}/{+path}", "docsearch://{source}", "skill://{+path}"],
      read: { mimeType: "text/plain", text: expect.stringContaining("Cut the blades of kelp in spring.") },
      completed: ["docs/kelp.md"],
      prompts: ["answer_from_docs"],
      prompt: { type: "text", text: expect.stringContaining("Question: When is kelp cut?") },
      missing: { code: expect.any(Number), data: { uri: "docsearch://docs/none.md" } },
      instructions: expect.stringContaining("Search over the documentation"),
    });
  });
});

test("a resource that is not there is -32602 with its uri; encoded ways out of the folder too", async () => {
  await connected("http", { pin: "2026-07-28" }, async (client) => {
    for (const uri of [
      "docsearch://docs/none.md",
      "docsearch://docs/..%2f..%2fetc%2fpasswd",
      "docsearch://docs/%252e%252e%252fetc%252fpasswd",
      "docsearch://other/docs/kelp.md",
      "docsearch://docs/%ff",
      "docsearch://none",
      "docsearch://none/",
    ]) {
      const error = await client.readResource({ uri }).catch((thrown) => thrown);
      expect([uri, error.code, error.data]).toEqual([uri, -32602, { uri }]);
    }
  });
});

test.each(MODES)("200 calls on one connection of a %s client, without cross-talk", async (_, mode) => {
  await connected("stdio", mode, async (client) => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        client.callTool({
          name: index % 3 === 0 ? "search" : "read",
          arguments: index % 3 === 0 ? { query: wordOf(index), limit: 1 } : { path: pathOf(index) },
        }),
      ),
    );
    for (const [index, { content }] of answers.entries()) {
      const { text } = content[0] as { readonly text: string };
      expect([index, text.includes(pathOf(index)), text.includes(pathOf(index + 1))]).toEqual([index, true, false]);
    }
  });
});

function pathOf(index: number): string {
  return index % 2 === 0 ? "docs/kelp.md" : "docs/mooring.md";
}

function wordOf(index: number): string {
  return index % 2 === 0 ? "alga" : "permit";
}
