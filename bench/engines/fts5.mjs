// Bare SQLite FTS5 over whole pages: Porter stemming, stop words dropped, terms quoted and joined with OR.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";

const STOP_WORDS = new Set(
  "a an and are as at be but by can do does for from how i if in into is it its may my no not of on or so such that the their then there these they this to was what when where which will with you your".split(
    " ",
  ),
);

export async function fts5Engine(pages) {
  const folder = mkdtempSync(join(tmpdir(), "docsearch-bench-"));
  const path = join(folder, "fts5.db");
  const db = new Database(path);
  db.pragma("journal_mode = WAL");
  db.exec("CREATE VIRTUAL TABLE page USING fts5(path UNINDEXED, title, body, tokenize = 'porter unicode61')");
  const insert = db.prepare("INSERT INTO page VALUES (?, ?, ?)");
  db.transaction(() => {
    for (const { path: id, title, body } of pages) insert.run(id, title, body);
  })();
  const find = db.prepare("SELECT path FROM page WHERE page MATCH ? ORDER BY bm25(page, 0, 4, 1) LIMIT ?").pluck();
  return {
    search: async (query, limit) => {
      const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
      const content = words.filter((word) => !STOP_WORDS.has(word));
      const terms = (content.length > 0 ? content : words).map((word) => `"${word}"`);
      return terms.length === 0 ? [] : find.all(terms.join(" OR "), limit);
    },
    bytes: () => statSync(path).size,
    close: async () => {
      db.close();
      rmSync(folder, { recursive: true });
    },
  };
}
