import assert from "node:assert/strict";
import { documentRecord, page, removal, term, textIds, vectorIds } from "../builders.js";
import { hasText, hasVectors, type StoreCase } from "../store-case.js";

const NUMBERS = [0.1 + 0.2, 1 / 3, 123_456_789.123_456_79, 2 ** 53 - 1, -(2 ** 53 - 1), 1e300, -1e-300, 5e-324];

const BYTE_ORDER_MARK = "\ufeff";

/** What databases and their clients do to values on the way, and what they carry from one call to the next. */
export const VALUE_CASES: readonly StoreCase[] = [
  {
    name: "values: an empty string is not an absent one",
    body: async ({ store, write }) => {
      const record = { title: "", path: "", url: "", contentHash: "", metadata: { text: "", "": "" } };
      await write(page("empty", [{ chunk: { anchor: "", context: "" } }], record), page("absent", [{}]));
      const [empty, absent] = [documentRecord("empty", record), documentRecord("absent")];
      assert.deepEqual(await store.getDocuments(["empty", "absent"]), [empty, absent]);
      assert.deepEqual(await store.listDocuments({ limit: 10 }), [absent, empty]);
      const [first, second] = await store.getChunks(["empty#0", "absent#0"]);
      assert.deepEqual([first?.anchor, first?.context], ["", ""]);
      assert.deepEqual([second && "anchor" in second, second && "context" in second], [false, false]);
    },
  },
  {
    name: "values: numbers of metadata keep every digit",
    body: async ({ store, write }) => {
      const metadata = Object.fromEntries(NUMBERS.map((number, i) => [`n${i}`, number]));
      await write(page("d", [{ chunk: { metadata } }], { metadata }));
      assert.deepEqual(await store.getDocuments(["d"]), [documentRecord("d", { metadata })]);
      assert.deepEqual((await store.getChunks(["d#0"]))[0]?.metadata, metadata);
    },
  },
  {
    name: "values: a byte order mark at the beginning of a text stays",
    body: async ({ store, write }) => {
      const text = `${BYTE_ORDER_MARK}text`;
      const record = { title: text, path: text, metadata: { text } };
      await write(
        page("d", [{ chunk: { text, span: { startOffset: 0, endOffset: 5, startLine: 1, endLine: 1 } } }], record),
      );
      assert.equal((await store.getChunks(["d#0"]))[0]?.text, text);
      assert.deepEqual(await store.getDocuments(["d"]), [documentRecord("d", record)]);
    },
  },
  {
    name: "values: ids that nothing can have are not found",
    body: async ({ store, write }) => {
      await write(page("d", [{}]));
      for (const id of ["\0", "d\0", "\ud83d"]) {
        assert.deepEqual(await store.getDocuments([id, "d"]), [undefined, documentRecord("d")]);
        assert.deepEqual(await store.getChunks([id]), [undefined]);
        assert.deepEqual(await store.getChunkIds(id), []);
        assert.deepEqual(await store.getOutline(id), []);
        assert.deepEqual(await write(removal(id)), { replaced: 0, deleted: 0, chunks: 0 });
      }
    },
  },
  {
    name: "values: neither filter nor limit of one search holds for the next",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(page("a", [{ words: "x" }]), page("b", [{ words: "x" }]), page("c", [{ words: "x" }]));
      const filter = { op: "in", field: "id", values: ["b"] } as const;
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await textIds(store, term("x"), { limit: 1 }), ["a#0"]);
        assert.deepEqual(await textIds(store, term("x"), { filter }), ["b#0"]);
        assert.deepEqual(await textIds(store, term("x")), ["a#0", "b#0", "c#0"]);
      }
    },
  },
  {
    name: "values: a chunk without a vector takes over none of those that are gone",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(
        page("a", [{ vector: [1, 0, 0, 0] }, { vector: [0, 1, 0, 0] }]),
        page("b", [{ vector: [1, 0, 0, 0] }]),
      );
      await write(page("a", [{}, {}, {}]), removal("b"), page("c", [{}]));
      await write(page("d", [{}]));
      assert.deepEqual(await vectorIds(store, [1, 0, 0, 0]), []);
      assert.deepEqual(await store.stats(), { documents: 3, chunks: 5, vectors: 0 });
    },
  },
];
