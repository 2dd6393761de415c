import { DocsearchError, type SourceItem } from "@docsearch/spec";
import { expect, test } from "vitest";
import { createService, type OnSearch } from "../src/index.js";
import { indexPlaces, placeOf } from "../src/index-places.js";
import { parseInput } from "../src/schemas.js";
import { indexOf } from "./support.js";

const runJob = async (): Promise<never> => {
  throw new Error("not here");
};

test("nothing is opened before it is needed; an index that was missing is looked for again", async () => {
  const docsearch = await indexOf([{ path: "a.md", text: "kelp\n" }]);
  let opened = 0;
  const service = createService({
    async open() {
      if (++opened === 1) throw new DocsearchError("INDEX_MISSING", "none", { location: "x", command: "y" });
      return docsearch;
    },
    resolvePath: (path) => path,
    runJob,
  });
  expect(opened).toBe(0);
  const search = (): Promise<unknown> => service.search(parseInput("search", { query: "kelp" }));
  await expect(search()).rejects.toMatchObject({ code: "INDEX_MISSING" });
  await search();
  await search();
  expect(opened).toBe(2);
  await service.close();
  await expect(docsearch.status()).rejects.toMatchObject({ code: "CLOSED" });
});

test("an index that was closed or made anew is opened again, once", async () => {
  const first = await indexOf([{ path: "a.md", text: "kelp\n" }]);
  const second = await indexOf([{ path: "b.md", text: "kelp\n" }]);
  const rest = [first, second];
  const service = createService({ open: async () => rest.shift() ?? second, resolvePath: (path) => path, runJob });
  await service.search(parseInput("search", { query: "kelp" }));
  await first.close();
  const { data } = await service.search(parseInput("search", { query: "kelp" }));
  expect(data.results[0]?.path).toBe("b.md");
});

test("another index at the same place is opened; removing from none makes none", async () => {
  const first = await indexOf([{ path: "a.md", text: "kelp\n" }]);
  const second = await indexOf([{ path: "b.md", text: "kelp\n" }]);
  let place: "first" | "second" | "none" = "first";
  const modes: string[] = [];
  const service = createService({
    async open(mode) {
      modes.push(mode);
      if (place === "none") throw new DocsearchError("INDEX_MISSING", "none", { location: "x", command: "y" });
      return place === "first" ? first : second;
    },
    stamp: () => place,
    resolvePath: (path) => path,
    runJob,
  });
  const path = async (): Promise<string | undefined> =>
    (await service.search(parseInput("search", { query: "kelp" }))).data.results[0]?.path;
  expect([await path(), await path()]).toEqual(["a.md", "a.md"]);
  place = "second";
  expect([await path(), await path()]).toEqual(["b.md", "b.md"]);
  place = "none";
  await expect(service.removeSource({ source: "docs" })).rejects.toMatchObject({ code: "INDEX_MISSING" });
  expect(modes).toEqual(["read", "read", "read"]);
});

test("a place is indexed under its name in the project, and what vanished leaves", async () => {
  const docsearch = await indexOf([{ path: "docs/old.md", text: "old\n" }]);
  const item = (path: string): SourceItem => ({
    type: "document",
    document: {
      id: path,
      path,
      collection: "docs",
      text: "kelp\n",
      contentHash: "1",
      mediaType: "text/markdown",
      metadata: {},
    },
  });
  const place = placeOf({ root: "/p/docs", collection: "docs" }, true, "/p", {
    collection: "docs",
    async *read() {
      yield item("a.md");
      yield { type: "skip", path: "b.png", reason: "binary" };
    },
  });
  expect(place).toMatchObject({ collection: "docs", prefix: "docs/" });
  let documents = 0;
  const report = await indexPlaces(docsearch, {
    places: [place],
    projectRoot: "/p",
    prune: false,
    onEvent: ({ type }) => {
      if (type === "document") documents++;
    },
  });
  expect(report).toMatchObject({ scanned: 1, replaced: 1, deleted: 1 });
  expect(documents).toBe(1);
  expect((await docsearch.listDocuments({ limit: 9 })).map(({ id }) => id)).toEqual(["docs/a.md"]);
});

test("names of places: the project itself, a file in it, a folder outside", () => {
  const source = { collection: "a", async *read() {} };
  const placed = (root: string, isFolder: boolean, within?: string) =>
    placeOf({ root, collection: "a", ...(within !== undefined && { within }) }, isFolder, "/p", source);
  expect(placed("/p", true)).toEqual({ root: "/p", collection: "a", prefix: "", source });
  expect(placed("/p/docs/README.md", false)).toMatchObject({ prefix: "docs/" });
  expect(placed("/other", true)).toMatchObject({ prefix: "/other/" });
  expect(placed("/p/docs", true, "guide/a.md")).toMatchObject({ prefix: "docs/", part: "docs/guide/a.md" });
});

test("documents that are found for a client that fetches whole ones are logged like any search", async () => {
  const docsearch = await indexOf([
    { path: "a.md", text: "# Kelp\n\nkelp\n\n# More\n\nkelp\n" },
    { path: "b.md", text: "kelp\n" },
  ]);
  const seen: string[] = [];
  const onSearch: OnSearch = ({ query }, { results }) => seen.push(`${query}: ${results.length}`);
  const service = createService({ open: async () => docsearch, resolvePath: (path) => path, runJob, onSearch });
  const documents = await service.findDocuments("kelp", 10);
  expect(documents.map(({ id }) => id).sort()).toEqual(["a.md", "b.md"]);
  expect(seen).toEqual(["kelp: 2"]);
});

test("a removal takes its turn among those that change the index", async () => {
  const docsearch = await indexOf([{ path: "a.md", text: "kelp\n" }]);
  const order: string[] = [];
  const service = createService({
    open: async (mode) => {
      order.push(mode);
      return { ...docsearch, close: async () => {} };
    },
    resolvePath: (path) => path,
    runJob,
    inTurn: async (body) => {
      order.push("turn");
      const result = await body();
      order.push("end");
      return result;
    },
  });
  expect((await service.removeSource(parseInput("remove_source", { path: "./a.md" }))).data).toEqual({ removed: 1 });
  expect(order).toEqual(["read", "turn", "write", "end"]);
});
