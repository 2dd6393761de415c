import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { indexFolder, KELP, openIndex, RawServer, temporaryFolders, writeFiles } from "./support.js";

const folder = temporaryFolders();

async function indexed(): Promise<string> {
  const cwd = folder(KELP);
  await indexFolder(cwd, "docs");
  return cwd;
}

test("mc-stdout-clean: what a dependency prints goes to stderr, and every line of stdout is a message", async () => {
  const cwd = await indexed();
  const inner = pathToFileURL(createRequire(import.meta.url).resolve("@docsearch/store-sqlite")).href;
  writeFiles(cwd, {
    "store.mjs": `
      console.log("noise-from-plugin");
      process.stdout.write("raw noise\\n");
      const { provider: inner } = await import(${JSON.stringify(inner)});
      export const provider = { ...inner, fromEnv: (env) => { console.info("noise at open"); return inner.fromEnv(env); } };
    `,
  });
  const server = new RawServer(cwd, [], { DOCS_STORE_BACKEND: `${cwd}/store.mjs` });
  await server.initialize();
  await server.answerTo(server.post("tools/list"));
  for (let count = 0; count < 5; count++) {
    expect((await server.call("search", { query: "kelp" })).text).toContain("docs/kelp.md");
  }
  expect((await server.call("index_path", { path: "docs" })).text).toContain(" done: ");
  expect(await server.close()).toBe(0);
  expect(server.junk).toEqual([]);
  expect(server.messages.filter(({ id }) => id !== undefined)).toHaveLength(8);
  // At the import, and in the thread that indexes once more.
  for (const noise of ["noise-from-plugin", "raw noise", "noise at open"]) {
    expect(server.stderr.split(noise)).toHaveLength(3);
  }
});

test("a dependency that ends stdout does not end the protocol", async () => {
  const cwd = await indexed();
  const inner = pathToFileURL(createRequire(import.meta.url).resolve("@docsearch/store-sqlite")).href;
  writeFiles(cwd, {
    "store.mjs": `export { provider } from ${JSON.stringify(inner)};\nprocess.stdout.end("last noise\\n");\n`,
  });
  const server = new RawServer(cwd, [], { DOCS_STORE_BACKEND: `${cwd}/store.mjs` });
  await server.initialize();
  expect((await server.call("search", { query: "kelp" })).text).toContain("docs/kelp.md");
  expect(await server.close()).toBe(0);
  expect(server.junk).toEqual([]);
  expect(server.stderr).toBe("last noise\n");
});

test("requests that wait for a slow reader are answered, without a warning", async () => {
  const server = new RawServer(await indexed());
  await server.initialize();
  server.child.stdout.pause();
  const ids = Array.from({ length: 100 }, () => server.post("tools/list"));
  // The pipe is full by then.
  await new Promise((resolve) => setTimeout(resolve, 500));
  server.child.stdout.resume();
  for (const id of ids) expect((await server.answerTo(id)).result.tools).toHaveLength(8);
  expect(await server.close()).toBe(0);
  expect(server.stderr).toBe("");
});

test("#4: a request that is followed by the end of the input is answered before the server ends", async () => {
  const cwd = await indexed();
  const server = new RawServer(cwd);
  server.post("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "t", version: "0" },
  });
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  server.callTool("search", { query: "blades" });
  server.callTool("list_sources", {});
  expect(await server.close()).toBe(0);
  expect(server.messages.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
  expect(server.messages.find(({ id }) => id === 2)?.result.content[0].text).toContain("docs/kelp.md:5-7");
  expect(server.junk).toEqual([]);
});

test("both eras are answered, also behind a line that is no JSON", async () => {
  const cwd = await indexed();
  const legacy = new RawServer(cwd);
  const { result } = await legacy.initialize();
  expect(result).toMatchObject({ protocolVersion: "2025-11-25", serverInfo: { name: "docsearch" } });
  legacy.send("this is not json");
  expect((await legacy.answerTo(legacy.post("tools/list"))).result.tools).toHaveLength(8);
  expect(await legacy.close()).toBe(0);

  const modern = new RawServer(cwd);
  const discovered = await modern.answerTo(modern.postModern("server/discover"));
  expect(discovered.result).toMatchObject({ resultType: "complete", ttlMs: 60_000, cacheScope: "private" });
  expect(discovered.result.instructions).toContain("search with the words");
  modern.send("{");
  const listed = await modern.answerTo(modern.postModern("tools/list"));
  expect(listed.result).toMatchObject({ ttlMs: 300_000, cacheScope: "public" });
  expect(listed.result.tools).toHaveLength(8);
  await modern.answerTo(modern.postModern("tools/call", { name: "index_path", arguments: { path: "docs" } }));
  expect(await modern.close()).toBe(0);
  // What nobody has subscribed to is not told.
  expect(modern.messages.filter(({ method }) => method !== undefined)).toEqual([]);
});

test("a line that is no message is answered by an error, with the request's id where it has one", async () => {
  const server = new RawServer(await indexed());
  await server.initialize();
  const rows: readonly (readonly [line: string, ...answers: (readonly [id: unknown, code: number])[]])[] = [
    ["not json", [null, -32700]],
    ["{", [null, -32700]],
    ["", ...[]],
    ["\r", ...[]],
    ["[]", [null, -32600]],
    ["null", [null, -32600]],
    ["{}", [null, -32600]],
    ['{"jsonrpc":"1.0","id":"a","method":"ping"}', ["a", -32600]],
    ['{"id":"b","method":"ping"}', ["b", -32600]],
    ['{"jsonrpc":"2.0","id":"c","method":"ping","params":[1]}', ["c", -32600]],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', [null, -32600]],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', [null, -32600]],
    [
      '[{"jsonrpc":"2.0","id":"d","method":"ping"},{"jsonrpc":"2.0","id":"e","method":"ping"}]',
      ["d", -32600],
      ["e", -32600],
    ],
    [`{"jsonrpc":"2.0","id":"f","method":"${"x".repeat(12_000_000)}"}`, [null, -32600]],
  ];
  for (const [line, ...answers] of rows) {
    const before = server.messages.length;
    server.send(line);
    // Whatever the line is, the next request is answered, behind it.
    expect((await server.answerTo(server.post("ping"))).result).toEqual({});
    const given = server.messages.slice(before, -1).map(({ id, error }) => [id, error?.code]);
    expect([line.slice(0, 60), given]).toEqual([line.slice(0, 60), answers]);
  }
  expect((await server.call("search", { query: "kelp" })).text).toContain("docs/kelp.md");
  expect(await server.close()).toBe(0);
  expect(server.junk).toEqual([]);
});

test("an answer needs no index: the opening and the tools come without one, and a search says how to make it", async () => {
  const cwd = folder(KELP);
  const server = new RawServer(cwd);
  await server.initialize();
  expect((await server.answerTo(server.post("tools/list"))).result.tools).toHaveLength(8);
  expect(await server.call("search", { query: "kelp" })).toEqual({
    text: 'There is no index yet. Call index_path with a folder of the project, such as ".".',
    isError: true,
    data: undefined,
  });
  const { text } = await server.call("index_path", { path: "docs" });
  expect(text).toBe(
    "job-1 (docs) done: 2 documents, 2 new or changed, 0 unchanged, 0 removed, 0 failed, 3 chunks written.",
  );
  expect((await server.call("search", { query: "permit" })).text).toContain("docs/mooring.md:1-3");
  await server.close();
});

test("instructions name the sources of the index, once they are known", async () => {
  const cwd = await indexed();
  const first = new RawServer(cwd);
  await first.initialize();
  await first.call("list_sources", {});
  // The names are looked up a moment after the index was opened.
  await new Promise((resolve) => setTimeout(resolve, 600));
  await first.close();
  const second = new RawServer(cwd);
  const { result } = await second.initialize();
  expect(result.instructions).toMatch(/\nSources: "docs"\.$/);
  const skills = await second.answerTo(second.post("skills/list"));
  expect(JSON.stringify(skills.result.skills)).toContain("Sources: docs.");
  expect(second.stderr).toBe("");
  expect(result.instructions.length).toBeLessThanOrEqual(1900);
  await second.close();
});

test.each(["eof", "SIGTERM", "SIGINT"] as const)(
  "mc-stdin-eof: idle, the server ends at %s with code 0",
  async (end) => {
    const cwd = await indexed();
    const server = new RawServer(cwd);
    await server.initialize();
    await server.call("search", { query: "kelp" });
    if (end === "eof") server.child.stdin.end();
    else server.child.kill(end);
    expect(await server.exited).toEqual({ code: 0, signal: null });
  },
);

test.each(["eof", "SIGTERM"] as const)(
  "mc-stdin-eof: while it indexes, the server ends at %s and the index is whole",
  async (end) => {
    const files = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [
        `docs/${index}.md`,
        `# D ${index}\n\n${"kelp and anemone ".repeat(150)}\n`,
      ]),
    );
    const cwd = folder(files);
    const server = new RawServer(cwd);
    await server.initialize();
    server.callTool("index_path", { path: "docs", wait_ms: 50_000 }, { progressToken: "p" });
    await server.until(() => server.messages.some(({ method }) => method === "notifications/progress"));
    if (end === "eof") server.child.stdin.end();
    else server.child.kill(end);
    expect(await server.exited).toEqual({ code: 0, signal: null });

    const docsearch = await openIndex(cwd, "read");
    expect(await docsearch.check()).toEqual({ faults: [] });
    await docsearch.close();
  },
);

test("the skill of this server is listed and read", async () => {
  const server = new RawServer(await indexed());
  await server.initialize();
  const { result } = await server.answerTo(server.post("skills/list"));
  expect(result.skills).toHaveLength(1);
  const read = await server.answerTo(server.post("resources/read", { uri: "skill://docsearch/SKILL.md" }));
  expect(read.result.contents[0].text).toMatch(/^---\nname: docsearch\n/);
  await server.close();
});
