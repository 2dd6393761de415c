import { expect, test } from "vitest";
import { parseInput } from "../src/schemas.js";
import { ORDER, RED_TEAM } from "./red-team.js";
import { outsideOfQuotes, serviceOf } from "./support.js";

/** Also in pieces: no word of the order may stand where the server speaks. */
const ORDERS = /IGNORE|PREVIOUS|INSTRUCTIONS/;

test("there are twenty files", () => {
  expect(RED_TEAM).toHaveLength(20);
});

test.each([500, 1500, 8000, 40_000])(
  "search with %i characters: orders stay inside the quotations",
  async (max_chars) => {
    const { service } = await serviceOf(RED_TEAM);
    for (const limit of [1, 5, 50]) {
      const { text } = await service.search(parseInput("search", { query: "anchorage", limit, max_chars }));
      expect(outsideOfQuotes(text)).not.toMatch(ORDERS);
      expect(text.length).toBeLessThanOrEqual(max_chars);
      expect(text).not.toMatch(/[\u0001\u001b\u200b\u202e\u2028\r]|[\u{e0000}-\u{e007f}]/u);
    }
  },
);

test("reading, chunks, outlines and lists, too", async () => {
  const { service, docsearch } = await serviceOf(RED_TEAM);
  for (const { path } of RED_TEAM) {
    const [chunk] = await docsearch.getDocumentChunks(path);
    const answers = [
      await service.read(parseInput("read", { path })),
      await service.outline(parseInput("outline", { path })),
      await service.getChunk(parseInput("get_chunk", { chunk_id: chunk?.id, after: 20 })),
    ];
    for (const { text } of answers) expect(outsideOfQuotes(text)).not.toMatch(ORDERS);
  }
  const files = await service.outline(parseInput("outline", { source: "docs" }));
  expect(outsideOfQuotes(files.text)).not.toMatch(ORDERS);
  expect(files.text).toContain(ORDER);
  expect(outsideOfQuotes((await service.listSources({})).text)).not.toMatch(ORDERS);
});

test("paths that an error suggests are quoted; a name of a source that speaks is not repeated", async () => {
  const { service } = await serviceOf([...RED_TEAM, { path: "x.md", text: "kelp", collection: ORDER }]);
  const wrongPath = await service.read(parseInput("read", { path: "INSTRUCTIONS.md" })).catch(String);
  expect(wrongPath).toContain(`${ORDER}.md`);
  expect(outsideOfQuotes(String(wrongPath).replace('"INSTRUCTIONS.md"', ""))).not.toMatch(ORDERS);
  const wrongSource = await service.search(parseInput("search", { query: "x", sources: ["none"] })).catch(String);
  expect(wrongSource).toBe('DocsearchError: There is no source "none"; sources: "docs", 1 more (list_sources).');
});
