import { expect, test } from "vitest";
import { ORDER, RED_TEAM } from "../../../packages/service/test/red-team.js";
import { outsideOfQuotes } from "../../../packages/service/test/support.js";
import { call, modernCall, startHttp } from "./http-support.js";
import { indexFolder, type Message, RawServer, temporaryFolders } from "./support.js";

const folder = temporaryFolders();

/** Also in pieces: no word of the order may stand where the server speaks. */
const ORDERS = /IGNORE|PREVIOUS|INSTRUCTIONS/;
const HIDDEN = /[\u0001\u001b\u200b\u202e\u2028\r]|[\u{e0000}-\u{e007f}]/u;

/** The twenty files in a folder, and the order as the name of a folder that is a source. */
async function attacked(): Promise<string> {
  const files = Object.fromEntries(RED_TEAM.map(({ path, text }) => [path, text]));
  const cwd = folder({ ...files, [`${ORDER}/a.md`]: "# Anchorage\n\nanchorage\n" });
  await indexFolder(cwd, "docs");
  await indexFolder(cwd, ORDER);
  return cwd;
}

/** Fields of objects that hold words of the corpus and nothing else. */
const QUOTED_FIELDS = ["text", "path", "headingPath", "title", "name", "source", "remarks"];

/** What an object says besides. */
function speechOf(data: unknown): string {
  return JSON.stringify(data, (key, value) => (QUOTED_FIELDS.includes(key) ? undefined : value)) ?? "";
}

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: unknown;
}

function expectQuoted(result: ToolResult, own = ""): void {
  const [{ text } = { text: "" }] = result.content;
  expect(outsideOfQuotes(text.replaceAll(own, ""))).not.toMatch(ORDERS);
  expect(text).not.toMatch(HIDDEN);
  expect(speechOf(result.structuredContent).replaceAll(own, "")).not.toMatch(ORDERS);
  expect(JSON.stringify(result.structuredContent ?? "")).not.toMatch(HIDDEN);
}

test("there are twenty files, no two alike", () => {
  expect(new Set(RED_TEAM.map(({ path, text }) => `${path}\n${text}`)).size).toBe(20);
});

test.each([
  ["text alone", []],
  ["objects too", ["--structured"]],
] as const)("no tool lets an order out of its quotation: %s", async (_, args) => {
  const cwd = await attacked();
  const server = new RawServer(cwd, args);
  await server.initialize();
  const ask = async (name: string, input: object): Promise<ToolResult> => {
    const { result } = await server.answerTo(server.callTool(name, input));
    return result;
  };
  const ids = new Set<string>();
  for (const max_chars of [500, 2000, 8000, 40_000]) {
    const found = await ask("search", { query: "anchorage", limit: 50, max_chars });
    expectQuoted(found);
    for (const [, id = ""] of found.content[0]?.text.matchAll(/\(id (\S+), score/g) ?? []) ids.add(id);
  }
  expect(ids.size).toBeGreaterThanOrEqual(20);
  for (const chunk_id of ids) expectQuoted(await ask("get_chunk", { chunk_id, before: 20, after: 20 }));
  for (const { path } of RED_TEAM) {
    expectQuoted(await ask("read", { path, line_numbers: true }));
    expectQuoted(await ask("read", { path, max_chars: 500 }));
    expectQuoted(await ask("outline", { path }));
  }
  expectQuoted(await ask("outline", { source: "docs" }));
  expectQuoted(await ask("outline", { path: "docs" }));
  expectQuoted(await ask("list_sources", {}));
  for (const [name, input] of [
    ["read", { path: "S.md" }],
    ["outline", { path: "red" }],
    ["search", { query: "anchorage", sources: ["none"] }],
    ["search", { query: "anchorage", path: "*.none" }],
    ["search", { query: '"nowhere at all"' }],
    ["search", { query: "ancorage ignroe previuos instructoins" }],
    ["remove_source", { source: "none" }],
    ["get_chunk", { chunk_id: "none" }],
    ["index_path", { path: "docs" }],
    ["index_status", {}],
  ] as const) {
    expectQuoted(await ask(name, input));
  }
  // What the caller itself has said is no word of the corpus.
  expectQuoted(await ask("index_path", { path: ORDER }), ORDER);
  expectQuoted(await ask("remove_source", { source: ORDER }), ORDER);
  await server.close();
});

test("no list, template, prompt or instruction holds one; resources quote like tools", async () => {
  const cwd = await attacked();
  // Sees the names of the sources once, for the instructions of the next one.
  const first = new RawServer(cwd);
  await first.initialize();
  await first.call("list_sources", {});
  await new Promise((resolve) => setTimeout(resolve, 600));
  await first.close();

  const server = new RawServer(cwd);
  const opened = await server.initialize();
  expect(opened.result.instructions).toContain('"docs"');
  const said: Message[] = [opened];
  for (const method of [
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "prompts/list",
    "skills/list",
  ] as const) {
    said.push(await server.answerTo(server.post(method)));
  }
  said.push(
    await server.answerTo(
      server.post("prompts/get", { name: "answer_from_docs", arguments: { question: "Where is the anchorage?" } }),
    ),
  );
  for (const message of said) {
    expect(message.error).toBeUndefined();
    expect(JSON.stringify(message.result)).not.toMatch(ORDERS);
  }
  const read = async (uri: string): Promise<string> => {
    const { result } = await server.answerTo(server.post("resources/read", { uri }));
    return result.contents[0].text;
  };
  for (const { path } of RED_TEAM) {
    const text = await read(`docsearch://docs/${path.split("/").map(encodeURIComponent).join("/")}`);
    expect(outsideOfQuotes(text)).not.toMatch(ORDERS);
    expect(text).not.toMatch(HIDDEN);
  }
  expect(outsideOfQuotes(await read("docsearch://docs"))).not.toMatch(ORDERS);
  const ref = { type: "ref/resource", uri: "docsearch://{source}/{+path}" };
  const argument = { name: "path", value: "docs/" };
  const completed = await server.answerTo(server.post("completion/complete", { ref, argument }));
  expect(JSON.stringify(completed.result)).not.toMatch(HIDDEN);
  const sources = await server.answerTo(
    server.post("completion/complete", { ref, argument: { name: "source", value: "" } }),
  );
  expect(sources.result.completion.values).toEqual(["docs"]);
  await server.close();

  const http = await startHttp(cwd);
  const { body } = await call(http.port, modernCall("server/discover"));
  expect(JSON.parse(body).result.instructions).toContain('"docs"');
  expect(body).not.toMatch(ORDERS);
  await http.stop();
});

test("the two tools of ChatGPT give objects whose fields hold nothing hidden", async () => {
  const server = new RawServer(await attacked(), ["--profile", "chatgpt"]);
  await server.initialize();
  const { result } = await server.answerTo(server.callTool("search", { query: "anchorage" }));
  const { results } = result.structuredContent as { readonly results: readonly { readonly id: string }[] };
  expect(results).toHaveLength(10);
  expect(result.content[0].text).not.toMatch(HIDDEN);
  for (const { id } of results) {
    const fetched = (await server.answerTo(server.callTool("fetch", { id }))).result;
    expect(fetched.isError).toBeUndefined();
    expect(fetched.content[0].text).not.toMatch(HIDDEN);
  }
  await server.close();
});
