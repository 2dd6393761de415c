import type { Chunk, ChunkDraft, ChunkerFactory, ChunkSymbol, Document } from "@docsearch/spec";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDocsearch, type Docsearch, memoryStore, type SymbolHit } from "../src/index.js";

/** Chunks at blank lines; a line `kind Qualified.name` is a definition. */
const codeChunker: ChunkerFactory = {
  specVersion: 1,
  name: "test-code",
  id: "test-code",
  load: async () => ({
    specVersion: 1,
    id: "test-code",
    supports: ({ mediaType }) => mediaType === "text/x-test",
    chunk(document) {
      const chunks: ChunkDraft[] = [];
      let line = 1;
      let offset = 0;
      for (const part of document.text.split("\n\n")) {
        const rows = part.split("\n");
        const symbols = rows.flatMap((row, i): ChunkSymbol[] => {
          const [, kind, qualifiedName] = /^(function|class|method) (\S+)$/.exec(row) ?? [];
          if (kind === undefined || qualifiedName === undefined) return [];
          const at = line + i;
          return [{ name: qualifiedName.split(".").at(-1)!, kind, qualifiedName, line: at, endLine: at }];
        });
        chunks.push({
          text: part,
          span: {
            startOffset: offset,
            endOffset: offset + part.length,
            startLine: line,
            endLine: line + rows.length - 1,
          },
          headingPath: symbols.slice(0, 1).map(({ qualifiedName }) => qualifiedName),
          language: "test",
          symbols,
          metadata: {},
        });
        offset += part.length + 2;
        line += rows.length + 1;
      }
      return { chunks, outline: [], diagnostics: [] };
    },
  }),
};

function file(path: string, text: string): Document {
  const mediaType = path.endsWith(".code") ? "text/x-test" : "text/plain";
  return { id: path, path, collection: "c", text, contentHash: text, mediaType, metadata: {} };
}

let docsearch: Docsearch;

beforeAll(async () => {
  docsearch = await createDocsearch({ store: memoryStore(), chunkers: [codeChunker] });
  await docsearch.index({
    documents: [
      file("b.code", "class Router\nmethod Router.match\n\nfunction parseQuery"),
      file("a.code", "method Cache.match\n\nfunction Match\nfunction matchAll"),
      file("calls.code", "match()\nmatch()\nmatch()"),
      file("guide.txt", "Call `Router.match(path)` to find a route. `unknown()` and `parsequery` are no names here."),
      file("other.txt", "A match is played by two teams."),
    ],
  });
});
afterAll(() => docsearch.close());

const places = (hits: readonly SymbolHit[]): string[] =>
  hits.map(({ symbol, document }) => `${document.path}:${symbol.line} ${symbol.kind} ${symbol.qualifiedName}`);
const paths = (chunks: readonly Chunk[]): string[] => chunks.map(({ documentId }) => documentId);

test("definitions of a name come in its case first, then by path and line; uses are no definitions", async () => {
  const { definitions, similar } = await docsearch.findSymbols({ name: "match" });
  expect(places(definitions)).toEqual([
    "a.code:1 method Cache.match",
    "b.code:2 method Router.match",
    "a.code:3 function Match",
  ]);
  expect(similar).toEqual([]);
});

test("a qualified name, a kind and a filter narrow them", async () => {
  expect(places((await docsearch.findSymbols({ name: "Router.match" })).definitions)).toEqual([
    "b.code:2 method Router.match",
  ]);
  expect(places((await docsearch.findSymbols({ name: "match", kind: "function" })).definitions)).toEqual([
    "a.code:3 function Match",
  ]);
  const filter = { op: "in", field: "path", values: ["a.code"] } as const;
  expect(places((await docsearch.findSymbols({ name: "match", filter, limit: 1 })).definitions)).toEqual([
    "a.code:1 method Cache.match",
  ]);
});

test("a name with part of what is around it finds what lies deeper, in the notation of any language", async () => {
  const deep = await createDocsearch({ store: memoryStore(), chunkers: [codeChunker] });
  await deep.index({ documents: [file("net.code", "method net.Server.listen\n\nmethod tls.Tunnel.listen")] });
  for (const name of ["Server.listen", "Server::listen", "Server#listen", "server->listen", "net.Server.listen"]) {
    const { definitions, similar } = await deep.findSymbols({ name });
    expect([places(definitions), similar]).toEqual([["net.code:1 method net.Server.listen"], []]);
  }
  expect((await deep.findSymbols({ name: "erver.listen" })).definitions).toEqual([]);
  await deep.close();
});

test("names that begin like an unknown one are offered", async () => {
  expect(await docsearch.findSymbols({ name: "matc" })).toEqual({ definitions: [], similar: ["match", "matchall"] });
  expect(await docsearch.findSymbols({ name: "zzz" })).toEqual({ definitions: [], similar: [] });
  expect(await docsearch.findSymbols({ name: "" })).toEqual({
    definitions: [],
    similar: ["cache.match", "match", "matchall", "parsequery", "router", "router.match"],
  });
});

test("a search for words does not find the terms of definitions twice", async () => {
  const { results } = await docsearch.search({ query: ":match", mode: "keyword" });
  expect(results.length).toBeGreaterThan(0);
  expect(results.every(({ chunk }) => /match/i.test(chunk.text))).toBe(true);
});

test("text leads to the definitions that it names to the letter, and code to the text that names it", async () => {
  const [guide] = (await docsearch.getDocumentChunks("guide.txt")).slice(0, 1);
  const links = await docsearch.getSymbolLinks(guide!);
  expect(places(links.definitions)).toEqual(["b.code:2 method Router.match"]);
  expect(links.mentions).toEqual([]);

  const [router, query] = await docsearch.getDocumentChunks("b.code");
  expect(paths((await docsearch.getSymbolLinks(router!)).mentions)).toEqual(["guide.txt"]);
  expect(await docsearch.getSymbolLinks(query!)).toEqual({ definitions: [], mentions: [] });
});
