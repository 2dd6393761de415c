import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { indexFolder, KELP, RawServer, temporaryFolders } from "./support.js";

const folder = temporaryFolders();

test("two tools with one string each; the object comes as it is and as JSON text", async () => {
  const cwd = folder(KELP);
  await indexFolder(cwd);
  const server = new RawServer(cwd, ["--profile", "chatgpt"], {
    DOCS_SERVER_PUBLIC_URL: "https://docs.example.com/wiki",
  });
  await server.initialize();
  const { result } = await server.answerTo(server.post("tools/list"));
  expect(
    result.tools.map(({ name, inputSchema, outputSchema, annotations }: Record<string, Record<string, unknown>>) => [
      name,
      Object.keys(inputSchema?.properties as object),
      inputSchema?.required,
      Object.keys(outputSchema?.properties as object),
      annotations?.readOnlyHint,
    ]),
  ).toEqual([
    ["search", ["query"], ["query"], ["results"], true],
    ["fetch", ["id"], ["id"], ["id", "title", "url", "text", "metadata"], true],
  ]);

  const found = await server.call("search", { query: "kelp" });
  expect((found.data as { results: object[] }).results[0]).toEqual({
    id: "docs/kelp.md",
    title: "Kelp",
    url: "https://docs.example.com/wiki/docs/kelp.md",
  });
  expect(JSON.parse(found.text)).toEqual(found.data);
  const fetched = await server.call("fetch", { id: "docs/kelp.md" });
  expect(fetched.data).toEqual({
    id: "docs/kelp.md",
    title: "Kelp",
    url: "https://docs.example.com/wiki/docs/kelp.md",
    text: KELP["docs/kelp.md"]?.trimEnd(),
    metadata: { source: ".", lines: "1-7 of 7" },
  });
  expect(JSON.parse(fetched.text)).toEqual(fetched.data);
  expect(await server.call("fetch", { id: "none.md" })).toMatchObject({ isError: true });
  await server.close();
});

test("a long document is fetched in parts by the id that the last part names", async () => {
  const lines = Array.from({ length: 2000 }, (_, index) => `Line ${index} of a long page about kelp and the sea.`);
  const cwd = folder({ "long.md": lines.join("\n") });
  await indexFolder(cwd);
  const server = new RawServer(cwd, ["--profile", "chatgpt"]);
  await server.initialize();
  const parts: string[] = [];
  let id: string | undefined = "long.md";
  while (id !== undefined) {
    const { data } = await server.call("fetch", { id });
    const { text, metadata } = data as { text: string; metadata: { next?: string } };
    expect(text.length).toBeLessThanOrEqual(40_000);
    parts.push(text);
    id = metadata.next;
  }
  expect(parts.join("\n")).toBe(lines.join("\n"));
  await server.close();
});

test("its searches are logged like any other", async () => {
  const cwd = folder(KELP);
  await indexFolder(cwd);
  const file = join(cwd, "queries.jsonl");
  const env = { DOCS_QUERY_LOG: file, DOCS_QUERY_LOG_TEXT: "yes" };
  const server = new RawServer(cwd, ["--profile", "chatgpt"], env);
  await server.initialize();
  await server.call("search", { query: "blades of kelp" });
  await server.call("search", { query: "nothing of that kind" });
  await server.close();
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { client: "mcp", query: "blades of kelp" },
    { client: "mcp", query: "nothing of that kind" },
  ]);
});
