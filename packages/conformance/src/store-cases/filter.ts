import assert from "node:assert/strict";
import type { DocumentChange, DocumentRecord, Filter, Metadata, VectorStore } from "@docsearch/spec";
import { documentIds, page, removal, searchText, term, vectorIds } from "../builders.js";
import { hasBm25f, hasText, hasVectors, type StoreCase } from "../store-case.js";

/** Ids of the documents that pass, after asserting that listing and every search agree on them. */
async function passing(store: VectorStore, filter: Filter): Promise<string> {
  const listed = await documentIds(store, filter);
  const name = JSON.stringify(filter).slice(0, 200);
  if (hasText(store.capabilities)) {
    const { chunks, documents } = await searchText(store, term("kelp"), { filter, limit: 1000 });
    assert.deepEqual(chunks.map((hit) => hit.documentId).sort(), listed, `text search: ${name}`);
    if (hasBm25f(store.capabilities)) {
      assert.deepEqual(documents.map((hit) => hit.documentId).sort(), listed, `documents of text search: ${name}`);
    }
  }
  if (hasVectors(store.capabilities)) {
    const ids = (await vectorIds(store, [1, 0, 0, 0], { filter, limit: 1000 })).map((id) => id.slice(0, -2));
    assert.deepEqual(ids.sort(), listed, `vector search: ${name}`);
  }
  return listed.join("");
}

/** A document of one chunk that both searches find. */
function kelp(id: string, record: Partial<DocumentRecord> = {}): DocumentChange {
  return page(id, [{ words: "kelp", vector: [1, 0, 0, 0] }], record);
}

/** Runs a table of filters over documents whose ids are single letters. */
function filterCase(
  name: string,
  documents: readonly DocumentChange[],
  table: readonly (readonly [Filter, ids: string])[],
): StoreCase {
  return {
    name: `filter: ${name}`,
    body: async ({ store, write }) => {
      await write(...documents);
      for (const [filter, expected] of table) {
        assert.equal(await passing(store, filter), expected, JSON.stringify(filter));
      }
    },
  };
}

const PATHS = [
  kelp("a", { path: "docs_v1/a.md" }),
  kelp("b", { path: "docsXv1/a.md" }),
  kelp("c", { path: "docs_v1-old/a.md" }),
  kelp("d", { path: "100%/a.md" }),
  kelp("e", { path: "100x/a.md" }),
  kelp("f", { path: "Docs_v1/a.md" }),
  kelp("g"),
  kelp("h", { path: "" }),
  kelp("i", { path: "x\\y/[z].md" }),
  kelp("j", { path: "x\\yz" }),
];

const METADATA: readonly [id: string, metadata: Metadata][] = [
  ["a", { n: 1 }],
  ["b", { n: "1" }],
  ["c", { n: true }],
  ["d", { n: "true" }],
  ["e", { n: 0 }],
  ["f", { n: false }],
  ["g", { n: "" }],
  ["h", {}],
  ["i", { n: 1.5 }],
  ["j", { n: -2 }],
  ["k", { n: "null" }],
];

function valueIn(field: string, ...values: (string | number | boolean)[]): Filter {
  return { op: "in", field, values };
}

function prefix(field: string, value: string): Filter {
  return { op: "prefix", field, value };
}

function contains(field: string, value: string): Filter {
  return { op: "contains", field, value };
}

function range(field: string, bounds: { readonly min?: number; readonly max?: number }): Filter {
  return { op: "range", field, ...bounds };
}

function not(clause: Filter): Filter {
  return { op: "not", clause };
}

function all(...clauses: Filter[]): Filter {
  return { op: "and", clauses };
}

function any(...clauses: Filter[]): Filter {
  return { op: "or", clauses };
}

export const FILTER_CASES: readonly StoreCase[] = [
  filterCase(
    "`in` on every field",
    [
      kelp("a", { collection: "docs", path: "p", mediaType: "text/markdown", metadata: { key: "v" } }),
      kelp("b", { collection: "api", path: "q", mediaType: "text/html", metadata: { key: "w" } }),
      kelp("c", { collection: "Docs", path: "P" }),
    ],
    [
      [valueIn("id", "a", "c", "none"), "ac"],
      [valueIn("id", "A"), ""],
      [valueIn("collection", "docs"), "a"],
      [valueIn("collection", "docs", "Docs"), "ac"],
      [valueIn("path", "p"), "a"],
      [valueIn("mediaType", "text/markdown", "text/plain"), "ac"],
      [valueIn("metadata.key", "v", "w"), "ab"],
      [valueIn("id"), ""],
    ],
  ),
  filterCase(
    "`in` compares values of the same type",
    METADATA.map(([id, metadata]) => kelp(id, { metadata })),
    [
      [valueIn("metadata.n", 1), "a"],
      [valueIn("metadata.n", "1"), "b"],
      [valueIn("metadata.n", true), "c"],
      [valueIn("metadata.n", "true"), "d"],
      [valueIn("metadata.n", 0), "e"],
      [valueIn("metadata.n", false), "f"],
      [valueIn("metadata.n", ""), "g"],
      [valueIn("metadata.n", 1.5, -2), "ij"],
      [valueIn("metadata.n", "null"), "k"],
      [valueIn("metadata.n", "undefined"), ""],
      [valueIn("metadata.n", 1, "1", true, false), "abcf"],
      [valueIn("metadata.n", "1.0", "01", " 1"), ""],
    ],
  ),
  filterCase("`prefix` is literal and minds case", PATHS, [
    [prefix("path", "docs_v1"), "ac"],
    [prefix("path", "docs_v1/"), "a"],
    [prefix("path", "100%"), "d"],
    [prefix("path", "Docs"), "f"],
    [prefix("path", "%"), ""],
    [prefix("path", "_"), ""],
    [prefix("path", "docs_v1/a.md"), "a"],
    [prefix("path", "docs_v1/a.mdx"), ""],
    [prefix("path", "x\\y/["), "i"],
    [prefix("path", "x\\y"), "ij"],
    [prefix("path", ""), "abcdefhij"],
  ]),
  filterCase("`contains` is literal and minds case", PATHS, [
    [contains("path", "_v1/"), "af"],
    [contains("path", "0%"), "d"],
    [contains("path", "%"), "d"],
    [contains("path", "s_v"), "acf"],
    [contains("path", "A.md"), ""],
    [contains("path", "d.*s"), ""],
    [contains("path", "[z]"), "i"],
    [contains("path", "\\"), "ij"],
    [contains("path", "100%/a.md"), "d"],
    [contains("path", ""), "abcdefhij"],
  ]),
  filterCase(
    "`prefix` and `contains` match strings alone",
    METADATA.map(([id, metadata]) => kelp(id, { metadata })),
    [
      [prefix("metadata.n", "1"), "b"],
      [prefix("metadata.n", "t"), "d"],
      [prefix("metadata.n", ""), "bdgk"],
      [contains("metadata.n", "u"), "dk"],
      [contains("metadata.n", "."), ""],
      [contains("metadata.n", ""), "bdgk"],
    ],
  ),
  filterCase(
    "`range` is closed, open-ended where a bound is absent, and matches numbers alone",
    METADATA.map(([id, metadata]) => kelp(id, { metadata })),
    [
      [range("metadata.n", { min: 1, max: 1.5 }), "ai"],
      [range("metadata.n", { min: 1 }), "ai"],
      [range("metadata.n", { min: 1.25 }), "i"],
      [range("metadata.n", { max: 0 }), "ej"],
      [range("metadata.n", { min: 0, max: 0 }), "e"],
      [range("metadata.n", { min: 2, max: 1 }), ""],
      [range("metadata.n", {}), "aeij"],
      [range("metadata.n", { min: Number.NaN }), ""],
      [range("metadata.n", { max: Number.NaN }), ""],
      [range("path", { min: 0 }), ""],
    ],
  ),
  filterCase(
    "a document without the field matches no leaf, and so matches its `not`",
    [kelp("a", { path: "p", metadata: { n: 1 } }), kelp("b", { metadata: { n: 2 } }), kelp("c", { path: "q" })],
    [
      [not(valueIn("path", "p")), "bc"],
      [not(prefix("path", "")), "b"],
      [not(contains("path", "q")), "ab"],
      [not(valueIn("metadata.n", 1)), "bc"],
      [not(range("metadata.n", { min: 2 })), "ac"],
      [not(range("metadata.n", {})), "c"],
      [not(valueIn("metadata.none", 1)), "abc"],
      [not(not(valueIn("metadata.n", 1))), "a"],
      [not(any(valueIn("path", "p"), valueIn("metadata.n", 2))), "c"],
    ],
  ),
  filterCase(
    "`and`, `or` and `not` nest; without clauses `and` holds and `or` does not",
    [
      kelp("a", { collection: "x", metadata: { n: 1 } }),
      kelp("b", { collection: "x", metadata: { n: 2 } }),
      kelp("c", { collection: "y", metadata: { n: 1 } }),
      kelp("d", { collection: "y", metadata: { n: 2 } }),
    ],
    [
      [all(valueIn("collection", "x"), valueIn("metadata.n", 1)), "a"],
      [any(valueIn("collection", "x"), valueIn("metadata.n", 1)), "abc"],
      [all(valueIn("collection", "x"), not(valueIn("metadata.n", 1))), "b"],
      [not(all(valueIn("collection", "x"), valueIn("metadata.n", 1))), "bcd"],
      [
        any(
          all(valueIn("collection", "x"), valueIn("metadata.n", 1)),
          all(valueIn("collection", "y"), valueIn("metadata.n", 2)),
        ),
        "ad",
      ],
      [all(any(valueIn("id", "a"), valueIn("id", "d")), any(valueIn("id", "d"), valueIn("id", "b"))), "d"],
      [all(), "abcd"],
      [any(), ""],
      [not(any()), "abcd"],
      [not(all()), ""],
      [all(any(), valueIn("id", "a")), ""],
      [any(all(), valueIn("id", "a")), "abcd"],
    ],
  ),
  filterCase(
    "a metadata key may hold dots, quotes and blanks, and is no path into a value",
    [
      kelp("a", { metadata: { "x.y": 1 } }),
      kelp("b", { metadata: { x: 1 } }),
      kelp("c", { metadata: { "quo'te": 1 } }),
      kelp("d", { metadata: { 'quo"te': 1 } }),
      kelp("e", { metadata: { "two words": 1 } }),
      kelp("f", { metadata: { "metadata.x": 1 } }),
      kelp("g", { metadata: { "[0]": 1, "$.x": 1, "é👩‍💻": 1 } }),
      kelp("h", { metadata: { "back\\slash": 1, X: 1 } }),
    ],
    [
      [valueIn("metadata.x.y", 1), "a"],
      [valueIn("metadata.x", 1), "b"],
      [valueIn("metadata.quo'te", 1), "c"],
      [valueIn('metadata.quo"te', 1), "d"],
      [valueIn("metadata.two words", 1), "e"],
      [valueIn("metadata.metadata.x", 1), "f"],
      [valueIn("metadata.[0]", 1), "g"],
      [valueIn("metadata.$.x", 1), "g"],
      [valueIn("metadata.é👩‍💻", 1), "g"],
      [valueIn("metadata.back\\slash", 1), "h"],
      [valueIn("metadata.X", 1), "h"],
    ],
  ),
  filterCase(
    "a field that documents do not have matches nothing",
    [kelp("a", { title: "t", url: "u", contentHash: "h" })],
    [
      [valueIn("title", "t"), ""],
      [valueIn("url", "u"), ""],
      [valueIn("contentHash", "h"), ""],
      [valueIn("ID", "a"), ""],
      [valueIn("metadata", "a"), ""],
      [prefix("metadata.constructor", ""), ""],
      [prefix("metadata.toString", ""), ""],
      [prefix("metadata.__proto__", ""), ""],
      [prefix("toString", ""), ""],
      [prefix("", ""), ""],
      [valueIn("1=1; --", 1), ""],
      [not(prefix("rowid", "")), "a"],
    ],
  ),
  {
    name: "filter: a hostile path is matched exactly and its document deleted alone",
    body: async ({ store, write }) => {
      const paths = [
        "o'clock/skipper's.md",
        "x' OR 1=1 --.md",
        "back\\slash.md",
        'dou"ble.md',
        "$1 :a @b ?.md",
        "plain.md",
      ];
      await write(...paths.map((path) => page(path, [{ words: "kelp", vector: [1, 0, 0, 0] }], { path })));
      for (const path of paths) {
        assert.equal(await passing(store, valueIn("path", path)), path);
        assert.equal(await passing(store, prefix("path", path)), path);
        assert.equal(await passing(store, contains("path", path)), path);
        assert.equal(await passing(store, valueIn("id", path)), path);
      }
      assert.deepEqual(await write(removal("x' OR 1=1 --.md")), { replaced: 0, deleted: 1, chunks: 0 });
      assert.equal((await store.stats()).documents, 5);
      assert.equal((await write(removal("o'clock/skipper's.md"))).deleted, 1);
      assert.equal((await store.stats()).documents, 4);
    },
  },
  {
    name: "filter: text search filters before it takes the best hits",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(
        ...Array.from({ length: 300 }, (_, i) => page(`near${i}`, [{ words: "alpha alpha alpha" }])),
        page("far", [{ words: "alpha and many other words" }, { words: "alpha and some others" }], {
          collection: "far",
          path: "x_y/z.md",
          mediaType: "text/html",
          metadata: { k: 7 },
        }),
      );
      const filters = [
        valueIn("collection", "far"),
        valueIn("id", "far"),
        prefix("path", "x_y/"),
        contains("path", "y/z"),
        valueIn("mediaType", "text/html"),
        valueIn("metadata.k", 7),
        range("metadata.k", { min: 7 }),
        not(valueIn("collection", "docs")),
      ];
      for (const filter of filters) {
        const { chunks, documents } = await searchText(store, term("alpha"), { filter, limit: 2 });
        assert.deepEqual(chunks.map((hit) => hit.chunkId).sort(), ["far#0", "far#1"], JSON.stringify(filter));
        const expected = hasBm25f(store.capabilities) ? ["far"] : [];
        assert.deepEqual(
          documents.map((hit) => hit.documentId),
          expected,
          JSON.stringify(filter),
        );
      }
    },
  },
  {
    name: "filter: vector search filters before it takes the nearest",
    applies: hasVectors,
    body: async ({ store, write }) => {
      // 300 vectors at growing angles from the query; the filter wants the farthest ten.
      const id = (i: number): string => `d${String(i).padStart(3, "0")}`;
      await write(
        ...Array.from({ length: 300 }, (_, i) => {
          const angle = (i / 300) * 1.2;
          const path = i >= 290 ? "docs/far.md" : "docs/near.md";
          return page(id(i), [{ vector: [Math.cos(angle), Math.sin(angle), 0, 0] }], { path });
        }),
      );
      const filter = valueIn("path", "docs/far.md");
      const far = Array.from({ length: 10 }, (_, i) => `${id(290 + i)}#0`);
      const found = await vectorIds(store, [1, 0, 0, 0], { filter, limit: 10 });
      assert.deepEqual([...found].sort(), far);
      assert.equal((await vectorIds(store, [1, 0, 0, 0], { filter, limit: 3 })).length, 3);
      // Neighbours differ by .003 in score; the order is certain where a store can tell them apart.
      if (store.capabilities.vectorTolerance < 1e-3) assert.deepEqual(found, far);
    },
  },
];
