// The documentation of Bun, from the npm package bun-types: hand-written queries and known-item queries.
import { readFileSync } from "node:fs";
import { CORPUS_ROOT, knownItemQueries, readPages } from "../bench/corpus.mjs";
import { parseQuerySet } from "../packages/eval/dist/index.js";
import { fileSource } from "../packages/source-fs/dist/index.js";

/** The pages as they are, and the thirty queries of queries.jsonl. */
export async function handWritten() {
  const documents = [];
  for await (const item of fileSource({ root: CORPUS_ROOT, include: ["**/*.md", "**/*.mdx"] }).read()) {
    if (item.type === "document") documents.push(item.document);
  }
  const queries = parseQuerySet(readFileSync(new URL("queries.jsonl", import.meta.url), "utf8"), "queries.jsonl");
  return { documents, queries };
}

/**
 * Pages without front matter, their title as the first heading; the description in the front matter of each asks for
 * its page. All prose pages, every fifth lint rule.
 */
export function knownItems() {
  const pages = readPages();
  const documents = pages.map(({ path, body, title }, index) => ({
    id: path,
    path,
    collection: "bun",
    text: body.startsWith("# ") || title === "" ? body : `# ${title}\n\n${body}`,
    contentHash: String(index),
    mediaType: "text/markdown",
    metadata: {},
  }));
  const queries = knownItemQueries(pages).map(({ kind, text, path }) => ({
    id: `${kind}: ${path}`,
    query: text,
    kind,
    relevant: [{ documentId: path }],
  }));
  return { documents, queries };
}
