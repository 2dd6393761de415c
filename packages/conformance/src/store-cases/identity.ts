import assert from "node:assert/strict";
import { compareCodeUnits } from "../assertions.js";
import { documentIds, documentRecord, page, removal, searchText, term, textIds } from "../builders.js";
import { hasText, type StoreCase } from "../store-case.js";

/** Strings that some backend somewhere takes for something else than themselves. All are well-formed. */
const HOSTILE: readonly string[] = [
  '"',
  "'",
  "''",
  '""',
  "`",
  "*",
  "a*",
  "NEAR(",
  "AND",
  "OR",
  "NOT",
  "a:b",
  "-x",
  "+x",
  "^x",
  "%",
  "_",
  "\\",
  "\\'",
  "(",
  ")",
  "{}",
  "[]",
  "[object Object]",
  "$1",
  "?",
  ":x",
  "@p",
  "&|!",
  "<->",
  "--",
  "/*",
  ";",
  "'; DROP TABLE chunks;--",
  "null",
  "undefined",
  "NaN",
  "true",
  "0",
  "1",
  "01",
  "1.0",
  "1.0.21",
  "__proto__",
  "constructor",
  "toString",
  "../../x",
  "a/b",
  "a\nb",
  "a\tb",
  "\u007f",
  "\u00a0",
  "\u200b",
  "\ufeff",
  "\ufffd",
  "👩‍💻",
  "👩",
  "日本",
  "ﬁ",
  "fi",
  "ß",
  "ss",
  "İ",
  "i",
  "I",
  "ı",
];

/** Groups of strings that a collation, a trim or a normalisation would take for equal. */
const LOOKALIKES: readonly string[] = [
  "readme",
  "README",
  "Readme",
  "readme ",
  " readme",
  "readme  ",
  "read me",
  "r\u00e9sum\u00e9",
  "re\u0301sume\u0301",
  "resume",
  "\u212b",
  "\u00c5",
  "A\u030a",
  "stra\u00dfe",
  "strasse",
  "\uff52eadme",
];

export const IDENTITY_CASES: readonly StoreCase[] = [
  {
    name: "identity: ids that differ by case, Unicode form or blanks stay apart",
    body: async ({ store, write }) => {
      await write(...LOOKALIKES.map((id, i) => page(id, [{ words: `w${i}` }], { metadata: { i } })));
      assert.deepEqual(await documentIds(store), [...LOOKALIKES].sort(compareCodeUnits));
      for (const [i, id] of LOOKALIKES.entries()) {
        assert.deepEqual(await store.getDocuments([id]), [documentRecord(id, { metadata: { i } })]);
        assert.deepEqual(await store.getChunkIds(id), [`${id}#0`]);
        assert.equal((await store.getChunks([`${id}#0`]))[0]?.text, `w${i}`);
        assert.deepEqual(await documentIds(store, { op: "in", field: "id", values: [id] }), [id]);
      }
      await write(removal("README"), removal("r\u00e9sum\u00e9"), removal("readme "));
      assert.equal((await store.stats()).documents, LOOKALIKES.length - 3);
      assert.deepEqual(await store.getChunkIds("readme"), ["readme#0"]);
      assert.deepEqual(await store.getChunkIds("resume"), ["resume#0"]);
    },
  },
  {
    name: "identity: hostile document ids",
    body: async ({ store, write }) => {
      await write(...HOSTILE.map((id) => page(id, [{ words: "word" }])));
      assert.deepEqual(await documentIds(store), [...HOSTILE].sort(compareCodeUnits));
      assert.deepEqual(
        await store.getDocuments(HOSTILE),
        HOSTILE.map((id) => documentRecord(id)),
      );
      for (const [i, id] of HOSTILE.entries()) {
        assert.equal((await write(removal(id))).deleted, 1, id);
        assert.equal((await store.stats()).documents, HOSTILE.length - i - 1, id);
      }
    },
  },
  {
    name: "identity: hostile chunk ids",
    body: async ({ store, write }) => {
      await write(
        page(
          "d",
          HOSTILE.map((id) => ({ words: "word", chunk: { id } })),
        ),
      );
      assert.deepEqual(await store.getChunkIds("d"), HOSTILE);
      const chunks = await store.getChunks([...HOSTILE].reverse());
      assert.deepEqual(
        chunks.map((chunk) => chunk?.id),
        [...HOSTILE].reverse(),
      );
      if (!hasText(store.capabilities)) return;
      assert.deepEqual(
        (await textIds(store, term("word"), { limit: 1000 })).sort(compareCodeUnits),
        [...HOSTILE].sort(compareCodeUnits),
      );
    },
  },
  {
    name: "identity: hostile terms are found as they are",
    applies: hasText,
    body: async ({ store, write }) => {
      const terms = HOSTILE.map((word) => ({
        words: "x",
        fields: { body: { terms: new Map([[word, 1]]), length: 1 } },
      }));
      await write(page("d", terms));
      for (const [i, word] of HOSTILE.entries()) {
        assert.deepEqual(await textIds(store, term(word)), [`d#${i}`], JSON.stringify(word));
        const listed = await store.listTerms({ prefix: word, limit: 1 });
        assert.deepEqual(listed, [{ term: word, chunks: 1 }], JSON.stringify(word));
      }
      const listed = await store.listTerms({ prefix: "", limit: 1000 });
      assert.deepEqual(
        listed.map((count) => count.term),
        [...HOSTILE].sort(compareCodeUnits),
      );
    },
  },
  {
    name: "identity: hostile terms that no chunk holds find nothing",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }]));
      for (const word of [...HOSTILE, "\u0000", "alpha\u0000", "\ud800", "alpha\udc00", "", " ", "alpha OR alpha"]) {
        const { chunks, documents } = await searchText(store, term(word));
        assert.deepEqual([chunks, documents], [[], []], JSON.stringify(word));
        assert.deepEqual(await store.listTerms({ prefix: `${word}\u0001`, limit: 5 }), [], JSON.stringify(word));
        assert.deepEqual(
          await documentIds(store, { op: "in", field: "path", values: [word] }),
          [],
          JSON.stringify(word),
        );
      }
    },
  },
  {
    name: "identity: ids of 20,000 characters that differ in the last",
    body: async ({ store, write }) => {
      const [a, b] = [`${"x".repeat(19_999)}a`, `${"x".repeat(19_999)}b`];
      await write(page(b, [{ words: "two" }]), page(a, [{ words: "one" }]));
      assert.deepEqual(await documentIds(store), [a, b]);
      const chunks = await store.getChunks([`${a}#0`, `${b}#0`, "x".repeat(20_000)]);
      assert.deepEqual(
        chunks.map((chunk) => chunk?.text),
        ["one", "two", undefined],
      );
      assert.equal((await write(removal(a))).deleted, 1);
      assert.deepEqual(await documentIds(store), [b]);
    },
  },
  {
    name: "identity: terms of 20,000 characters that differ in the last",
    applies: hasText,
    body: async ({ store, write }) => {
      const [a, b] = [`${"x".repeat(19_999)}a`, `${"x".repeat(19_999)}b`];
      await write(page("d", [{ words: a }, { words: b }]));
      assert.deepEqual(await textIds(store, term(a)), ["d#0"]);
      assert.deepEqual(await textIds(store, term(b)), ["d#1"]);
      assert.deepEqual(await textIds(store, term("x".repeat(20_000))), []);
      assert.deepEqual(await textIds(store, term("x".repeat(19_999))), []);
      assert.deepEqual(await store.listTerms({ prefix: "x".repeat(19_999), limit: 5 }), [
        { term: a, chunks: 1 },
        { term: b, chunks: 1 },
      ]);
    },
  },
];
