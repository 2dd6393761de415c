import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { RawServer } from "../../server/test/support.js";
import { docsearch, start, temporaryFolders, writeFiles } from "./support.js";

const folder = temporaryFolders();

function pages(count: number, words: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, page) => [`docs/${page}.md`, `# Page ${page}\n\n${`${words} `.repeat(60)}\n`]),
  );
}

test("three servers answer from one index while the command, a fourth process, writes it", async () => {
  const cwd = folder(pages(600, "kelp and anemone"));
  expect((await docsearch(cwd, ["index", "docs"])).code).toBe(0);
  writeFiles(cwd, pages(600, "kelp and mooring"));
  const servers = [1, 2, 3].map(() => new RawServer(cwd));
  await Promise.all(servers.map((server) => server.initialize()));
  // Each has the index open before it is written to.
  for (const server of servers) await server.call("search", { query: "kelp" });

  const writer = start(cwd, ["index", "docs"], {});
  const said = text(writer.stdout);
  let isDone = false;
  const ended = once(writer, "close").finally(() => {
    isDone = true;
  });
  let during = 0;
  await Promise.all(
    servers.map(async (server) => {
      while (!isDone) {
        const { text: answer, isError } = await server.call("search", { query: "kelp", limit: 3 });
        expect([isError, answer.slice(0, 15)]).toEqual([false, "Results 1-3 of "]);
        if (!isDone) during++;
      }
    }),
  );
  expect(await ended).toEqual([0, null]);
  expect(await said).toContain("600");
  expect(during).toBeGreaterThanOrEqual(3);
  for (const server of servers) {
    expect((await server.call("search", { query: "mooring", limit: 1 })).text).toContain("kelp and mooring");
    expect((await server.call("search", { query: '"and anemone"' })).text).toContain("Nothing found");
    expect(await server.close()).toBe(0);
  }
});

test("a server that is asked to index waits for the command, and the command for the server", async () => {
  const cwd = folder(pages(600, "kelp and anemone"));
  const server = new RawServer(cwd);
  await server.initialize();
  const indexing = server.callTool("index_path", { path: "docs", wait_ms: 50_000 });
  const command = await docsearch(cwd, ["index", "docs", "--json"]);
  const { result } = await server.answerTo(indexing);
  expect(command.code).toBe(0);
  // One of them did the work, the other found it done.
  const replaced = [JSON.parse(command.stdout).replaced, result.structuredContent.counts.replaced];
  expect(replaced.sort((a, b) => a - b)).toEqual([0, 600]);
  await server.close();
});
