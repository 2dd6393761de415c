import type { LexicalQuery } from "@docsearch/spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ftsExpression, termOf, tokenOf } from "../src/lexical/fts5-terms.js";
import { openStore, or, page, SCHEMA, temporaryPaths, term, textIds, WRITE } from "./support.js";

const newPath = temporaryPaths();

test.each([
  ["plain", "plain"],
  ["node.js", "node.js"],
  ["c++", "c++"],
  ["c#", "c#"],
  ["=exact", "=exact"],
  ["snake_case-x", "snake_case-x"],
  ["größe", "größe"],
  ["Node", "~4eode"],
  ["a b", "a~20b"],
  ['"', "~22"],
  ["~", "~7e"],
  ["a\u0000", "a~00"],
  ["", "~"],
])("the term %j is the token %j", (word, token) => {
  expect(tokenOf(word)).toBe(token);
  expect(termOf(token)).toBe(word);
});

test("tokens give their terms back", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (word) => termOf(tokenOf(word)) === word));
});

test("a query becomes an expression with every term in quotes", () => {
  const query = or(term("a", 0.2), term("b"), { op: "and", clauses: [term("c", 0.1), term('"')] });
  expect(ftsExpression(query, 0)).toBe('("a" OR "b" OR ("c" AND "~22"))');
  expect(ftsExpression(query, 0.3)).toBe('("b" OR ("c" AND "~22"))');
  expect(ftsExpression(or(term("a", 0.2), term("b", 0.1)), 0.3)).toBe('("a" OR "b")');
  expect(ftsExpression(or(), 0)).toBeUndefined();
  expect(ftsExpression({ op: "and", clauses: [term("a"), or()] }, 0)).toBeUndefined();
});

const word = fc.constantFrom(
  ...["a", "A", "c++", "c#", "=a", "a.b", "a-b", "NEAR", "AND", '"', "a b", "*", "~", "(", "{body}:", "é", "e\u0301"],
  ...["\u{1f600}", "\uff21", "$", "\u0000", ""],
);

const query: fc.Arbitrary<LexicalQuery> = fc.letrec<{ tree: LexicalQuery }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.record({ op: fc.constant("term" as const), term: word, weight: fc.constantFrom(0.1, 1) }),
    fc.record({ op: fc.constantFrom("or" as const, "and" as const), clauses: fc.array(tie("tree"), { maxLength: 4 }) }),
  ),
})).tree;

test("fts5 finds exactly the chunks that the postings find, and lists the same terms", async () => {
  const schema = { ...SCHEMA, embedding: null };
  const field = fc.array(word, { maxLength: 4 }).map((words) => {
    return { terms: new Map(words.map((each, i) => [each, (i + 1) / 2])), length: words.length };
  });
  const chunks = fc.array(fc.record({ title: field, body: field }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.array(query, { minLength: 1, maxLength: 8 }), async (list, queries) => {
      const stores = [
        await openStore(newPath(), WRITE, { lexicalIndex: "fts5" }, schema),
        await openStore(newPath(), WRITE, { lexicalIndex: "postings" }, schema),
      ] as const;
      for (const store of stores) await store.write(list.map((fields, i) => page(`d${i}`, [{ fields }])));
      for (const each of queries) {
        const [fts5, postings] = await Promise.all(stores.map((store) => textIds(store, each)));
        expect(fts5!.sort()).toEqual(postings!.sort());
      }
      const [fts5Terms, terms] = await Promise.all(stores.map((store) => store.listTerms({ prefix: "", limit: 100 })));
      expect(fts5Terms).toEqual(terms);
      for (const store of stores) {
        expect(await store.check()).toEqual({ faults: [] });
        await store.close();
      }
    }),
    { numRuns: 30 },
  );
});

test("chunks that hold light terms alone come behind all others, and only when the others do not fill the limit", async () => {
  const store = await openStore(newPath(), WRITE, { lexicalIndex: "fts5" });
  const rest = Array.from({ length: 20 }, (_, i) => page(`z${i}`, [{ words: "other words" }]));
  await store.write([
    page("a", [{ words: "the the the" }]),
    page("b", [{ words: `rare ${"x ".repeat(50)}` }]),
    ...rest,
  ]);
  const both = or(term("the", 0.2), term("rare"));
  expect(await textIds(store, both)).toEqual(["b#0", "a#0"]);
  expect(await textIds(store, both, 1)).toEqual(["b#0"]);
  expect(await textIds(store, term("the", 0.2))).toEqual(["a#0"]);
  await store.close();
});

test("other programs can query the table", async () => {
  const path = newPath();
  const store = await openStore(path, WRITE, { lexicalIndex: "fts5" });
  await store.write([page("a", [{ words: "parse c++ code" }]), page("b", [{ words: "parse c code" }])]);
  await store.close();
  const { default: Database } = await import("better-sqlite3");
  const database = new Database(path, { readonly: true });
  const select = database.prepare(
    `SELECT chunk.id FROM chunk_fts JOIN chunk ON chunk.slot = chunk_fts.rowid WHERE chunk_fts MATCH 'parse AND "c++"'`,
  );
  expect(select.all()).toEqual([{ id: "a#0" }]);
  database.close();
});

// What SQLite's own ranking gives, the baseline that the notes on lexical ranking are measured against.
test("bm25() of SQLite: its scores, and a weight on a column scales the occurrences but not the length", async () => {
  const { default: Database } = await import("better-sqlite3");
  const database = new Database(":memory:");
  database.exec("CREATE VIRTUAL TABLE page USING fts5(title, body)");
  const bodies = ["red b c", "red red c", "red b c d e f g h", "x", "x y", "x y z", "x y"];
  for (const body of bodies) database.prepare("INSERT INTO page VALUES ('t', ?)").run(body);
  const scores = (rank: string): number[] => {
    const rows = database.prepare(`SELECT -${rank} AS score FROM page WHERE page MATCH 'red' ORDER BY rowid`).all();
    return (rows as { readonly score: number }[]).map(({ score }) => Number(score.toFixed(5)));
  };
  expect(scores("bm25(page)")).toEqual([0.25491, 0.34894, 0.16985]);
  expect(scores("bm25(page, 1, 0.5)")).toEqual([0.16564, 0.25491, 0.10034]);
  database.close();
});
