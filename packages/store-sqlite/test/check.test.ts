import Database from "better-sqlite3";
import { load as loadSqliteVec } from "sqlite-vec";
import { expect, test } from "vitest";
import type { SqliteStoreOptions } from "../src/index.js";
import { openStore, page, READ, removal, temporaryPaths, WRITE } from "./support.js";

const newPath = temporaryPaths();

/** An index of two documents with two chunks each, in slots 3 to 6, after one that was deleted. */
async function filled(options: Omit<SqliteStoreOptions, "path"> = {}): Promise<string> {
  const path = newPath();
  const store = await openStore(path, WRITE, options);
  const pieces = [
    { words: "alpha beta", vector: [1, 0, 0, 0] },
    { words: "beta", vector: [0, 1, 0, 0] },
  ];
  await store.write([page("gone", pieces)]);
  await store.write([removal("gone"), page("a", pieces), page("b", pieces)]);
  await store.close();
  return path;
}

async function faultsAfter(sql: string, options: Omit<SqliteStoreOptions, "path"> = {}): Promise<readonly string[]> {
  const path = await filled(options);
  const database = new Database(path);
  database.pragma("foreign_keys = OFF");
  database.unsafeMode(true).exec(sql);
  database.close();
  const store = await openStore(path, READ, options);
  const { faults } = await store.check();
  await store.close();
  return faults;
}

test("a whole index has no faults", async () => {
  for (const options of [{}, { lexicalIndex: "fts5" }, { vectorIndex: "signs" }] as const) {
    expect(await faultsAfter("", options)).toEqual([]);
  }
});

test.each([
  ["UPDATE meta SET value = 9 WHERE key = 'chunks'", ["9 chunks are counted, and there are 4."]],
  ["UPDATE meta SET value = 9 WHERE key = 'live_postings'", ["9 postings are counted, and the chunks have 6."]],
  [
    "DELETE FROM chunk WHERE id = 'a#1'",
    [
      "The blocks hold 4 chunks, and there are 3.",
      "4 chunks are counted, and there are 3.",
      "6 postings are counted, and the chunks have 5.",
      "The chunk in slot 4 has 0 terms, and 1 postings.",
    ],
  ],
  [
    "UPDATE chunk_block SET documents = zeroblob(1024)",
    [
      "Block 0 of chunks is not what was written.",
      "Chunk a#0 is not in the block of its slot 3.",
      "Chunk a#1 is not in the block of its slot 4.",
      "Chunk b#0 is not in the block of its slot 5.",
      "Chunk b#1 is not in the block of its slot 6.",
      "The blocks hold 0 chunks, and there are 4.",
      "There is a vector in slot 3, where no chunk is.",
      "There is a vector in slot 4, where no chunk is.",
      "There is a vector in slot 5, where no chunk is.",
      "There is a vector in slot 6, where no chunk is.",
    ],
  ],
  [
    "UPDATE chunk SET document = 2 WHERE id = 'b#1'",
    [
      "The chunk b#1 is not what was written.",
      "The block of chunk b#1 names document 3, not 2.",
      "The chunks of a document do not follow one another.",
    ],
  ],
  [
    "UPDATE chunk SET ordinal = 5 WHERE id = 'a#0'",
    [
      "The chunk a#0 is not what was written.",
      "Chunk a#1 stands behind chunk a#0 of its document and has no higher ordinal.",
    ],
  ],
  [
    "DELETE FROM document WHERE id = 'b'",
    ["A row of chunk refers to one that is not there.", "A row of chunk refers to one that is not there."],
  ],
  [
    "DELETE FROM posting WHERE term = CAST('alpha' AS BLOB)",
    [
      "Segment 1 holds 2 postings and should hold 3.",
      "Segment 2 holds 4 postings and should hold 6.",
      "The chunk in slot 3 has 2 terms, and 1 postings.",
      "The chunk in slot 5 has 2 terms, and 1 postings.",
    ],
  ],
  [
    "UPDATE posting SET bytes = x'0101' WHERE term = CAST('alpha' AS BLOB)",
    [
      `The postings of "alpha" in segment 1 are damaged.`,
      `The postings of "alpha" in segment 2 are damaged.`,
      "The chunk in slot 3 has 2 terms, and 1 postings.",
      "The chunk in slot 5 has 2 terms, and 1 postings.",
    ],
  ],
  [
    "UPDATE vector_block SET rows = zeroblob(7)",
    ["Vector block 0 has blobs of the wrong size.", "4 vectors are counted, and there are 0."],
  ],
  ["DELETE FROM vector_block", ["4 vectors are counted, and there are 0."]],
  [
    "UPDATE vector_block SET scales = zeroblob(1024)",
    ["Vector block 0 is not what was written.", "4 vectors are counted, and there are 0."],
  ],
  ["UPDATE vector_block SET rows = zeroblob(1024)", ["Vector block 0 is not what was written."]],
  ["UPDATE vector_block SET signs = zeroblob(length(signs))", ["Vector block 0 is not what was written."]],
  ["UPDATE chunk_block SET lengths = zeroblob(6144)", ["Block 0 of chunks is not what was written."]],
  [
    "UPDATE chunk_block SET lengths = zeroblob(10000)",
    ["Block 0 of chunks has blobs of the wrong size.", "The blocks of chunks cannot be read: offset is out of bounds."],
  ],
  ["UPDATE chunk SET text = 'other' WHERE id = 'a#1'", ["The chunk a#1 is not what was written."]],
  ["UPDATE chunk SET id = 'other' WHERE id = 'a#1'", ["The chunk other is not what was written."]],
  ["UPDATE chunk SET start_line = 7, end_line = 9 WHERE id = 'b#0'", ["The chunk b#0 is not what was written."]],
  ["UPDATE chunk SET heading_path = '[' WHERE id = 'b#0'", ["The chunk b#0 is not what was written."]],
  ["UPDATE document SET metadata = '{' WHERE id = 'b'", ["The document b is not what was written."]],
  ["UPDATE document SET sort_key = x'00' WHERE id = 'b'", ["The document b is not what was written."]],
  [
    "UPDATE vector_block SET scales = CAST(substr(scales, 1, 4) || x'0000803f' || substr(scales, 9, 4) || x'0000c07f' || substr(scales, 17) AS BLOB)",
    [
      "Vector block 0 is not what was written.",
      "There is a vector in slot 1, where no chunk is.",
      "The vector in slot 3 has the scale NaN.",
      "4 vectors are counted, and there are 5.",
    ],
  ],
])("what is tampered with is found: %s", async (sql, faults) => {
  expect(await faultsAfter(sql)).toEqual(faults);
});

test("vec0: vectors that are gone are found", async () => {
  const path = await filled({ vectorIndex: "vec0" });
  const database = new Database(path);
  loadSqliteVec(database);
  database.exec("DELETE FROM chunk_vector WHERE slot = 4");
  database.close();
  const store = await openStore(path, READ, { vectorIndex: "vec0" });
  expect(await store.check()).toEqual({ faults: ["4 vectors are counted, and there are 3."] });
  await store.close();
});

test("the count of vectors holds through writes, removals and a new numbering", async () => {
  const store = await openStore(newPath());
  const many = (n: number) =>
    page(
      `d${n}`,
      Array.from({ length: 700 }, (_, i) => ({ words: "x", vector: [1, i, n, 1] })),
    );
  for (let n = 0; n < 20; n++) {
    await store.write([many(n)]);
    if (n > 0) await store.write([removal(`d${n - 1}`)]);
  }
  expect(await store.stats()).toEqual({ documents: 1, chunks: 700, vectors: 700 });
  expect(await store.check()).toEqual({ faults: [] });
  await store.clear();
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});

test("fts5: rows that are missing or too many are found", async () => {
  expect(await faultsAfter("UPDATE chunk_fts SET rowid = 99 WHERE rowid = 3", { lexicalIndex: "fts5" })).toEqual([
    "The chunk in slot 3 is not in chunk_fts.",
    "chunk_fts has a row for slot 99, where no chunk is.",
  ]);
});

test("fts5: what SQLite finds itself is reported", async () => {
  const faults = await faultsAfter("UPDATE chunk_fts_content SET c4 = 'other' WHERE id = 3", { lexicalIndex: "fts5" });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(/^SQLite reports: malformed inverted index/);
});
