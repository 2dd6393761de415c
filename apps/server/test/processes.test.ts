import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { indexFolder, RawServer, temporaryFolders, writeFiles } from "./support.js";

const folder = temporaryFolders();

function pages(count: number, text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`docs/${index}.md`, `# Page ${index}\n\n${text} ${index}\n`]),
  );
}

test("three servers answer from one index while a fourth process writes it", async () => {
  const cwd = folder(pages(800, "kelp and anemone"));
  await indexFolder(cwd, "docs");
  writeFiles(cwd, pages(800, "kelp and mooring"));
  const readers = [1, 2, 3].map(() => new RawServer(cwd));
  const writer = new RawServer(cwd);
  await Promise.all([...readers, writer].map((server) => server.initialize()));

  let isDone = false;
  const writing = writer.call("index_path", { path: "docs", wait_ms: 50_000 }).finally(() => {
    isDone = true;
  });
  let searches = 0;
  await Promise.all(
    readers.map(async (reader) => {
      do {
        const { text, isError } = await reader.call("search", { query: "kelp", limit: 3 });
        expect([isError, text.split(".", 1)[0]]).toEqual([false, "Results 1-3 of 3 or more"]);
        searches++;
      } while (!isDone);
    }),
  );
  expect((await writing).text).toContain("done: 800 documents, 800 new or changed");
  expect(searches).toBeGreaterThanOrEqual(3);
  for (const reader of readers) {
    expect((await reader.call("search", { query: "mooring", limit: 1 })).text).toContain("kelp and mooring");
    expect((await reader.call("search", { query: '"and anemone"' })).text).toContain("Nothing found");
  }
  for (const server of [...readers, writer]) expect(await server.close()).toBe(0);
});

test("a server goes on with an index that was deleted and made anew", async () => {
  const cwd = folder(pages(3, "kelp"));
  await indexFolder(cwd, "docs");
  const server = new RawServer(cwd);
  await server.initialize();
  expect((await server.call("search", { query: "kelp" })).text).toContain("docs/0.md");
  rmSync(join(cwd, ".docsearch"), { recursive: true });
  expect((await server.call("search", { query: "kelp" })).text).toContain("There is no index yet.");
  expect((await server.call("remove_source", { source: "docs" })).text).toContain("There is no index yet.");
  writeFiles(cwd, { "docs/new.md": "# New\n\nanemone\n" });
  await indexFolder(cwd, "docs");
  expect((await server.call("search", { query: "anemone" })).text).toContain("docs/new.md");
  expect(await server.close()).toBe(0);
});
