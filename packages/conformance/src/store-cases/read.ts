import assert from "node:assert/strict";
import type { TermCount } from "@docsearch/spec";
import { documentIds, documentRecord, lexicalFields, page, removal } from "../builders.js";
import { hasText, type StoreCase } from "../store-case.js";

export const READ_CASES: readonly StoreCase[] = [
  {
    name: "read: lists of ids keep their length and order, misses and repetitions included",
    body: async ({ store, write }) => {
      await write(page("a", [{ words: "one" }, { words: "two" }]), page("b", [{ words: "three" }]));
      const chunks = await store.getChunks(["b#0", "no", "a#1", "a#1", "", "a#0", "a"]);
      assert.deepEqual(
        chunks.map((chunk) => chunk?.text),
        ["three", undefined, "two", "two", undefined, "one", undefined],
      );
      const documents = await store.getDocuments(["b", "no", "a", "b", "a#0"]);
      assert.deepEqual(documents, [
        documentRecord("b"),
        undefined,
        documentRecord("a"),
        documentRecord("b"),
        undefined,
      ]);
    },
  },
  {
    name: "read: a document's chunk ids come by ordinal",
    body: async ({ store, write }) => {
      await write(
        page("d", [
          { chunk: { id: "z", ordinal: 2 } },
          { chunk: { id: "b", ordinal: 10 } },
          { chunk: { id: "y", ordinal: 0 } },
          { chunk: { id: "a", ordinal: 1 } },
        ]),
        page("e", [{}]),
      );
      assert.deepEqual(await store.getChunkIds("d"), ["y", "a", "z", "b"]);
    },
  },
  {
    name: "read: counts by collection, where the store has them, are those of its documents and chunks",
    body: async ({ store, write }) => {
      if (store.countByCollection === undefined) return;
      assert.deepEqual(await store.countByCollection(), []);
      await write(
        page("a", [{ words: "one" }, { words: "two" }]),
        page("b", [], { mediaType: "text/markdown" }),
        page("c", [{ words: "three" }], { collection: "other" }),
        page("d", [{ words: "four" }, { words: "five" }, { words: "six" }]),
        page("e", [{ words: "seven" }], { collection: "gone" }),
      );
      await write(removal("e"));
      const counts = (await store.countByCollection()).map(
        ({ collection, mediaType, documents, chunks }) => `${collection} ${mediaType} ${documents} ${chunks}`,
      );
      assert.deepEqual(counts.sort(), ["docs text/markdown 1 0", "docs text/plain 2 5", "other text/plain 1 1"]);
    },
  },
  {
    name: "read: an outline comes back in order, with levels and parents",
    body: async ({ store, write }) => {
      const entry = (heading: string, level: number, line: number, parent?: number): object => ({
        heading,
        level,
        anchor: `${heading}-${line}`,
        line,
        ...(parent !== undefined && { parent }),
      });
      const outline = [
        entry("z", 1, 1),
        entry("a", 2, 5, 0),
        entry("m", 4, 6, 1),
        entry("a", 2, 10, 0),
        entry("b", 1, 11),
      ];
      const change = page("d", []);
      await write({ ...change, outline: outline as unknown as typeof change.outline }, page("e", []));
      assert.deepEqual(await store.getOutline("d"), outline);
      assert.deepEqual(await store.getOutline("e"), []);
    },
  },
  {
    name: "list: pages by id in code unit order, behind the cursor, complete",
    body: async ({ store, write }) => {
      const ids = ["c", "a", "b", "A", "a10", "a2", "é", "e\u0301", "\u{1f600}", "\uff21", "_", "-", "ab"];
      await write(...ids.map((id) => page(id, [{}])));
      const expected = ["-", "A", "_", "a", "a10", "a2", "ab", "b", "c", "e\u0301", "é", "\u{1f600}", "\uff21"];
      assert.deepEqual(await documentIds(store), expected);
      for (const limit of [1, 2, 5, 13, 14]) {
        const seen: string[] = [];
        let after: string | undefined;
        for (let pages = 0; pages <= ids.length; pages++) {
          const records = await store.listDocuments({ limit, ...(after !== undefined && { after }) });
          assert.ok(records.length <= limit);
          if (records.length === 0) break;
          seen.push(...records.map((record) => record.id));
          after = seen.at(-1)!;
        }
        assert.deepEqual(seen, expected, `pages of ${limit}`);
      }
      assert.deepEqual(await store.listDocuments({ limit: 0 }), []);
    },
  },
  {
    name: "list: the cursor need not be an id, and the filter applies before the limit",
    body: async ({ store, write }) => {
      await write(
        ...["a", "b", "c", "d", "e"].map((id) => page(id, [], { collection: id === "b" || id === "e" ? "x" : "y" })),
      );
      const after = async (cursor: string): Promise<string[]> =>
        (await store.listDocuments({ after: cursor, limit: 2 })).map((record) => record.id);
      assert.deepEqual(await after(""), ["a", "b"]);
      assert.deepEqual(await after("aa"), ["b", "c"]);
      assert.deepEqual(await after("d"), ["e"]);
      assert.deepEqual(await after("e"), []);
      const filter = { op: "in", field: "collection", values: ["x"] } as const;
      const filtered = await store.listDocuments({ after: "a", limit: 2, filter });
      assert.deepEqual(
        filtered.map((record) => record.id),
        ["b", "e"],
      );
    },
  },
  {
    name: "terms: listed by prefix in code unit order, with the number of chunks that hold them",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(
        page("d", [
          { fields: lexicalFields({ title: "node", heading: "node", body: "node node Node" }) },
          { fields: lexicalFields({ title: "node", ancestors: "above", code: "node.js no_de" }) },
        ]),
        page("e", [{ words: "nodes \u{1f600} \uff21 no%de" }]),
      );
      const list = (prefix: string, limit = 100): Promise<readonly TermCount[]> => store.listTerms({ prefix, limit });
      const [above, upper, percent, under, node, js, nodes, emoji, wide] = [
        { term: "above", chunks: 1 },
        { term: "Node", chunks: 1 },
        { term: "no%de", chunks: 1 },
        { term: "no_de", chunks: 1 },
        { term: "node", chunks: 2 },
        { term: "node.js", chunks: 1 },
        { term: "nodes", chunks: 1 },
        { term: "\u{1f600}", chunks: 1 },
        { term: "\uff21", chunks: 1 },
      ];
      assert.deepEqual(await list(""), [upper, above, percent, under, node, js, nodes, emoji, wide]);
      assert.deepEqual(await list("", 3), [upper, above, percent]);
      assert.deepEqual(await list("", 0), []);
      assert.deepEqual(await list("node"), [node, js, nodes]);
      assert.deepEqual(await list("node", 2), [node, js]);
      assert.deepEqual(await list("N"), [upper]);
      assert.deepEqual(await list("no_"), [under]);
      assert.deepEqual(await list("no%"), [percent]);
      assert.deepEqual(await list("%"), []);
      assert.deepEqual(await list("node.js"), [js]);
      assert.deepEqual(await list("node.jsx"), []);
      assert.deepEqual(await list("\u{1f600}"), [emoji]);
      assert.deepEqual(await list("\uff21"), [wide]);
    },
  },
  {
    name: "terms: those of replaced and deleted chunks are gone",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(page("a", [{ words: "one two" }, { words: "two" }]), page("b", [{ words: "two three" }]));
      await write(page("a", [{ words: "two four" }]), { type: "delete", documentId: "b" });
      assert.deepEqual(await store.listTerms({ prefix: "", limit: 10 }), [
        { term: "four", chunks: 1 },
        { term: "two", chunks: 1 },
      ]);
    },
  },
];
