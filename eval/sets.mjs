// Reads the open sets: corpus.jsonl.gz, queries.jsonl and qrels.tsv in a folder each.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { mediaTypeOf } from "../packages/source-fs/dist/index.js";

/** Sets by name, in the order of the table, with the metric that leads. `file` is what ids without an ending are. */
export const SETS = {
  "qmd-docs": { lead: "mrr@10" },
  "doc-links-dev": { lead: "mrr@10" },
  scifact: { lead: "ndcg@10" },
  cranfield: { lead: "ndcg@10" },
  vaswani: { lead: "ndcg@10" },
  "cosqa-dev": { lead: "mrr@10", file: "function.py" },
  "code-axum": { lead: "ndcg@10" },
  "code-cobra": { lead: "ndcg@10" },
  "code-pydantic": { lead: "ndcg@10" },
  "code-zod": { lead: "ndcg@10" },
  "xquad-en": { lead: "ndcg@10" },
  "xquad-de": { lead: "ndcg@10" },
  "xquad-ru": { lead: "ndcg@10" },
  "xquad-zh": { lead: "ndcg@10" },
  "chunking-dev": { lead: "recall" },
};

/** Documents as a source would give them, and the raw records of queries and judgements. */
export function readSet(folder, name) {
  const corpus = jsonLines(gunzipSync(readFileSync(join(folder, name, "corpus.jsonl.gz"))).toString("utf8"));
  const documents = corpus.map(({ _id: id, title, text }) => ({
    id,
    collection: name,
    text,
    contentHash: createHash("sha256").update(text).digest("hex"),
    // An id that looks like a file's name is one; numbers say nothing and would only be searched.
    mediaType: mediaTypeOf(/\.\w+$/.test(id) ? id : (SETS[name].file ?? "page.txt")),
    ...(/\.\w+$/.test(id) && { path: id }),
    ...(title !== "" && title !== id && { title }),
    metadata: {},
  }));
  const [, ...rows] = readFileSync(join(folder, name, "qrels.tsv"), "utf8")
    .trimEnd()
    .split("\n");
  const grades = new Map();
  for (const row of rows) {
    const [query, documentId, grade] = row.split("\t");
    grades.set(query, [...(grades.get(query) ?? []), { documentId, grade: Number(grade) }]);
  }
  const queries = jsonLines(readFileSync(join(folder, name, "queries.jsonl"), "utf8"));
  return { documents, queries, grades };
}

/** Queries by the judgements alone. */
export function documentQueries({ queries, grades }) {
  return queries
    .filter(({ _id: id }) => grades.has(id))
    .map(({ _id: id, text, type, category }) => ({
      id,
      query: text,
      relevant: grades.get(id),
      ...((type ?? category) !== undefined && { kind: type ?? category }),
    }));
}

/**
 * Queries of doc-links-dev: a link's text asks for the section that the link leads to. With `exclude` the pages that
 * have the link do not count, unless they are the target.
 */
export function linkQueries({ documents, queries }, { exclude }) {
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  return queries.map(({ _id: id, text, library, page, span, sources }) => {
    const [startOffset, endOffset] = codeUnits(texts.get(page), span);
    return {
      id,
      query: text,
      kind: library,
      relevant: [{ documentId: page, startOffset, endOffset }],
      ...(exclude && { exclude: sources.filter((source) => source !== page) }),
    };
  });
}

/** The sets count code points, docsearch counts UTF-16 code units. */
export function codeUnits(text, offsets) {
  const astral = /[\u{10000}-\u{10ffff}]/gu;
  const places = [...text.matchAll(astral)].map(({ index }, before) => index - before);
  return offsets.map((offset) => offset + places.filter((place) => place < offset).length);
}

function jsonLines(text) {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
