import { expect, test } from "vitest";
import { decodeCursor, encodeCursor } from "../src/cursor.js";
import { parseResourceUri, resourceUri } from "../src/resource-uri.js";
import { openIndex, RawServer, temporaryFolders } from "./support.js";

const folder = temporaryFolders();

test("sources are listed page by page, each once and in order", async () => {
  const cwd = folder();
  const docsearch = await openIndex(cwd, "write");
  const names = Array.from({ length: 250 }, (_, index) => `source-${String(index).padStart(3, "0")}`);
  await docsearch.index({
    documents: names.map((collection) => ({
      id: `${collection}/a b%.md`,
      path: `${collection}/a b%.md`,
      collection,
      text: "# Kelp\n",
      contentHash: collection,
      mediaType: "text/markdown",
      metadata: {},
    })),
  });
  await docsearch.close();

  const server = new RawServer(cwd);
  await server.initialize();
  const listed: string[] = [];
  const sizes: number[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await server.answerTo(server.post("resources/list", cursor === undefined ? {} : { cursor }));
    listed.push(...result.resources.map(({ name }: { readonly name: string }) => name));
    sizes.push(result.resources.length);
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  expect(sizes).toEqual([100, 100, 50]);
  expect(listed).toEqual(names);
  const wrong = await server.answerTo(server.post("resources/list", { cursor: "nonsense" }));
  expect(wrong.error).toMatchObject({ code: -32602 });

  const source = await server.answerTo(server.post("resources/read", { uri: "docsearch://source-007" }));
  expect(source.result.contents[0].text).toContain("source-007/a b%.md");
  const uri = resourceUri("source-007", "source-007/a b%.md");
  expect(uri).toBe("docsearch://source-007/source-007/a%20b%25.md");
  const document = await server.answerTo(server.post("resources/read", { uri }));
  expect(document.result.contents[0].text).toContain("# Kelp");
  const ref = { type: "ref/resource", uri: "docsearch://{source}/{+path}" };
  const completed = await server.answerTo(
    server.post("completion/complete", { ref, argument: { name: "source", value: "source-01" } }),
  );
  expect(completed.result.completion.values).toEqual(names.slice(10, 20));
  await server.close();
});

test("names of resources: encoded once, decoded once", () => {
  expect(resourceUri(".", "docs/a#1?.md")).toBe("docsearch://./docs/a%231%3F.md");
  expect(parseResourceUri("docsearch://./docs/a%231%3F.md")).toEqual({ source: ".", path: "docs/a#1?.md" });
  expect(parseResourceUri("docsearch://docs%2Fguide/a.md#L1-L5")).toEqual({ source: "docs/guide", path: "a.md#L1-L5" });
  expect(resourceUri("docs/guide")).toBe("docsearch://docs%2Fguide");
  expect(parseResourceUri("docsearch://docs%2Fguide")).toEqual({ source: "docs/guide", path: "" });
  expect(parseResourceUri("docsearch:///a.md")).toBeUndefined();
  expect(parseResourceUri("docsearch://a/%ff")).toBeUndefined();
  expect(parseResourceUri("https://example.com/a")).toBeUndefined();
});

test("cursors", () => {
  expect(decodeCursor(encodeCursor("docs/ü"))).toBe("docs/ü");
  expect(decodeCursor("x")).toBeUndefined();
  expect(decodeCursor(Buffer.from('{"after":1}').toString("base64url"))).toBeUndefined();
});
