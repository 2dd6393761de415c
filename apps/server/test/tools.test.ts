import { readFileSync } from "node:fs";
import { join } from "node:path";
import { docsearchFromEnv } from "@docsearch/core";
import { expect, test } from "vitest";
import { instructions } from "../src/instructions.js";
import { readOptions } from "../src/options.js";
import { indexFolder, KELP, RawServer, temporaryFolders, writeFiles } from "./support.js";

const folder = temporaryFolders();

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
  readonly annotations: Readonly<Record<string, boolean>>;
}

async function listTools(
  args: readonly string[] = [],
): Promise<{ readonly tools: ListedTool[]; readonly json: string }> {
  const server = new RawServer(folder(KELP), args);
  await server.initialize();
  const { result } = await server.answerTo(server.post("tools/list"));
  await server.close();
  return { tools: result.tools, json: JSON.stringify(result.tools) };
}

test("the list of tools is under 4,000 characters and within the limits of all clients", async () => {
  const { tools, json } = await listTools();
  expect(json.length).toBeLessThan(4000);
  expect(tools.map(({ name }) => name)).toEqual([
    "search",
    "get_chunk",
    "read",
    "outline",
    "list_sources",
    "index_path",
    "index_status",
    "remove_source",
  ]);
  for (const { name, description, inputSchema } of tools) {
    expect(name).toMatch(/^[a-z0-9_]{1,40}$/);
    expect(description.length).toBeLessThanOrEqual(1024);
    for (const property of Object.values(inputSchema.properties)) {
      expect(property.description).toMatch(/\S/);
      if (property.type === "integer")
        expect([typeof property.minimum, typeof property.maximum]).toEqual(["number", "number"]);
    }
  }
  expect(json).not.toMatch(/\$ref|anyOf/);
});

test("readers say that they read, writers what they do", async () => {
  const { tools } = await listTools();
  expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))).toEqual({
    search: { readOnlyHint: true, openWorldHint: false },
    get_chunk: { readOnlyHint: true, openWorldHint: false },
    read: { readOnlyHint: true, openWorldHint: false },
    outline: { readOnlyHint: true, openWorldHint: false },
    list_sources: { readOnlyHint: true, openWorldHint: false },
    index_path: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    index_status: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    remove_source: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  });
});

test("--read-only hides the writers", async () => {
  const { tools } = await listTools(["--read-only"]);
  expect(tools.map(({ name }) => name)).toEqual(["search", "get_chunk", "read", "outline", "list_sources"]);
});

test("the list is the same at every call and after indexing", async () => {
  const server = new RawServer(folder(KELP));
  await server.initialize();
  const list = async (): Promise<string> => JSON.stringify((await server.answerTo(server.post("tools/list"))).result);
  const first = await list();
  for (let count = 0; count < 20; count++) expect(await list()).toBe(first);
  await server.call("index_path", { path: "docs" });
  expect(await list()).toBe(first);
  await server.close();
});

test("bad arguments are results that the model can mend; an unknown tool is an error of the protocol", async () => {
  const cwd = folder(KELP);
  await indexFolder(cwd);
  const server = new RawServer(cwd);
  await server.initialize();
  const unknown = await server.call("search", { query: "kelp", top: 3 });
  expect(unknown).toMatchObject({ isError: true });
  expect(unknown.text).toContain('unknown argument "top"; known: query, limit, offset, mode');
  expect((await server.call("search", { query: "kelp", limit: 500 })).text).toContain("limit must be at most 50");
  expect((await server.call("search", { q: "kelp", k: 1 })).text).toContain("Result 1 of 1 or more.");
  expect((await server.call("read", { file: "docs/kelp.md:1" })).text).toContain("# Kelp");
  expect((await server.call("get_chunk", { chunk_id: "none" })).text).toContain("Ids come from search");
  expect((await server.call("index_status", { job_id: "job-9" })).text).toBe(
    'There is no job "job-9"; known: none. Jobs are forgotten when the server ends.',
  );
  expect((await server.answerTo(server.callTool("nope", {}))).error).toMatchObject({ code: -32602 });
  await server.close();
});

test("mc-output-budget: 50 long documents, all with the word", async () => {
  const filler = "a permit to moor needs a signed form. ".repeat(530);
  const cwd = folder(
    Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`docs/${index}.md`, `# Policy ${index}\n\n${filler}\n`]),
    ),
  );
  await indexFolder(cwd);
  const server = new RawServer(cwd);
  await server.initialize();
  for (const max_chars of [undefined, 500, 40_000]) {
    const { text } = await server.call("search", { query: "permit", limit: 50, ...(max_chars && { max_chars }) });
    expect(text.length).toBeLessThanOrEqual(max_chars ?? 8000);
    expect(text).toMatch(/^Results? \d+(-\d+)? of 50 or more\./);
    expect(text).toMatch(/search again with offset \d+\.$/);
    const headers = text.split("\n").filter((line) => line.startsWith("~~~~ "));
    for (const header of headers)
      expect(header).toMatch(/^~~~~ \[\d+\] docs\/\d+\.md:\d+-\d+ > Policy \d+ \(id \S+, score [\d.]+(, cut)?\)$/);
  }
  await server.close();
});

test("structured: results as objects that hold what the text says, with a schema", async () => {
  const cwd = folder(KELP);
  await indexFolder(cwd);
  const server = new RawServer(cwd, ["--structured"]);
  await server.initialize();
  const { result } = await server.answerTo(server.post("tools/list"));
  for (const tool of result.tools) expect(tool.outputSchema).toMatchObject({ type: "object" });
  const { text, data } = await server.call("search", { query: "blades" });
  const [hit] = (
    data as { results: { path: string; startLine: number; endLine: number; chunkId: string; text: string }[] }
  ).results;
  expect(text).toContain(`${hit?.path}:${hit?.startLine}-${hit?.endLine}`);
  expect(text).toContain(`id ${hit?.chunkId}`);
  expect(text).toContain(hit?.text);
  const read = await server.call("read", { path: `${hit?.path}:${hit?.startLine}-${hit?.endLine}` });
  expect((read.data as { text: string }).text).toBe(hit?.text);
  await server.close();
});

test("text alone by default, and an object beside it for a status", async () => {
  const cwd = folder(KELP);
  await indexFolder(cwd);
  const server = new RawServer(cwd);
  await server.initialize();
  expect((await server.call("search", { query: "kelp" })).data).toBeUndefined();
  expect((await server.call("list_sources", {})).data).toMatchObject({
    sources: [{ name: ".", documents: 2, code: 0 }],
  });
  expect((await server.call("remove_source", { path: "docs/kelp.md" })).data).toEqual({ removed: 1 });
  expect((await server.call("list_sources", {})).data).toMatchObject({ documents: 1 });
  await server.close();
});

test("an index of words alone answers and is brought up to date with words alone, where nothing names an embedder", async () => {
  const cwd = folder(KELP);
  const first = new RawServer(cwd, [], { DOCS_EMBEDDER_BACKEND: "none" });
  await first.initialize();
  await first.call("index_path", { path: ".", wait_ms: 50_000 });
  await first.close();
  writeFiles(cwd, { "docs/tide.md": "# Tides\n\nThe tide falls twice a day.\n" });
  const server = new RawServer(cwd);
  await server.initialize();
  const before = await server.call("search", { query: "blades of kelp" });
  expect([before.isError, before.text.includes("docs/kelp.md")]).toEqual([false, true]);
  expect((await server.call("index_path", { path: ".", wait_ms: 50_000 })).text).toContain(" done: ");
  expect((await server.call("search", { query: "tide" })).text).toContain("docs/tide.md");
  await server.close();
  const env = { DOCS_STORE_URL: join(cwd, ".docsearch", "index.db"), DOCS_EMBEDDER_BACKEND: "none" };
  const index = await docsearchFromEnv(env, { root: join(import.meta.dirname, ".."), mode: "read" });
  const { schema, stats } = await index.status();
  await index.close();
  expect([schema.embedding, stats.documents, stats.vectors]).toEqual([null, 3, 0]);
});

test("searches are logged where the environment asks for it, without what was asked", async () => {
  const cwd = folder(KELP);
  await indexFolder(cwd);
  const file = join(cwd, "log", "queries.jsonl");
  const server = new RawServer(cwd, [], { DOCS_QUERY_LOG: file });
  await server.initialize();
  await server.call("search", { query: "blades of kelp" });
  await server.close();
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] as string)).toMatchObject({ client: "mcp" });
  expect(lines[0]).not.toContain("blades");
});

test("instructions stay under 1,900 characters, whatever the sources", () => {
  const options = readOptions([], {}, "/");
  const many = Array.from({ length: 500 }, (_, index) => `folder-${index}`);
  const text = instructions(options, many);
  expect(text.length).toBeLessThanOrEqual(1900);
  expect(text).toMatch(/more by list_sources\.$/);
  expect(instructions({ ...options, profile: "chatgpt" }, many)).not.toContain("folder-1");
});
