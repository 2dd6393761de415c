import assert from "node:assert/strict";
import { LEXICAL_FIELDS } from "@docsearch/spec";
import { and, lexicalFields, or, page, searchText, term, textIds } from "../builders.js";
import { hasText, type StoreCase } from "../store-case.js";

export const TEXT_CASES: readonly StoreCase[] = [
  {
    name: "text: every field is searched",
    applies: hasText,
    body: async ({ store, write }) => {
      const fields = lexicalFields(Object.fromEntries(LEXICAL_FIELDS.map((name) => [name, `in${name}`])));
      await write(page("d", [{ fields }]), page("e", [{ words: "other" }]));
      for (const name of LEXICAL_FIELDS) assert.deepEqual(await textIds(store, term(`in${name}`)), ["d#0"], name);
    },
  },
  {
    name: "text: terms are compared as they are",
    applies: hasText,
    body: async ({ store, write }) => {
      const words = ["node", "Node", "NODE", "nodes", "node.js", "nöde", "no\u0308de", "=node", "node_", "ﬁle", "file"];
      await write(...words.map((word, i) => page(`d${String(i).padStart(2, "0")}`, [{ words: word }])));
      for (const [i, word] of words.entries()) {
        assert.deepEqual(await textIds(store, term(word)), [`d${String(i).padStart(2, "0")}#0`], word);
      }
      assert.deepEqual(await textIds(store, term("nod")), []);
      assert.deepEqual(await textIds(store, term("node ")), []);
      assert.deepEqual(await textIds(store, term("")), []);
    },
  },
  {
    name: "text: a chunk with both terms comes before chunks with one; scores are positive and finite",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(
        page("a", [{ words: "apple" }]),
        page("b", [{ words: "pear" }]),
        page("c", [{ words: "apple pear" }]),
      );
      const { chunks } = await searchText(store, or(term("apple"), term("pear")));
      assert.equal(chunks[0]?.chunkId, "c#0");
      assert.deepEqual(chunks.map((hit) => hit.documentId).sort(), ["a", "b", "c"]);
      assert.ok(
        chunks.every((hit) => Number.isFinite(hit.score) && hit.score > 0),
        JSON.stringify(chunks),
      );
      assert.ok(chunks[0].score > chunks[1]!.score, JSON.stringify(chunks));
    },
  },
  {
    name: "text: a rare term outweighs a frequent one",
    applies: ({ lexical }) => lexical === "bm25f" || lexical === "bm25",
    body: async ({ store, write }) => {
      await write(
        ...["a", "b", "c", "d", "e"].map((id) => page(id, [{ words: "common common" }])),
        page("z", [{ words: "rare filler" }]),
      );
      assert.equal((await textIds(store, or(term("common"), term("rare"))))[0], "z#0");
    },
  },
  {
    name: "text: short and often comes before long and seldom; higher scores are better",
    applies: ({ lexical }) => lexical === "bm25f" || lexical === "bm25",
    body: async ({ store, write }) => {
      const filler =
        "harbour rules boats keep right nets dried wall dogs stay lead fuel sold until six bins emptied twice";
      await write(
        page("p3", [{ words: `siren ${filler}` }]),
        page("p2", [{ words: "siren sounds when fog comes in from west" }]),
        page("p1", [{ words: "siren siren siren" }]),
      );
      const { chunks } = await searchText(store, term("siren"));
      assert.deepEqual(
        chunks.map((hit) => hit.chunkId),
        ["p1#0", "p2#0", "p3#0"],
      );
      assert.ok(chunks[0]!.score > chunks[1]!.score && chunks[1]!.score > chunks[2]!.score, JSON.stringify(chunks));
    },
  },
  {
    name: "text: `and` needs every clause, `or` one of them, at any depth",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(
        page("1", [{ words: "a" }]),
        page("2", [{ words: "a b" }]),
        page("3", [{ words: "a c" }]),
        page("4", [{ words: "b c" }]),
        page("5", [{ words: "d" }]),
        page("6", [{ words: "a b c d" }]),
      );
      const [a, b, c, d, none] = [term("a"), term("b"), term("c"), term("d"), term("none")];
      const found = async (query: Parameters<typeof textIds>[1]): Promise<string> =>
        (await textIds(store, query))
          .map((id) => id[0])
          .sort()
          .join("");
      assert.equal(await found(and(a, b)), "26");
      assert.equal(await found(or(a, b)), "12346");
      assert.equal(await found(and(a, or(b, c))), "236");
      assert.equal(await found(or(and(a, b), and(b, c), d)), "2456");
      assert.equal(await found(and(or(a, d), or(b, c), or(c, d))), "36");
      assert.equal(await found(and(a, none)), "");
      assert.equal(await found(or(a, none)), "1236");
      assert.equal(await found(and(a)), "1236");
      assert.equal(await found(or(d)), "56");
      assert.equal(await found(and(a, a, and(a, or(a)))), "1236");
      assert.equal(await found(or(and(or(and(a, b), none), c), none)), "6");
    },
  },
  {
    name: "text: a query without terms finds nothing",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }]));
      for (const query of [or(), and()]) {
        const { chunks, documents } = await searchText(store, query);
        assert.deepEqual([chunks, documents], [[], []]);
      }
    },
  },
  {
    name: "text: a chunk comes once, however many of its fields and terms match",
    applies: hasText,
    body: async ({ store, write }) => {
      const fields = lexicalFields({ title: "alpha", heading: "alpha beta", body: "alpha alpha beta", code: "beta" });
      await write(page("d", [{ fields }, { fields }]));
      const query = or(term("alpha"), term("beta"), term("alpha"), and(term("alpha"), term("beta")));
      assert.deepEqual(await textIds(store, query), ["d#0", "d#1"]);
    },
  },
  {
    name: "text: equal scores are ordered by chunk id in code unit order",
    applies: hasText,
    body: async ({ store, write }) => {
      // The emoji begins with the unit D83D, before FF21; by code points or UTF-8 bytes it would come behind.
      const ids = ["b", "a10", "a2", "B", "é", "\u{1f600}", "\uff21", "a"];
      for (const id of ids) await write(page(id, [{ words: "same" }]));
      const expected = ["B#0", "a#0", "a10#0", "a2#0", "b#0", "é#0", "\u{1f600}#0", "\uff21#0"];
      assert.deepEqual(await textIds(store, term("same")), expected);
      assert.deepEqual(await textIds(store, term("same"), { limit: 3 }), expected.slice(0, 3));
      await write(page("b", [{ words: "same" }]), page("B", [{ words: "same" }]));
      assert.deepEqual(await textIds(store, term("same")), expected);
    },
  },
  {
    name: "text: limits of 0, 1, all and more",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(page("a", [{ words: "x" }]), page("b", [{ words: "x" }]), page("c", [{ words: "x" }]));
      const { chunks, documents } = await searchText(store, term("x"), { limit: 0 });
      assert.deepEqual([chunks, documents], [[], []]);
      assert.deepEqual(await textIds(store, term("x"), { limit: 1 }), ["a#0"]);
      assert.deepEqual(await textIds(store, term("x"), { limit: 3 }), ["a#0", "b#0", "c#0"]);
      assert.deepEqual(await textIds(store, term("x"), { limit: 100_000 }), ["a#0", "b#0", "c#0"]);
    },
  },
  {
    name: "text: documents and a ceiling come from bm25f stores alone",
    applies: ({ lexical }) => lexical === "bm25" || lexical === "other",
    body: async ({ store, write }) => {
      await write(page("d", [{ words: "alpha" }]));
      const { documents, ceiling } = await searchText(store, term("alpha"));
      assert.deepEqual([documents, ceiling], [[], undefined]);
    },
  },
];
